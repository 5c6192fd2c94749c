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
			if !errors.As(err, &le) || le.Kernel != "scale.kernel" || !strings.Contains(err.Error(), "a method cannot be a kernel") {
				t.Errorf("a method: %v", err)
			}
			err = dev.Launch(func(t qd.Thread, x []float32) { x[t.ID()] *= by }, qd.Dim(1), x)
			var ds *qd.Diagnostics
			if !errors.As(err, &ds) || !strings.Contains(err.Error(), "function literal") {
				t.Errorf("a function literal: %v", err)
			}
			if x[0] != 1 {
				t.Errorf("it has run: %v", x)
			}
		}
	})
}
