//go:build !race

package qd_test

import (
	"slices"
	"testing"

	"github.com/qdgen/qd"
)

func scaleHalves(t qd.Thread, x []qd.Float16, y []qd.BFloat16) {
	i := t.ID()
	x[i] = qd.ToFloat16(x[i].Float32() * 3 * y[i].Float32())
	y[i] = qd.ToBFloat16(y[i].Float32() * 4)
}

// Arrays of floats of 16 bits that have a gradient may be written, and differentiated.
func TestTapeWritesHalves(t *testing.T) {
	for _, dev := range devices(t) {
		t.Run(dev.String(), func(t *testing.T) {
			f, b := qd.ToFloat16, qd.ToBFloat16
			x := qd.From(dev, []qd.Float16{f(1), f(2)}).WithGrad()
			y := qd.From(dev, []qd.BFloat16{b(0.5), b(2)}).WithGrad()
			tape := qd.NewTape(dev)
			if err := tape.Launch(scaleHalves, qd.Dim(2), x, y); err != nil {
				t.Fatal(err)
			}
			for range 2 { // the second one is added
				if err := tape.BackwardFrom(x, []qd.Float16{f(1), f(2)}); err != nil {
					t.Fatal(err)
				}
			}
			if got := x.Grad().Slice(); !slices.Equal(got, []qd.Float16{f(3), f(24)}) {
				t.Errorf("%v", got)
			}
			if got := y.Grad().Slice(); !slices.Equal(got, []qd.BFloat16{b(6), b(24)}) {
				t.Errorf("%v", got)
			}
		})
	}
}
