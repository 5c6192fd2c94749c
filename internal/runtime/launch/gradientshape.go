package launch

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/qdgen/qd/internal/runtime/device"
	"github.com/qdgen/qd/internal/runtime/kernel"
)

// This file checks that each gradient lies in memory in the same way as its argument: a backward kernel finds a place
// in the gradient by the lengths, sizes and strides of the argument.

// checkShapes checks the gradients, or tangents, among the arguments of a backward kernel, or a tangent kernel.
func (k *Kernel) checkShapes(checked []any, what string) error {
	b := k.Backward
	for i, of := range b.Gradients {
		own := shapesOf(k.Args[of], checked[of])
		at := len(b.Kernel.Args) + i
		for n, g := range shapesOf(k.Args[at], checked[at]) {
			param := k.Parts[of].Where()
			subject, verb := "the "+what+" of "+param+" has ", "has "
			if len(own) > 1 {
				subject, verb = fmt.Sprintf("slice %d of the %s of %s has ", n+1, what, param), "has, there, "
			}
			if !slices.Equal(g.sizes, own[n].sizes) {
				return k.WrongArg(k.Parts[at].Param, fmt.Sprintf("%s%v, but %s itself %s%v; make it of the same size", subject, g, param, verb, own[n]))
			}
			if !g.sameStrides(own[n]) {
				return k.WrongArg(k.Parts[at].Param, fmt.Sprintf("%sthe strides %v, but %s itself %s%v; take the same view of a slice or an array for the %s", subject, g.strides, param, verb, own[n].strides, what))
			}
		}
	}
	return nil
}

// A shape has the number of elements of a slice, or for a view the number along each dimension and the distance between
// them.
type shape struct{ sizes, strides []int }

func (s shape) String() string {
	if len(s.sizes) == 1 {
		return fmt.Sprintf("%d elements", s.sizes[0])
	}
	return fmt.Sprintf("the sizes %v", s.sizes)
}

// sameStrides reports whether two shapes of the same sizes have their elements at the same places.
func (s shape) sameStrides(t shape) bool {
	if slices.Contains(s.sizes, 0) {
		return true
	}
	for i, n := range s.sizes {
		if n > 1 && s.strides[i] != t.strides[i] {
			return false
		}
	}
	return true
}

// shapesOf are the shapes of the slices and views of floats in an argument.
func shapesOf(param reflect.Type, arg any) (list []shape) {
	if b, ok := arg.(*device.Buffer); ok {
		if rank, _ := kernel.ViewOf(param); rank == 0 {
			return []shape{{[]int{b.N}, []int{1}}}
		}
		s := shape{b.Shape, make([]int, len(b.Shape))}
		for i, step := len(b.Shape)-1, 1; i >= 0; i-- {
			s.strides[i] = step
			step *= b.Shape[i]
		}
		return []shape{s}
	}
	return appendShapes(nil, reflect.ValueOf(arg))
}

func appendShapes(list []shape, v reflect.Value) []shape {
	if !kernel.HasGradient(v.Type()) {
		return list
	}
	switch v.Kind() {
	case reflect.Slice:
		return append(list, shape{[]int{v.Len()}, []int{1}})
	case reflect.Array:
		for i := range v.Len() {
			list = appendShapes(list, v.Index(i))
		}
	case reflect.Struct:
		if rank, _ := kernel.ViewOf(v.Type()); rank > 0 { // its fields are the slice, the sizes and the strides
			var s shape
			for i := range rank {
				s.sizes = append(s.sizes, int(v.Field(1+i).Int()))
				s.strides = append(s.strides, int(v.Field(1+rank+i).Int()))
			}
			return append(list, s)
		}
		for i := range v.NumField() {
			list = appendShapes(list, v.Field(i))
		}
	}
	return list
}
