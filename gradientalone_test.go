package qd_test

import (
	"errors"
	"sync"
	"testing"

	"github.com/qdgen/qd"
)

//qd:kernel
func scaleAll(t qd.Thread, x, w, y []float32) {
	i := t.ID()
	y[i] = w[0] * x[i]
}

// Tapes of several goroutines share arrays with gradients. What they add to these at the same time is all there.
func TestTapesShareGradients(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		const n, turns, goroutines = 1000, 15, 4
		w := qd.From(dev, []float32{1}).WithGrad()
		v := qd.From(dev, make([]float32, n)).WithGrad()
		var all sync.WaitGroup
		for g := range goroutines {
			all.Go(func() {
				tape := qd.NewTape(dev)
				for range turns {
					x, y := qd.Zeros[float32](dev, n), qd.Zeros[float32](dev, n)
					if g%2 == 0 {
						y = qd.Zeros[float32](dev, n).WithGrad() // a leaf that is written
					}
					err := errors.Join(x.Fill(1), tape.Launch(scaleAll, qd.Dim(n), x, w, y), tape.Launch(addEach, qd.Dim(n), v, y))
					ones := make([]float32, n)
					for i := range ones {
						ones[i] = 1
					}
					if err = errors.Join(err, tape.BackwardFrom(y, ones)); err != nil {
						t.Error(err)
					}
					tape.Reset()
				}
			})
		}
		all.Wait()
		if got := w.Grad().Slice()[0]; got != n*turns*goroutines {
			t.Errorf("the gradient of the factor is %v, want %v", got, n*turns*goroutines)
		}
		for i, got := range v.Grad().Slice() {
			if got != turns*goroutines {
				t.Errorf("the gradient of element %d is %v, want %v", i, got, turns*goroutines)
			}
		}
	})
}

//qd:kernel
func addEach(t qd.Thread, v, y []float32) {
	i := t.ID()
	y[i] += v[i]
}
