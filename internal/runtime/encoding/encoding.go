// Package encoding reads compile-time values in memory. At each launch it makes keys from them and
// compares them.
package encoding

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"reflect"

	"unsafe"

	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/internal/gort"
	"github.com/qdgen/qd/internal/memo"
)

// An Encoding is how values of one type become part of the key of a specialization, and
// how two of them are compared: bit by bit, so that 0.0 and -0.0 differ and a NaN equals itself.
// Padding does not count, strings count by what is in them and functions by their code and what they capture. It
// reads memory rather than going through package reflect: that is done at each launch.
type Encoding struct {
	parts  []part // in the order of their offsets
	values int    // numbers, strings and functions in it
	direct bool   // in an interface the value itself stands in the place of its address
}

// A part is a piece of a value's memory.
type part struct {
	kind         partKind
	offset, size uintptr
}

type partKind uint8

const (
	bytesPart  partKind = iota // memory that counts as it is
	bytePart                   // 1 byte of it
	halfPart                   // 4
	wordPart                   // 8
	stringPart                 // a string
	funcPart                   // a func value
)

// New finds out about a type whose values may be known at compile time. The
// error says what is wrong with another one.
func New(t reflect.Type) (*Encoding, error) {
	e := &Encoding{direct: gort.IsDirect(t)}
	if err := e.add(t, 0); err != nil {
		return nil, err
	}
	if e.values > comptime.MaxValues {
		return nil, comptime.TooMany(t)
	}
	for i := range e.parts {
		if p := &e.parts[i]; p.kind == bytesPart {
			switch p.size {
			case 1:
				p.kind = bytePart
			case 4:
				p.kind = halfPart
			case 8:
				p.kind = wordPart
			}
		}
	}
	return e, nil
}

// encodings are those that Of has made.
var encodings memo.Map[reflect.Type, *Encoding]

// Of is the only encoding of a type that it gives, nil where there is none.
func Of(t reflect.Type) *Encoding {
	if found, ok := encodings.Load(t); ok {
		return found
	}
	e, err := New(t)
	if err != nil {
		e = nil
	}
	e, _ = encodings.LoadOrStore(t, e)
	return e
}

// add adds the parts of a type at an offset. It ends early where there are too many values, which New then finds.
func (e *Encoding) add(t reflect.Type, offset uintptr) error {
	e.values += ownValues(t)
	switch t.Kind() {
	case reflect.Bool,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr,
		reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		if last := len(e.parts) - 1; last >= 0 && e.parts[last].kind == bytesPart && e.parts[last].offset+e.parts[last].size == offset {
			e.parts[last].size += t.Size()
			return nil
		}
		e.parts = append(e.parts, part{bytesPart, offset, t.Size()})
	case reflect.String:
		e.parts = append(e.parts, part{stringPart, offset, t.Size()})
	case reflect.Func:
		e.parts = append(e.parts, part{funcPart, offset, t.Size()})
	case reflect.Array:
		for i := 0; i < t.Len() && e.values <= comptime.MaxValues; i++ {
			if err := e.add(t.Elem(), offset+uintptr(i)*t.Elem().Size()); err != nil {
				return err
			}
		}
	case reflect.Struct:
		for i := range t.NumField() {
			if err := e.add(t.Field(i).Type, offset+t.Field(i).Offset); err != nil {
				return fmt.Errorf("field %s: %w", t.Field(i).Name, err)
			}
		}
	default:
		return fmt.Errorf("a value of type %v cannot be a compile-time value; use numbers, bools, strings, functions, and arrays and structs of these", t)
	}
	return nil
}

// ownValues is how many values a type has besides those of its elements and fields. One that has none of these counts as
// one value, so that an array of very many of them is too large as well.
func ownValues(t reflect.Type) int {
	switch k := t.Kind(); {
	case k == reflect.Complex64, k == reflect.Complex128:
		return 2
	case k == reflect.Array && t.Len() > 0, k == reflect.Struct && t.NumField() > 0:
		return 0
	}
	return 1
}

// Append appends the value at p to a key.
func (e *Encoding) Append(key []byte, p unsafe.Pointer) []byte {
	for i := range e.parts {
		part := &e.parts[i]
		at := unsafe.Add(p, part.offset)
		switch part.kind {
		case wordPart:
			key = binary.NativeEndian.AppendUint64(key, *(*uint64)(at))
		case bytePart:
			key = append(key, *(*byte)(at))
		case halfPart:
			key = binary.NativeEndian.AppendUint32(key, *(*uint32)(at))
		case bytesPart:
			key = append(key, unsafe.Slice((*byte)(at), part.size)...)
		case stringPart:
			s := *(*string)(at)
			key = binary.NativeEndian.AppendUint64(key, uint64(len(s)))
			key = append(key, s...)
		case funcPart:
			key = binary.NativeEndian.AppendUint64(key, uint64(comptime.FuncID(at)))
		}
	}
	return key
}

// A Comparison is of a part of two values that are of one type.
type Comparison struct {
	kind partKind
	size uintptr
	p, q unsafe.Pointer
}

// Compare appends the comparisons of the values at p and at q.
func (e *Encoding) Compare(list []Comparison, p, q unsafe.Pointer) []Comparison {
	for _, part := range e.parts {
		list = append(list, Comparison{part.kind, part.size, unsafe.Add(p, part.offset), unsafe.Add(q, part.offset)})
	}
	return list
}

// Same reports whether all that is compared would be the same in a key.
func Same(list []Comparison) bool {
	for i := range list {
		if !list[i].same() {
			return false
		}
	}
	return true
}

// Equal reports whether the values at p and at q would be the same in a key.
func (e *Encoding) Equal(p, q unsafe.Pointer) bool {
	for _, part := range e.parts {
		c := Comparison{part.kind, part.size, unsafe.Add(p, part.offset), unsafe.Add(q, part.offset)}
		if !c.same() {
			return false
		}
	}
	return true
}

func (c *Comparison) same() bool {
	switch c.kind {
	case bytePart:
		return *(*byte)(c.p) == *(*byte)(c.q)
	case halfPart:
		return *(*uint32)(c.p) == *(*uint32)(c.q)
	case wordPart:
		return *(*uint64)(c.p) == *(*uint64)(c.q)
	case bytesPart:
		return bytes.Equal(unsafe.Slice((*byte)(c.p), c.size), unsafe.Slice((*byte)(c.q), c.size))
	case stringPart:
		return *(*string)(c.p) == *(*string)(c.q)
	default: // funcPart
		return comptime.FuncID(c.p) == comptime.FuncID(c.q)
	}
}

// In is the address of a value of the encoding's type that is in an interface. It must
// not be written to.
func (e *Encoding) In(x *any) unsafe.Pointer { return gort.In(x, e.direct) }
