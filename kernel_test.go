//go:build !race

package qd_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/qdgen/qd"
)

type scale struct{ by float32 }

//qd:kernel
func (s scale) kernel(t qd.Thread, x []float32) { x[t.ID()] *= s.by }

// Functions that capture something are refused on every device: devices that
// compile could not know it.
func TestCapturesAreNoKernels(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		for _, by := range []float32{2, 3} {
			x := []float32{1}
			err := dev.Launch(scale{by}.kernel, qd.Dim(1), x)
			var le *qd.LaunchError
			if !errors.As(err, &le) || le.Kernel != "scale.kernel" || !strings.Contains(err.Error(), "it is a method value") {
				t.Errorf("a method: %v", err)
			}
			err = dev.Launch(func(t qd.Thread, x []float32) { x[t.ID()] *= by }, qd.Dim(1), x)
			var ds *qd.Diagnostics
			if !errors.As(err, &ds) || !strings.Contains(err.Error(), "the kernel captures by") {
				t.Errorf("a function literal: %v", err)
			}
			if x[0] != 1 {
				t.Errorf("it has run: %v", x)
			}
		}
	})
}

var tripled = func(t qd.Thread, x []float32) { x[t.ID()] *= 3 }

// A function literal that captures nothing is a kernel like any function.
func TestLiteralKernels(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x := []float32{1, 2}
		for _, k := range []any{
			tripled,
			func(t qd.Thread, x []float32) {
				add := func(a float32) float32 { return a + bias }
				x[t.ID()] = add(x[t.ID()])
			},
			qd.NewKernel(func(t qd.Thread, x []float32) { x[t.ID()] /= 2 }),
		} {
			if err := dev.Launch(k, qd.Dim(2), x); err != nil {
				t.Fatal(err)
			}
		}
		err := dev.Run(func(g qd.Grid, x []float32) {
			g.For(len(x), func(i int) { x[i]++ })
		}, x)
		if err != nil || x[0] != 3 || x[1] != 4.5 {
			t.Error(x, err)
		}
	})
}

const bias = 1
