package comptime

import (
	"fmt"
	"reflect"
	"unsafe"
)

// As gives the Go value of a type that a value stands for: what Of was given. A function
// can be had if Of has once taken it.
func (v Value) As(t reflect.Type) (reflect.Value, error) {
	out := reflect.New(t).Elem()
	if err := v.put(out); err != nil {
		return reflect.Value{}, err
	}
	return out, nil
}

// put writes the value to an address.
func (v Value) put(out reflect.Value) error {
	t := out.Type()
	wrong := fmt.Errorf("%v of type %s is no %v", v, ShortType(v.Type), t)
	switch v.Kind {
	case Bool:
		if t.Kind() != reflect.Bool {
			return wrong
		}
		out.SetBool(v.Bits != 0)
	case Int:
		if !out.CanInt() || out.OverflowInt(int64(v.Bits)) {
			return wrong
		}
		out.SetInt(int64(v.Bits))
	case Uint:
		if !out.CanUint() || out.OverflowUint(v.Bits) {
			return wrong
		}
		out.SetUint(v.Bits)
	case Float32:
		if t.Kind() != reflect.Float32 {
			return wrong
		}
		*(*uint32)(out.Addr().UnsafePointer()) = uint32(v.Bits)
	case Float64:
		if t.Kind() != reflect.Float64 {
			return wrong
		}
		*(*uint64)(out.Addr().UnsafePointer()) = v.Bits
	case String:
		if t.Kind() != reflect.String {
			return wrong
		}
		out.SetString(v.Str)
	case Array, Struct, Slice:
		return v.putParts(out, wrong)
	case Map:
		if t.Kind() != reflect.Map {
			return wrong
		}
		return v.putPairs(out)
	case Func:
		if t.Kind() != reflect.Func {
			return wrong
		}
		return v.putFunc(out)
	default:
		return wrong
	}
	return nil
}

// putParts writes the elements or fields of a value.
func (v Value) putParts(out reflect.Value, wrong error) error {
	part := out.Index
	switch {
	case v.Kind == Slice && out.Kind() == reflect.Slice:
		out.Set(reflect.MakeSlice(out.Type(), len(v.Elems), len(v.Elems)))
	case v.Kind == Array && out.Kind() == reflect.Array && out.Len() == len(v.Elems):
	case v.Kind == Struct && out.Kind() == reflect.Struct && out.NumField() == len(v.Elems):
		part = func(i int) reflect.Value { // also of one that is not exported
			f := out.Field(i)
			return reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem()
		}
	case v.Kind == Struct && out.CanComplex() && len(v.Elems) == 2:
		part = func(i int) reflect.Value { return complexPart(out, i) }
	default:
		return wrong
	}
	for i, e := range v.Elems {
		if err := e.put(part(i)); err != nil {
			return err
		}
	}
	return nil
}

// putPairs writes a map.
func (v Value) putPairs(out reflect.Value) error {
	t := out.Type()
	out.Set(reflect.MakeMap(t))
	for i := 0; i+1 < len(v.Elems); i += 2 {
		key, err := v.Elems[i].As(t.Key())
		if err != nil {
			return err
		}
		value, err := v.Elems[i+1].As(t.Elem())
		if err != nil {
			return err
		}
		out.SetMapIndex(key, value)
	}
	return nil
}

// putFunc writes a function.
func (v Value) putFunc(out reflect.Value) error {
	if v.Func == nil {
		return nil
	}
	f, err := find(v, out.Type())
	if err != nil {
		return err
	}
	out.Set(f)
	return nil
}
