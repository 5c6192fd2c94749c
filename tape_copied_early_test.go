//go:build !race

package qd_test

import (
	"testing"

	"github.com/qdgen/qd"
)

// A tape is not told of a copy of an array that it does not know yet. To take the copy for a constant would leave out a part of the
// gradient, so it is an error, unless the copy is older than what the tape records.
func TestTapeCopiesEarly(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		const lost = "from an array with a gradient, before any launch with either on the tape"
		ones := []float64{1, 1}
		array := func() *qd.Array[float64] { return qd.From(dev, []float64{2, 3}) }
		for what, tt := range map[string]struct {
			copy func(tape *qd.Tape, x *qd.Array[float64]) *qd.Array[float64] // what a launch is given after it
			err  string
		}{
			"CopyArray": {func(_ *qd.Tape, x *qd.Array[float64]) *qd.Array[float64] {
				y := array()
				must(t, y.CopyArray(x))
				return y
			}, lost},
			"To": {func(_ *qd.Tape, x *qd.Array[float64]) *qd.Array[float64] { return x.To(dev) }, lost},
			"a part": {func(_ *qd.Tape, x *qd.Array[float64]) *qd.Array[float64] {
				y := array()
				must(t, y.Sub(1, 2).CopyArray(x.Sub(0, 1)))
				return y
			}, lost},
			"a copy of a copy": {func(_ *qd.Tape, x *qd.Array[float64]) *qd.Array[float64] { return x.To(dev).To(dev) }, lost},
			"to an array of the tape": {func(tape *qd.Tape, x *qd.Array[float64]) *qd.Array[float64] {
				w, y := array().WithGrad(), array()
				must(t, tape.Launch(mulBy, qd.Dim(2), w, w, y), y.CopyArray(x.To(dev)))
				return y
			}, "changed by CopyArray"},
			"a part that is overwritten": {func(_ *qd.Tape, x *qd.Array[float64]) *qd.Array[float64] {
				y := x.To(dev)
				must(t, y.Sub(0, 1).Fill(2))
				return y
			}, lost},
			"overwritten": {func(_ *qd.Tape, x *qd.Array[float64]) *qd.Array[float64] {
				y := x.To(dev)
				must(t, y.CopyFrom([]float64{2, 3}))
				return y
			}, ""},
			"reset after it": {func(tape *qd.Tape, x *qd.Array[float64]) *qd.Array[float64] {
				y := x.To(dev)
				tape.Reset()
				return y
			}, ""},
			"a copy of an older one": {func(tape *qd.Tape, x *qd.Array[float64]) *qd.Array[float64] {
				y := x.To(dev)
				tape.Reset()
				return y.To(dev)
			}, ""},
			"of an array without a gradient": {func(*qd.Tape, *qd.Array[float64]) *qd.Array[float64] { return array().To(dev) }, ""},
		} {
			tape, x, z := qd.NewTape(dev), array().WithGrad(), qd.Zeros[float64](dev, 2)
			y := tt.copy(tape, x)
			err := tape.Launch(mulBy, qd.Dim(2), x, y, z) // z = xy
			if tt.err != "" {
				wants(t, err, tt.err)
				continue
			}
			must(t, err, tape.BackwardFrom(z, ones))
			near(t, what, x.Grad().Slice(), []float64{2, 3})
		}
		// One that has a gradient itself begins with the copy.
		tape, x, z := qd.NewTape(dev), array().WithGrad(), qd.Zeros[float64](dev, 2)
		y := array().WithGrad()
		must(t, y.CopyArray(x), tape.Launch(mulBy, qd.Dim(2), y, y, z), tape.BackwardFrom(z, ones))
		near(t, "a gradient of its own", y.Grad().Slice(), []float64{4, 6})
	})
}
