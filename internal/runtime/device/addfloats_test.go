package device_test

import (
	"reflect"
	"testing"
	"unsafe"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/internal/runtime/device"
)

// mixedFloats has floats of all formats, and numbers that have no gradient.
type mixedFloats struct {
	n int32
	a float32
	b [2]float64
	c complex64
	h [2]qd.Float16
	k qd.BFloat16
	d inner
}

// bufferOver is a buffer over elements of the host.
func bufferOver[T any](host []T) *device.Buffer {
	b := &device.Buffer{Elem: reflect.TypeFor[T]()}
	return b.Over(unsafe.Pointer(unsafe.SliceData(host)), len(host))
}

// adds tells whether AddFloats makes a sum of elements.
func adds[T comparable](t *testing.T, x, y, want T) {
	t.Helper()
	to, from := []T{x, x, x}, []T{y, y, y}
	if err := bufferOver(to[:2]).AddFloats(bufferOver(from[:2])); err != nil {
		t.Fatal(err)
	}
	if to[0] != want || to[1] != want || to[2] != x || from[0] != y {
		t.Errorf("%v + %v is %v", x, y, to)
	}
}

func TestAddFloats(t *testing.T) {
	adds[float32](t, 1, 2, 3)
	adds[float64](t, 1, 2, 3)
	adds(t, vec3{1, 2, 3}, vec3{4, 5, 6}, vec3{5, 7, 9})
	adds[complex128](t, 1+2i, 3+4i, 4+6i)
	adds(t, qd.ToFloat16(1), qd.ToFloat16(2), qd.ToFloat16(3))
	adds[int32](t, 1, 2, 1)
	f, b := qd.ToFloat16, qd.ToBFloat16
	adds(t,
		mixedFloats{7, 1, [2]float64{2, 3}, 4 + 5i, [2]qd.Float16{f(6), f(7)}, b(8), inner{true, vec3{9}, 10}},
		mixedFloats{1, 1, [2]float64{2, 2}, 1 + 2i, [2]qd.Float16{f(1), f(2)}, b(3), inner{false, vec3{1, 1}, 2}},
		mixedFloats{7, 2, [2]float64{4, 5}, 5 + 7i, [2]qd.Float16{f(7), f(9)}, b(11), inner{true, vec3{10, 1}, 12}})
	adds[[0]float32](t, [0]float32{}, [0]float32{}, [0]float32{})
}

// TestAddFloatsInPlace tells that nothing is made for each element, nor a copy of all of them.
func TestAddFloatsInPlace(t *testing.T) {
	x, y := make([]mixedFloats, 1000), make([]mixedFloats, 1000)
	count := func(n int) float64 {
		to, from := bufferOver(x[:n]), bufferOver(y[:n])
		return testing.AllocsPerRun(10, func() {
			if err := to.AddFloats(from); err != nil {
				t.Fatal(err)
			}
		})
	}
	if one, many := count(1), count(1000); one != many {
		t.Errorf("%v allocations for one element, and %v for a thousand", one, many)
	}
}
