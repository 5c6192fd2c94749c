package qd_test

import (
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/internal/build"
)

// A kernel is lowered once more only where it matters what it reads for its checks alone: not for arrays without a
// gradient, nor where one of those with a gradient is written.
func TestTapeLooksAtKernels(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		dev = dev.Checked()
		// A kernel of its own, which no test before has looked at.
		k := func(t qd.Thread, x, y []float64) {
			i := t.ID()
			if x[i] > 0 && x[i+1] > 0 {
			}
			y[i] *= 3
		}
		x, y := qd.From(dev, []float64{1, 1, 1}), qd.From(dev, []float64{1, 2})
		must(t, dev.Launch(k, qd.Dim(2), x, y), dev.Wait())
		lowered := func(x, y *qd.Array[float64]) int64 {
			before := build.Count.Lowered.Load()
			must(t, qd.NewTape(dev).Launch(k, qd.Dim(2), x, y), dev.Wait())
			return build.Count.Lowered.Load() - before
		}
		if n := lowered(x, y); n != 0 {
			t.Errorf("without a gradient %d kernels are lowered", n)
		}
		if dev.String() == "go" {
			return // which knows the kernel without checks
		}
		x.WithGrad()
		if n := lowered(x, y); n != 1 {
			t.Errorf("with a gradient %d kernels are lowered", n)
		}
		if n := lowered(x, y); n != 0 {
			t.Errorf("with a gradient again %d kernels are lowered", n)
		}
	})
}
