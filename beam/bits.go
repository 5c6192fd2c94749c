package qdbeam

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"unsafe"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
)

// Values that travel keep all their bits: those of unexported fields, of negative zeros and of NaNs, which JSON and gob
// lose. Numbers are little-endian, and int and uint have 64 bits.

var errShort = errors.New("qdbeam: an encoded value is too short")

// field is a field of a struct that can be set, whether it is exported or not. The struct is addressable.
func field(v reflect.Value, i int) reflect.Value {
	f := v.Field(i)
	return reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem()
}

// appendBits encodes an addressable value.
func appendBits(b []byte, v reflect.Value) ([]byte, error) {
	le := binary.LittleEndian
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return append(b, 1), nil
		}
		return append(b, 0), nil
	case reflect.Int8, reflect.Uint8, reflect.Int16, reflect.Uint16, reflect.Int32, reflect.Uint32,
		reflect.Int, reflect.Uint, reflect.Int64, reflect.Uint64:
		u := uint64(0)
		if v.CanInt() {
			u = uint64(v.Int())
		} else {
			u = v.Uint()
		}
		return append(b, le.AppendUint64(nil, u)[:width(v.Type())]...), nil
	case reflect.Float32:
		return le.AppendUint32(b, *(*uint32)(v.Addr().UnsafePointer())), nil
	case reflect.Float64:
		return le.AppendUint64(b, math.Float64bits(v.Float())), nil
	case reflect.Complex64:
		p := (*[2]uint32)(v.Addr().UnsafePointer())
		return le.AppendUint32(le.AppendUint32(b, p[0]), p[1]), nil
	case reflect.Complex128:
		c := v.Complex()
		return le.AppendUint64(le.AppendUint64(b, math.Float64bits(real(c))), math.Float64bits(imag(c))), nil
	case reflect.String:
		return append(le.AppendUint64(b, uint64(v.Len())), v.String()...), nil
	case reflect.Array:
		for i := range v.Len() {
			var err error
			if b, err = appendBits(b, v.Index(i)); err != nil {
				return nil, err
			}
		}
		return b, nil
	case reflect.Struct:
		for i := range v.NumField() {
			var err error
			if b, err = appendBits(b, field(v, i)); err != nil {
				return nil, err
			}
		}
		return b, nil
	case reflect.Func:
		k, err := key(v.Interface())
		if err == nil {
			_, err = lookup(k)
		}
		if err != nil {
			return nil, err
		}
		return append(le.AppendUint64(b, uint64(len(k))), k...), nil
	}
	return nil, fmt.Errorf("qdbeam: a %v does not travel: give numbers, bools, strings, registered functions, and arrays and structs of these", v.Type())
}

// width is the number of bytes of an encoded integer.
func width(t reflect.Type) int {
	if t.Kind() == reflect.Int || t.Kind() == reflect.Uint {
		return 8
	}
	return int(t.Size())
}

// readBits decodes a value that can be set, and gives the bytes after it.
func readBits(b []byte, v reflect.Value) ([]byte, error) {
	le := binary.LittleEndian
	n := 0
	switch v.Kind() {
	case reflect.Bool:
		n = 1
	case reflect.Int8, reflect.Uint8, reflect.Int16, reflect.Uint16, reflect.Int32, reflect.Uint32,
		reflect.Int, reflect.Uint, reflect.Int64, reflect.Uint64:
		n = width(v.Type())
	case reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		n = int(v.Type().Size())
	case reflect.String, reflect.Func:
		if len(b) < 8 {
			return nil, errShort
		}
		size := le.Uint64(b)
		b = b[8:]
		if size > uint64(len(b)) {
			return nil, errShort
		}
		n = int(size)
	case reflect.Array:
		for i := range v.Len() {
			var err error
			if b, err = readBits(b, v.Index(i)); err != nil {
				return nil, err
			}
		}
		return b, nil
	case reflect.Struct:
		for i := range v.NumField() {
			var err error
			if b, err = readBits(b, field(v, i)); err != nil {
				return nil, err
			}
		}
		return b, nil
	default:
		return nil, fmt.Errorf("qdbeam: a %v does not travel", v.Type())
	}
	if len(b) < n {
		return nil, errShort
	}
	word := func() uint64 {
		var w [8]byte
		copy(w[:], b[:n])
		return le.Uint64(w[:])
	}
	switch {
	case v.Kind() == reflect.Bool:
		v.SetBool(b[0] != 0)
	case v.CanInt():
		shift := 64 - 8*n
		v.SetInt(int64(word()<<shift) >> shift)
	case v.CanUint():
		v.SetUint(word())
	case v.Kind() == reflect.Float32:
		*(*uint32)(v.Addr().UnsafePointer()) = le.Uint32(b)
	case v.Kind() == reflect.Float64:
		v.SetFloat(math.Float64frombits(le.Uint64(b)))
	case v.Kind() == reflect.Complex64:
		*(*[2]uint32)(v.Addr().UnsafePointer()) = [2]uint32{le.Uint32(b), le.Uint32(b[4:])}
	case v.Kind() == reflect.Complex128:
		v.SetComplex(complex(math.Float64frombits(le.Uint64(b)), math.Float64frombits(le.Uint64(b[8:]))))
	case v.Kind() == reflect.String:
		v.SetString(string(b[:n]))
	case v.Kind() == reflect.Func:
		f, err := lookup(string(b[:n]))
		if err != nil {
			return nil, err
		}
		if reflect.TypeOf(f) != v.Type() {
			return nil, fmt.Errorf("qdbeam: %T is no %v", f, v.Type())
		}
		v.Set(reflect.ValueOf(f))
	}
	return b[n:], nil
}

// encodeElem is the coder of elements.
func encodeElem(x beam.T) ([]byte, error) {
	v := reflect.New(reflect.TypeOf(x)).Elem()
	v.Set(reflect.ValueOf(x))
	if solid(v.Type()) {
		return append([]byte(nil), memory(v)...), nil
	}
	return appendBits(make([]byte, 0, v.Type().Size()), v)
}

func decodeElem(t reflect.Type, b []byte) (beam.T, error) {
	v := reflect.New(t).Elem()
	if solid(t) {
		if len(b) != int(t.Size()) {
			return nil, errShort
		}
		copy(memory(v), b)
		return v.Interface(), nil
	}
	rest, err := readBits(b, v)
	if err == nil && len(rest) != 0 {
		err = fmt.Errorf("qdbeam: %d bytes after an encoded %v", len(rest), t)
	}
	return v.Interface(), err
}

// solid reports whether the memory of a value of a plain type is its encoding: an array of one number type, such as the
// pixels of a picture.
func solid(t reflect.Type) bool {
	for t.Kind() == reflect.Array {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.Uint8, reflect.Int16, reflect.Uint16, reflect.Int32, reflect.Uint32, reflect.Int64, reflect.Uint64, reflect.Float32, reflect.Float64, reflect.Int8:
		return binary.NativeEndian.Uint16([]byte{1, 0}) == 1
	}
	return false
}

// memory is the bytes of an addressable value.
func memory(v reflect.Value) []byte {
	return unsafe.Slice((*byte)(v.Addr().UnsafePointer()), v.Type().Size())
}
