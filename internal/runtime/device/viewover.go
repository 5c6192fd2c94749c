package device

import "reflect"

// viewOver is the view, of a type, of all elements of a slice, which has this shape. A view has the slice, then
// the size along each dimension, then the distances of elements along each.
func viewOver(t reflect.Type, elems reflect.Value, shape []int) reflect.Value {
	v := reflect.New(t).Elem()
	set := func(i int, x reflect.Value) {
		f := v.Field(i) // which is not exported
		reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem().Set(x)
	}
	set(0, elems)
	stride := 1
	for axis := len(shape) - 1; axis >= 0; axis-- {
		set(1+axis, reflect.ValueOf(shape[axis]))
		set(1+len(shape)+axis, reflect.ValueOf(stride))
		stride *= shape[axis]
	}
	return v
}
