package qdbeam

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/internal/runtime/device"
)

var (
	threadType = reflect.TypeFor[qd.Thread]()
	blockType  = reflect.TypeFor[qd.Block]()
	gridType   = reflect.TypeFor[qd.Grid]()
	qdPath     = threadType.PkgPath()
)

// A shape is what a kernel's parameters say.
type shape struct {
	speaks  reflect.Type   // Thread, Block or Grid
	params  []reflect.Type // those that Args gives
	in, out reflect.Type   // the elements
}

// isKernel reports whether a function looks like a kernel.
func isKernel(t reflect.Type) bool {
	if t.Kind() != reflect.Func || t.NumIn() == 0 || t.NumOut() != 0 || t.IsVariadic() {
		return false
	}
	return t.In(0) == threadType || t.In(0) == blockType || t.In(0) == gridType
}

// shapeOf is the shape of a kernel whose last parameters are slices: those before the
// elements and the results, and these two.
func shapeOf(t reflect.Type, before ...reflect.Type) (*shape, error) {
	want := make([]string, 0, 3)
	for _, b := range before {
		want = append(want, b.String())
	}
	want = append(want, "[]In", "[]Out")
	fail := func() (*shape, error) {
		return nil, fmt.Errorf("it is a %v; want a kernel func(t qd.Thread, ..., %s)", t, strings.Join(want, ", "))
	}
	if !isKernel(t) || t.NumIn() < 3+len(before) {
		return fail()
	}
	first := t.NumIn() - 2 - len(before)
	sh := &shape{speaks: t.In(0)}
	for i := 1; i < first; i++ {
		sh.params = append(sh.params, t.In(i))
	}
	for i, b := range before {
		if t.In(first+i) != b {
			return fail()
		}
	}
	in, out := t.In(t.NumIn()-2), t.In(t.NumIn()-1)
	if in.Kind() != reflect.Slice || out.Kind() != reflect.Slice {
		return fail()
	}
	sh.in, sh.out = in.Elem(), out.Elem()
	for _, e := range []reflect.Type{sh.in, sh.out} {
		if !device.ValidElem(e) {
			return nil, fmt.Errorf("%v is no type of a kernel's elements: they are numbers, bools, and arrays and structs of these", e)
		}
		if e.PkgPath() == "" && (e.Kind() == reflect.Array || e.Kind() == reflect.Struct) {
			return nil, fmt.Errorf("%v has no name, by which workers find the type of an element; declare a type", e)
		}
	}
	return sh, nil
}

// isConst reports whether a parameter is known when the kernel is compiled.
func isConst(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t.PkgPath() == qdPath && strings.HasPrefix(t.Name(), "Const[")
}
