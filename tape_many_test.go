//go:build !race

package qd_test

import (
	"testing"

	"github.com/qdgen/qd"
)

//qd:kernel
func manyAdd(t qd.Thread, alone []float64, y []float64) {
	i := t.ID()
	begin, end := alone[i%3], alone[min(i, 2)]
	y[i] = begin * 2
	if i%2 == 0 {
		y[i] += end
	}
}

// Many threads add to few gradients: on one processor, where they run one after the other, and on several.
func TestTapeMany(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		for _, n := range []int{1, 7, 3 << 15} {
			x, y := qd.From(dev, []float64{1, 2, 3}).WithGrad(), qd.Zeros[float64](dev, n)
			tape := qd.NewTape(dev)
			ones, want := make([]float64, n), make([]float64, 3)
			for i := range ones {
				ones[i] = 1
				want[i%3] += 2
				if i%2 == 0 {
					want[min(i, 2)]++
				}
			}
			must(t, tape.Launch(manyAdd, qd.Dim(n), x, y), tape.BackwardFrom(y, ones))
			near(t, "gradient", x.Grad().Slice(), want)
		}
	})
}
