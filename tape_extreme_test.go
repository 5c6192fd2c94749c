//go:build !race

package qd_test

import (
	"testing"

	"github.com/qdgen/qd"
)

//qd:kernel
func largest(t qd.Thread, w, x, top []float64) { qd.AtomicMax(&top[0], w[t.ID()]*x[t.ID()]) }

//qd:kernel
func scaleTop(t qd.Thread, top, loss []float64) {
	loss[0] += 3 * top[0]
	top[0] = -1000
}

// The gradient of an atomic maximum goes to the element that has won, which the array tells as it was right after the
// launch: a later launch that overwrites it does not matter, and neither does what was in it before.
func TestTapeExtremes(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x := qd.From(dev, []float64{1, 5, 2, 3})
		for _, first := range []float64{-1000, 7, 100} {
			w := qd.From(dev, []float64{1, 2, 3, 1}).WithGrad()
			top, loss := qd.From(dev, []float64{first}), qd.Zeros[float64](dev, 1)
			tape := qd.NewTape(dev)
			must(t, tape.Launch(largest, qd.Dim(4), w, x, top), tape.Launch(scaleTop, qd.Dim(1), top, loss), tape.Launch(largest, qd.Dim(4), w, x, top),
				tape.Launch(scaleTop, qd.Dim(1), top, loss), tape.Backward(loss))
			want := []float64{0, 15, 0, 0}
			if first < 10 {
				want[1] = 30
			}
			near(t, "w", w.Grad().Slice(), want)

			w.ZeroGrad()
			top, loss = qd.From(dev, []float64{first}), qd.Zeros[float64](dev, 1)
			tape.Reset()
			part := func() error {
				must(t, tape.Launch(largest, qd.Dim(4), w, x, top))
				return tape.Launch(scaleTop, qd.Dim(1), top, loss)
			}
			must(t, tape.Checkpoint(part), tape.Checkpoint(part), tape.Backward(loss))
			near(t, "w by checkpoints", w.Grad().Slice(), want)
		}
	})
}
