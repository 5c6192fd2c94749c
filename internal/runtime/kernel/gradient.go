package kernel

import (
	"reflect"
	"slices"
	"sync"

	"github.com/qdgen/qd/ssa/gradient"
)

// BackwardOf is what a backward kernel, or a tangent kernel, is made of.
type BackwardOf struct {
	Kernel    *Func // that it differentiates, which may be a tangent or a backward kernel itself
	Options   gradient.Options
	Gradients []int // the places, among the arguments of a launch of Kernel, of those that have a gradient, or a tangent
}

// Last is the last one of the derivatives that were taken.
func (b *BackwardOf) Last() string { return b.Options.Last() }

// gradients are what differentiates a kernel, by their options.
type gradients struct {
	mu sync.Mutex
	m  map[gradient.Options]*Func
}

// Steps are the derivatives that were taken of a kernel, and one more.
func (k *Func) Steps(more string) string {
	if k.Backward == nil {
		return more
	}
	return k.Backward.Options.All() + more
}

// Gradient is the backward kernel, or the tangent kernel if that is the last one of the steps: its parameters are those
// of the kernel, and then one for the gradient, or the tangent, of each of those that lead to floats.
func (k *Func) Gradient(o gradient.Options) *Func {
	k.gradients.mu.Lock()
	defer k.gradients.mu.Unlock()
	if g := k.gradients.m[o]; g != nil {
		return g
	}
	g := &Func{fn: k.fn, name: k.Name() + gradient.Suffix(o.Last()), Ref: k.Ref, Literal: k.Literal, receiver: k.receiver, First: k.First,
		Params: slices.Clone(k.Params), Args: slices.Clone(k.Args), Parts: slices.Clone(k.Parts), Consts: k.Consts, Backward: &BackwardOf{Kernel: k, Options: o}}
	for i, t := range k.Args {
		if HasGradient(t) && o.Last() != gradient.Check {
			g.Backward.Gradients = append(g.Backward.Gradients, i)
		}
	}
	for _, c := range k.Params {
		if ConstElem(c) == nil && HasGradient(c) && o.Last() != gradient.Check {
			g.addParam(c, HasGradient)
		}
	}
	if k.gradients.m == nil {
		k.gradients.m = make(map[gradient.Options]*Func)
	}
	k.gradients.m[o] = g
	return g
}

// Checks is the kernel that only does the checks of the one that a derivative was taken of first. Its parameters are
// those of that kernel.
func (k *Func) Checks() *Func {
	for k.Backward != nil {
		k = k.Backward.Kernel
	}
	return k.Gradient(gradient.Options{Steps: gradient.Check})
}

// WithArgs is the same kernel with more parameters that are passed at run time.
func (k *Func) WithArgs(more ...reflect.Type) *Func {
	g := &Func{fn: k.fn, name: k.Name(), Ref: k.Ref, Literal: k.Literal, receiver: k.receiver, First: k.First,
		Params: slices.Clone(k.Params), Args: slices.Clone(k.Args), Parts: slices.Clone(k.Parts), Consts: k.Consts, Backward: k.Backward}
	for _, t := range more {
		g.addParam(t, nil)
	}
	return g
}

// HasGradient reports whether a parameter of the type leads to floats in memory, as package gradient does for the types
// of the SSA.
func HasGradient(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Slice:
		return HasFloats(t.Elem())
	case reflect.Array:
		return t.Len() > 0 && HasGradient(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if HasGradient(t.Field(i).Type) {
				return true
			}
		}
	}
	return false
}

// HasFloats reports whether values of the type hold a float, of any size, that is not behind an address.
func HasFloats(t reflect.Type) bool {
	return holds(t, func(t reflect.Type) bool { return isFloat(t) || isHalf(t) })
}

func isFloat(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		return true
	}
	return false
}

func isHalf(t reflect.Type) bool { return IsQD(t, "Float16") || IsQD(t, "BFloat16") }

// holds reports whether values of the type have one in them of which f holds.
func holds(t reflect.Type, f func(reflect.Type) bool) bool {
	if f(t) {
		return true
	}
	switch t.Kind() {
	case reflect.Array:
		return t.Len() > 0 && holds(t.Elem(), f)
	case reflect.Struct:
		for i := range t.NumField() {
			if holds(t.Field(i).Type, f) {
				return true
			}
		}
	}
	return false
}

// EachFloat calls f for each float32 and float64 in a value of a type that lies at an offset.
func EachFloat(t reflect.Type, at uintptr, f func(offset uintptr, bits int)) {
	switch t.Kind() {
	case reflect.Float32, reflect.Float64:
		f(at, t.Bits())
	case reflect.Complex64, reflect.Complex128: // two floats
		f(at, t.Bits()/2)
		f(at+t.Size()/2, t.Bits()/2)
	case reflect.Array:
		for i := range t.Len() {
			EachFloat(t.Elem(), at+uintptr(i)*t.Elem().Size(), f)
		}
	case reflect.Struct:
		for i := range t.NumField() {
			EachFloat(t.Field(i).Type, at+t.Field(i).Offset, f)
		}
	}
}
