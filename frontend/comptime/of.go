package comptime

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"sort"
	"strings"
	"unsafe"
)

// MaxValues is how many values there may be in one: numbers, strings, functions, and what else has no values in it. What
// is larger is data, and belongs into an argument.
const MaxValues = 1 << 16

const maxNested = 100 // slices and maps in one another, which may be in themselves

// Of gives the value that a running program has, exactly: unexported and blank fields, and all
// the bits of a NaN, are in it. Slices and maps are copied as a whole, and pointers with what they point to, where the
// caller allows those kinds, and so are nil interfaces; they are errors otherwise, as is what no kernel can hold:
// channels, other interfaces, functions that are more than a declared
// one or a literal. The error says what to do instead.
//
// The value must not have been got by way of an unexported field.
func Of(v reflect.Value, allowed ...Kind) (Value, error) {
	if !v.IsValid() {
		return Value{}, fmt.Errorf("nil has no type; convert it to one")
	}
	o := taker{allowed: allowed}
	out, err := o.take(addressable(v))
	if errors.Is(err, errTooMany) {
		err = TooMany(v.Type())
	}
	return out, err
}

// errTooMany ends Of, which says it in words that name the whole type.
var errTooMany = errors.New("too many values")

// TooMany is the error of a value of a type, or of the type, with more values in it than a kernel can have.
func TooMany(t reflect.Type) error {
	return fmt.Errorf("a value of type %v has more than %d values in it, too many for the code of a kernel; pass a slice as an argument instead", t, MaxValues)
}

// addressable is a value that reflect gives the address of: floats are read from
// memory, since converting a NaN may change it.
func addressable(v reflect.Value) reflect.Value {
	if v.CanAddr() {
		return v
	}
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	return c
}

// taker is the state of one Of.
type taker struct {
	allowed []Kind
	values  int
	depth   int
}

// take gives the value at an address.
func (o *taker) take(v reflect.Value) (Value, error) {
	t := v.Type()
	if hasNone(v) {
		if o.values++; o.values > MaxValues {
			return Value{}, errTooMany
		}
	}
	if o.depth++; o.depth > maxNested {
		return Value{}, fmt.Errorf("it is nested more than %d deep", maxNested)
	}
	defer func() { o.depth-- }()
	out := Value{Type: TypeName(t)}
	switch v.Kind() {
	case reflect.Bool:
		out.Kind = Bool
		if v.Bool() {
			out.Bits = 1
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		out.Kind, out.Bits = Int, uint64(v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		out.Kind, out.Bits = Uint, v.Uint()
	case reflect.Float32:
		out.Kind, out.Bits = Float32, uint64(*(*uint32)(v.Addr().UnsafePointer()))
	case reflect.Float64:
		out.Kind, out.Bits = Float64, math.Float64bits(*(*float64)(v.Addr().UnsafePointer()))
	case reflect.Complex64, reflect.Complex128:
		out.Kind = Struct
		for i := range 2 {
			e, err := o.take(complexPart(v, i))
			if err != nil {
				return Value{}, err
			}
			out.Elems = append(out.Elems, e)
		}
	case reflect.String:
		out.Kind, out.Str = String, v.String()
	case reflect.Array:
		out.Kind = Array
		return o.elements(out, v)
	case reflect.Slice:
		out.Kind = Slice
		if !slices.Contains(o.allowed, Slice) {
			return Value{}, Unsupported(v.Kind(), t.String())
		}
		if !v.IsNil() {
			out.Bits = 1
		}
		if v.Cap() > v.Len() && slices.Contains(o.allowed, Pointer) {
			out.Bits = 2
		}
		return o.elements(out, v)
	case reflect.Pointer:
		out.Kind = Pointer
		if !slices.Contains(o.allowed, Pointer) {
			return Value{}, Unsupported(v.Kind(), t.String())
		}
		if v.IsNil() {
			return out, nil
		}
		to, err := o.take(v.Elem())
		if err != nil {
			return Value{}, within(err, "what it points to")
		}
		out.Elems = []Value{to}
	case reflect.Struct:
		out.Kind = Struct
		return o.fields(out, v)
	case reflect.Map:
		out.Kind = Map
		if !slices.Contains(o.allowed, Map) {
			return Value{}, Unsupported(v.Kind(), t.String())
		}
		return o.pairs(out, v)
	case reflect.Func:
		out.Kind = Func
		if v.IsNil() {
			return out, nil
		}
		if err := out.takeFunc(v); err != nil {
			return Value{}, err
		}
	case reflect.Interface:
		out.Kind = Interface
		if !v.IsNil() || !slices.Contains(o.allowed, Interface) {
			return Value{}, Unsupported(v.Kind(), t.String())
		}
	default:
		return Value{}, Unsupported(v.Kind(), t.String())
	}
	return out, nil
}

// hasNone reports whether there are no other values in a value, so that it counts as one.
func hasNone(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Slice, reflect.Map:
		return v.Len() == 0
	case reflect.Struct:
		return v.NumField() == 0
	case reflect.Pointer:
		return v.IsNil()
	case reflect.Complex64, reflect.Complex128:
		return false
	}
	return true
}

// Unsupported is the error of a value of a type that compile-time values do not have, which is written as typ.
func Unsupported(kind reflect.Kind, typ string) error {
	switch kind {
	case reflect.Slice:
		return fmt.Errorf("a slice (%s) cannot be a compile-time value; use an array, or pass it as an argument", typ)
	case reflect.Map:
		return fmt.Errorf("a map (%s) cannot be a compile-time value; an element of it can: qd.Static(m[key])", typ)
	case reflect.Pointer, reflect.UnsafePointer:
		return fmt.Errorf("a pointer (%s) cannot be a compile-time value, because the value that it points to may change; use the value itself, or pass it as an argument", typ)
	case reflect.Interface:
		return fmt.Errorf("an interface (%s) cannot be a compile-time value; use a type parameter or a function", typ)
	}
	return fmt.Errorf("a value of type %s cannot be a compile-time value; use numbers, bools, strings, functions, and arrays and structs of these", typ)
}

// takeFunc takes an addressable function with what it holds.
func (v *Value) takeFunc(f reflect.Value) error {
	ref, err := RefOf(f)
	held := closureAt(f.Addr().UnsafePointer())
	var bound *MethodValueError
	switch {
	case held != nil && held.err != nil:
		return held.err
	case held != nil && errors.As(err, &bound):
		method := bound.Method[strings.LastIndexByte(bound.Method, '.')+1:]
		ref.Name = strings.TrimPrefix(held.values[0].Type, ref.Pkg+".") + "." + method
	case err != nil:
		return err
	}
	v.Func = &ref
	if held != nil {
		ref.Captures, v.Elems = held.captures, held.values
	}
	keep(*v, f)
	return nil
}

// complexPart is the real part of an addressable complex number, or its imaginary part, as an addressable float.
func complexPart(v reflect.Value, i int) reflect.Value {
	part := reflect.TypeFor[float64]()
	if v.Kind() == reflect.Complex64 {
		part = reflect.TypeFor[float32]()
	}
	return reflect.NewAt(part, unsafe.Add(v.Addr().UnsafePointer(), uintptr(i)*part.Size())).Elem()
}

// elements takes the elements of an array or a slice.
func (o *taker) elements(out Value, v reflect.Value) (Value, error) {
	if v.Len() > MaxValues {
		return Value{}, errTooMany // before memory is made for them
	}
	out.Elems = make([]Value, 0, v.Len())
	for i := range v.Len() {
		e, err := o.take(v.Index(i))
		if err != nil {
			return Value{}, within(err, "element %d", i)
		}
		out.Elems = append(out.Elems, e)
	}
	return out, nil
}

// fields takes the fields of a struct.
func (o *taker) fields(out Value, v reflect.Value) (Value, error) {
	for i := range v.NumField() {
		f := v.Field(i)
		// So that it may be used although it is not exported.
		e, err := o.take(reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem())
		if err != nil {
			return Value{}, within(err, "field %s", v.Type().Field(i).Name)
		}
		out.Elems = append(out.Elems, e)
	}
	return out, nil
}

// pairs takes the keys and the values of a map.
func (o *taker) pairs(out Value, v reflect.Value) (Value, error) {
	type pair struct {
		sort       []byte
		key, value Value
	}
	var all []pair
	for iter := v.MapRange(); iter.Next(); {
		key, err := o.take(addressable(iter.Key()))
		if err != nil {
			return Value{}, within(err, "a key")
		}
		value, err := o.take(addressable(iter.Value()))
		if err != nil {
			return Value{}, within(err, "the value of key %v", key)
		}
		all = append(all, pair{value.Append(key.Append(nil)), key, value})
	}
	sort.Slice(all, func(i, j int) bool { return bytes.Compare(all[i].sort, all[j].sort) < 0 })
	for _, p := range all {
		out.Elems = append(out.Elems, p.key, p.value)
	}
	return out, nil
}

// within says of which part of a value an error is.
func within(err error, format string, args ...any) error {
	if err == errTooMany { // of the whole
		return err
	}
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), err)
}
