package qd_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/qdgen/qd"
)

//qd:kernel
func cubes(t qd.Thread, x, y []float64, at []int32) {
	i := t.ID()
	k := at[i]
	y[i] = x[k] * x[k] * x[k]
}

// Second derivatives, prepared launches, streams and graphs are checked too, and a launch without a fault gives the same as one
// without checks, also after one with a fault.
func TestGradientCheckedLaunches(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		checked := dev.Checked()
		x, y := qd.From(dev, []float64{1, 2, 3}), qd.Zeros[float64](dev, 3)
		at := qd.From(dev, []int32{2, 0, 1})
		xGrad, yGrad := qd.Zeros[float64](dev, 3), qd.Zeros[float64](dev, 3)
		faulty := func(what string, err error) {
			t.Helper()
			var f *qd.Fault
			if !errors.As(err, &f) || f.Index != 3 || f.Len != 3 || !slices.Equal(f.Thread, []int{1}) {
				t.Errorf("%s: %v", what, err)
			}
			near(t, what, xGrad.Slice(), []float64{0, 0, 0})
			near(t, what, yGrad.Slice(), []float64{1, 1, 1})
		}
		right := func(what string, err error) {
			t.Helper()
			must(t, err)
			near(t, what, xGrad.Slice(), []float64{3, 12, 27})
			near(t, what, yGrad.Slice(), []float64{0, 0, 0})
		}
		stream, err := checked.NewStream()
		must(t, err)
		defer stream.Close()
		k := qd.NewKernel(cubes).Gradient()
		bound, err := checked.Bind(k, qd.Dim(3), x, y, at, xGrad, yGrad)
		must(t, err)
		graph, err := checked.Record(func(s *qd.Stream) error { return s.Launch(k, qd.Dim(3), x, y, at, xGrad, yGrad) })
		must(t, err)
		for _, way := range []struct {
			name   string
			launch func() error
		}{
			{"launch", func() error { return checked.Launch(k, qd.Dim(3), x, y, at, xGrad, yGrad) }},
			{"prepared", bound.Launch},
			{"stream", func() error {
				return errors.Join(stream.Launch(k, qd.Dim(3), x, y, at, xGrad, yGrad), stream.Sync(t.Context()))
			}},
			{"graph", func() error { return errors.Join(graph.Launch(), dev.Wait()) }},
		} {
			for range 2 {
				must(t, errors.Join(xGrad.Fill(0), yGrad.Fill(1), at.CopyFrom([]int32{2, 3, 1})))
				faulty(way.name, way.launch())
				must(t, errors.Join(xGrad.Fill(0), yGrad.Fill(1), at.CopyFrom([]int32{2, 0, 1})))
				right(way.name, way.launch())
			}
		}

		for _, twice := range []*qd.Kernel{qd.NewKernel(cubes).Tangent().Gradient(), k.Tangent(), k.Gradient()} {
			args := []any{x.Slice(), make([]float64, 3), []int32{2, 3, 1}}
			for range 6 { // first derivatives, and those of all
				args = append(args, []float64{1, 1, 1})
			}
			err := checked.Launch(twice, qd.Dim(3), args...)
			var f *qd.Fault
			if !errors.As(err, &f) || f.Kernel != twice.Name() || f.Index != 3 {
				t.Errorf("%s: %v", twice.Name(), err)
			}
		}

		err = checked.Launch(k, qd.Dim(3), x, y, at, make([]float64, 2), yGrad)
		wants(t, err, "gradient")
	})
}
