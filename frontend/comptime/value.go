package comptime

import (
	"encoding/binary"
	"math"
	"strconv"
	"strings"

	"github.com/qdgen/qd/frontend/load"
)

// A Kind is the underlying kind of a value.
type Kind uint8

// The kinds of values.
const (
	Invalid   Kind = iota
	Bool           // Bits is 0 or 1
	Int            // of any signed type; Bits is sign-extended
	Uint           // of any unsigned type
	Float32        // Bits are those of the float32
	Float64        // Bits are those of the float64
	String         // Str
	Array          // Elems
	Struct         // Elems are the fields, blank ones too; the two parts of a complex number
	Func           // Func, nil for a nil function; Elems are what it holds: the values of what a literal captures, in the order of Func.Captures, or the receiver of a method value
	Slice          // Elems; Bits is 0 for nil, 1 for one that is as long as its capacity, 2 for other package variables; known as a whole, for compile-time code and package variables only
	Map            // Elems are keys and values in turn, sorted by the keys' encoding
	Zero           // the zero value of any type: what memory holds at first, in the front end only
	Interface      // a value of an interface type; nil, or in the front end only
	Pointer        // Elems is what it points to, none for nil; of package variables only
)

// A Value is a Go value that is known at compile time.
type Value struct {
	Kind  Kind
	Type  string // as package reflect knows it, with import paths: "int", "main.Op", "[3]float32"
	Bits  uint64
	Str   string
	Elems []Value
	Func  *load.Ref
}

// Append appends the value to a key: equal bytes mean equal values of equal types.
func (v Value) Append(key []byte) []byte {
	key = append(key, byte(v.Kind))
	key = appendString(key, v.Type)
	switch v.Kind {
	case Bool, Int, Uint, Float32, Float64:
		key = binary.LittleEndian.AppendUint64(key, v.Bits)
	case String:
		key = appendString(key, v.Str)
	case Slice:
		key = appendElems(append(key, byte(v.Bits)), v.Elems)
	case Array, Struct, Map, Pointer:
		key = appendElems(key, v.Elems)
	case Func:
		if v.Func == nil {
			return append(key, 0)
		}
		key = append(key, 1)
		for _, s := range []string{v.Func.Pkg, v.Func.Name, v.Func.File, v.Func.Params, v.Func.Captures} {
			key = appendString(key, s)
		}
		key = binary.AppendUvarint(key, uint64(v.Func.Line))
		key = binary.AppendUvarint(key, uint64(v.Func.Col))
		key = appendElems(key, v.Elems)
	}
	return key
}

func appendElems(key []byte, elems []Value) []byte {
	key = binary.AppendUvarint(key, uint64(len(elems)))
	for _, e := range elems {
		key = e.Append(key)
	}
	return key
}

func appendString(key []byte, s string) []byte {
	return append(binary.AppendUvarint(key, uint64(len(s))), s...)
}

// String is the value in Go's notation, with package names instead of import paths,
// as messages and logs show it.
func (v Value) String() string {
	switch v.Kind {
	case Bool:
		return strconv.FormatBool(v.Bits != 0)
	case Int:
		return strconv.FormatInt(int64(v.Bits), 10)
	case Uint:
		return strconv.FormatUint(v.Bits, 10)
	case Float32:
		return strconv.FormatFloat(float64(math.Float32frombits(uint32(v.Bits))), 'g', -1, 32)
	case Float64:
		return strconv.FormatFloat(math.Float64frombits(v.Bits), 'g', -1, 64)
	case String:
		return strconv.Quote(v.Str)
	case Func:
		if v.Func == nil {
			return "nil"
		}
		return v.funcString()
	case Array, Struct, Slice:
		return ShortType(v.Type) + "{" + list(v.Elems) + "}"
	case Interface:
		return "nil"
	case Pointer:
		if len(v.Elems) == 0 {
			return "nil"
		}
		return "&" + v.Elems[0].String()
	case Map:
		var pairs []string
		for i := 0; i+1 < len(v.Elems); i += 2 {
			pairs = append(pairs, v.Elems[i].String()+": "+v.Elems[i+1].String())
		}
		return ShortType(v.Type) + "{" + strings.Join(pairs, ", ") + "}"
	}
	return "(no value)"
}

func list(vs []Value) string {
	parts := make([]string, len(vs))
	for i, v := range vs {
		parts[i] = v.String()
	}
	return strings.Join(parts, ", ")
}

// funcString is a function's name, with what it holds.
func (v Value) funcString() string {
	switch {
	case len(v.Elems) == 0:
		return v.Func.Name
	case v.Func.Captures == "":
		return v.Elems[0].String() + "." + v.Func.Name[strings.LastIndexByte(v.Func.Name, '.')+1:]
	}
	parts := make([]string, 0, len(v.Elems))
	for line := range strings.Lines(v.Func.Captures) {
		name, _, _ := strings.Cut(line, " ")
		if i := len(parts); i < len(v.Elems) {
			parts = append(parts, name+": "+v.Elems[i].String())
		}
	}
	return v.Func.Name + "{" + strings.Join(parts, ", ") + "}"
}

// ShortType is a type's name with package names in the place of import paths:
// "[]example.com/mod/ops.Op" is "[]ops.Op".
func ShortType(name string) string {
	var b strings.Builder
	start := 0 // of the path that may be running
	for i := 0; i < len(name); i++ {
		switch name[i] {
		case '/':
			start = i + 1
		case '[', ']', '*', ',', ' ', '{', '}', '(', ')', ';':
			b.WriteString(name[start : i+1])
			start = i + 1
		}
	}
	b.WriteString(name[start:])
	return b.String()
}
