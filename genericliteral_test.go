//go:build !race

package qd_test

import (
	"slices"
	"testing"

	"github.com/qdgen/qd"
)

// The Go compiler inlines these generic functions into one another. The literals of the first ones are then named after the
// last ones only.

func addOneOf[T qd.Number]() *qd.Kernel {
	return qd.NewKernel(func(t qd.Thread, x []T) { x[t.ID()]++ })
}

func addOneIn[T qd.Number]() *qd.Kernel { return addOneOf[T]() }

func doubleOf[T qd.Number]() func(T) T { return func(x T) T { return x + x } }

func doubleIn[T qd.Number]() func(T) T { return doubleOf[T]() }

type doubling[T any] interface{ double(T) T }

func applyOf[T any, D doubling[T]](d D) *qd.Kernel {
	return qd.NewKernel(func(t qd.Thread, x []T) { x[t.ID()] = d.double(x[t.ID()]) }, qd.Capture("d", d))
}

func applyIn[T any, D doubling[T]](d D) *qd.Kernel { return applyOf[T](d) }

type byAdding struct{ more int32 }

func (d byAdding) double(x int32) int32 { return x + x + d.more }

//qd:kernel
func mappedOf[T any](t qd.Thread, f qd.Const[func(T) T], x []T) { x[t.ID()] = f.V(x[t.ID()]) }

func TestGenericLiteralInGeneric(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x := []int32{1, 2}
		for _, step := range []struct {
			launch func() error
			want   []int32
		}{
			{func() error { return dev.Launch(addOneIn[int32](), qd.Dim(2), x) }, []int32{2, 3}},
			{func() error { return dev.Launch(mappedOf[int32], qd.Dim(2), qd.C(doubleIn[int32]()), x) }, []int32{4, 6}},
			{func() error { return dev.Launch(applyIn[int32](byAdding{1}), qd.Dim(2), x) }, []int32{9, 13}},
		} {
			if err := step.launch(); err != nil || !slices.Equal(x, step.want) {
				t.Fatalf("%v, %v, want %v", x, err, step.want)
			}
		}
	})
}
