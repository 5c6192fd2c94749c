package qd_test

import (
	"errors"
	"testing"

	"github.com/qdgen/qd"
)

//qd:kernel
func panicsAbove(t qd.Thread, at []int32) {
	if at[t.ID()] > 5 {
		panic("too large")
	}
}

//qd:kernel
func setsAt(t qd.Thread, v int32, at []int32) { at[t.ID()] = v }

//qd:kernel
func readsWhatItWrites(t qd.Thread, at, same []int32, x, y []float64) {
	i := t.ID()
	at[i] += 2
	k := same[i]
	y[i] = x[k] * x[k] // here
}

// Its backward kernel keeps a value of each turn, and how many there are depends on what is written.
//
//qd:kernel
func turnsWhatItWrites(t qd.Thread, at, same []int32, x, y []float64) {
	i := t.ID()
	at[i] += 2
	p := x[i]
	for k := int32(0); k < same[i]; k++ {
		p *= p
	}
	y[i] = p
}

// What runs before a backward kernel, checks and what counts the values that are kept, leaves the fault of a launch
// before it to whoever waits for that one.
func TestGradientAfterFault(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		for _, d := range []*qd.Device{dev, dev.Checked()} {
			for _, tt := range []struct {
				kernel any
				at     int32
				grad   []float64
			}{
				{readsWhatItWrites, -2, []float64{6, 0, 0, 0}},
				{turnsWhatItWrites, 1, []float64{8 * 2187, 0, 0, 0}},
			} {
				stream, err := d.NewStream()
				must(t, err)
				bad, at := qd.From(dev, []int32{6}), qd.From(dev, []int32{tt.at})
				x, y := qd.From(dev, []float64{3, 2, 3, 4}), qd.Zeros[float64](dev, 4)
				xGrad, yGrad := qd.Zeros[float64](dev, 4), qd.Zeros[float64](dev, 4)
				k := qd.NewKernel(tt.kernel).Gradient()
				for _, way := range []struct {
					name   string
					launch func(kernel any, dim qd.Dims, args ...any) error
					wait   func() error
				}{
					{"launch", d.Launch, d.Wait},
					{"stream", stream.Launch, func() error { return stream.Sync(t.Context()) }},
				} {
					must(t, errors.Join(xGrad.Fill(0), yGrad.Fill(1), at.Fill(tt.at)))
					err := way.launch(panicsAbove, qd.Dim(1), bad)
					must(t, way.launch(k, qd.Dim(1), at, at, x, y, xGrad, yGrad))
					after := qd.Zeros[float64](dev, 4)
					if err == nil {
						err = way.wait()
					}
					var f *qd.Fault
					if !errors.As(err, &f) || f.Kernel != "panicsAbove" || f.Reason != "panic: too large" {
						t.Errorf("%s of %s: %v", way.name, k.Name(), err)
					}
					must(t, way.wait())
					near(t, way.name, xGrad.Slice(), tt.grad)
					near(t, way.name, after.Slice(), []float64{0, 0, 0, 0})
				}
				must(t, stream.Close())
			}
		}
	})
}

// What runs before a backward kernel on a stream, on copies of memory, finds there what the stream has written.
func TestGradientAfterLaunches(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		for _, d := range []*qd.Device{dev, dev.Checked()} {
			stream, err := d.NewStream()
			must(t, err)
			for _, tt := range []struct {
				kernel        any
				before, after int32
				grad          []float64
			}{
				{readsWhatItWrites, 100, -2, []float64{6, 0, 0, 0}},
				{turnsWhatItWrites, -100, 1, []float64{8 * 2187, 0, 0, 0}},
			} {
				at := qd.From(dev, []int32{tt.before})
				x, y := qd.From(dev, []float64{3, 2, 3, 4}), qd.Zeros[float64](dev, 4)
				xGrad, yGrad := qd.Zeros[float64](dev, 4), qd.From(dev, []float64{1, 1, 1, 1})
				must(t, stream.Launch(setsAt, qd.Dim(1), tt.after, at))
				must(t, stream.Launch(qd.NewKernel(tt.kernel).Gradient(), qd.Dim(1), at, at, x, y, xGrad, yGrad))
				must(t, stream.Sync(t.Context()))
				near(t, "gradient", xGrad.Slice(), tt.grad)
			}
			must(t, stream.Close())
		}
	})
}
