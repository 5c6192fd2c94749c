//go:build !race

package qd_test

import (
	"testing"

	"github.com/qdgen/qd"
)

//qd:kernel
func storedScale[T qd.Storage](t qd.Thread, a float32, x []T) {
	i := t.ID()
	x[i] = qd.From32[T](a * qd.To32(x[i]))
}

// testStorage launches the kernel for a type and compares with what Go gives.
func testStorage[T qd.Storage](t *testing.T, dev *qd.Device) {
	t.Helper()
	numbers := []float32{0, 1, -2.5, 0.1, 3e-5, 1e-7, 65000, 1e30}
	x := make([]T, len(numbers))
	for i, v := range numbers {
		x[i] = qd.From32[T](v)
	}
	if err := dev.Launch(storedScale[T], qd.Dim(len(x)), 3, x); err != nil {
		t.Error(err)
	}
	for i, v := range numbers {
		if want := qd.From32[T](3 * qd.To32(qd.From32[T](v))); x[i] != want {
			t.Errorf("%T: 3 * %v is %v, want %v", want, v, qd.To32(x[i]), qd.To32(want))
		}
	}
}

// TestStorage launches a kernel for all the types that float32s are stored as.
func TestStorage(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		testStorage[float32](t, dev)
		testStorage[qd.Float16](t, dev)
		testStorage[qd.BFloat16](t, dev)
	})
	if x := float32(0.1); qd.To32(qd.From32[float32](x)) != x || qd.From32[qd.Float16](x) != qd.ToFloat16(x) || qd.From32[qd.BFloat16](x) != qd.ToBFloat16(x) || qd.To32(qd.ToFloat16(x)) != qd.ToFloat16(x).Float32() {
		t.Error("conversions of 0.1")
	}
	if n := testing.AllocsPerRun(100, func() {
		sinkFloat = qd.To32(qd.From32[qd.BFloat16](sinkFloat)) + qd.To32(qd.From32[float32](sinkFloat))
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

var sinkFloat float32 = 1.5
