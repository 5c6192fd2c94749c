package qd

import "reflect"

// viewParam is a view of any number of dimensions and element type: what a launch
// must know of the type of a parameter.
type viewParam interface {
	rank() int
	self() reflect.Type
	elem() reflect.Type
	// over is the view of that type of an array's elements, a []T.
	over(elems any, shape []int) any
}

// viewOf tells whether a type is that of views: nil if it is not. A struct that embeds
// a view has its methods, and is none.
func viewOf(t reflect.Type) viewParam {
	if t.Kind() != reflect.Struct {
		return nil
	}
	if v, ok := reflect.Zero(t).Interface().(viewParam); ok && v.self() == t {
		return v
	}
	return nil
}

func (View2[T]) rank() int { return 2 }
func (View3[T]) rank() int { return 3 }
func (View4[T]) rank() int { return 4 }

func (View2[T]) self() reflect.Type { return reflect.TypeFor[View2[T]]() }
func (View3[T]) self() reflect.Type { return reflect.TypeFor[View3[T]]() }
func (View4[T]) self() reflect.Type { return reflect.TypeFor[View4[T]]() }

func (View2[T]) elem() reflect.Type { return reflect.TypeFor[T]() }
func (View3[T]) elem() reflect.Type { return reflect.TypeFor[T]() }
func (View4[T]) elem() reflect.Type { return reflect.TypeFor[T]() }

func (View2[T]) over(elems any, shape []int) any {
	return ViewOf2(elems.([]T), shape[0], shape[1])
}

func (View3[T]) over(elems any, shape []int) any {
	return ViewOf3(elems.([]T), shape[0], shape[1], shape[2])
}

func (View4[T]) over(elems any, shape []int) any {
	return ViewOf4(elems.([]T), shape[0], shape[1], shape[2], shape[3])
}
