package qd_test

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/qdgen/qd"
)

//qd:kernel
func tapeFaulty(t qd.Thread, x, y []float64) { y[t.ID()+1] = x[t.ID()] }

//qd:kernel
func noGradient(t qd.Thread, x, y []float64) {
	i := t.ID()
	y[i] = qd.AtomicAdd(&x[0], 1)
}

//qd:kernel
func tapeGrid(g qd.Grid, x, y []float64) {
	g.For(len(x), func(i int) { y[i] = 2 * x[i] })
}

//qd:kernel
func noGridGradient(g qd.Grid, x, y []float64) {
	g.For(len(x), func(i int) { y[i] = qd.AtomicAdd(&x[0], 1) })
}

func TestTapeErrors(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		array := func() *qd.Array[float64] { return qd.From(dev, []float64{1, 2}) }
		x, y, z := array().WithGrad(), array(), array()
		var none *qd.Tape
		for _, tape := range []*qd.Tape{none, new(qd.Tape)} {
			wants(t, tape.Launch(mulBy, qd.Dim(2), x, y, z), "the tape is nil; make one with NewTape")
			wants(t, tape.Run(tapeGrid, x, y), "the tape is nil")
			wants(t, tape.Backward(z), "the tape is nil")
			wants(t, tape.BackwardFrom(z, z), "the tape is nil")
			wants(t, tape.Checkpoint(func() error { return nil }), "the tape is nil")
			tape.Reset()
			if tape.Memory() != 0 || tape.Device() != nil {
				t.Error("there is something on a nil tape")
			}
		}
		wants(t, qd.NewTape(nil).Launch(mulBy, qd.Dim(2), x, y, z), "its device is nil")
		wants(t, qd.NewTape(dev, qd.TapeMemory(-1)).Launch(mulBy, qd.Dim(2), x, y, z), "qd.TapeMemory(-1): a tape takes 0 bytes at least")
		wants(t, qd.NewTape(dev, qd.TapeSnapshots(-2)).Launch(mulBy, qd.Dim(2), x, y, z), "qd.TapeSnapshots(-2): a loop keeps 1 snapshot at least")

		tape := qd.NewTape(dev)
		err := tape.Launch(noGradient, qd.Dim(2), x, y)
		var d *qd.Diagnostics
		if !errors.As(err, &d) || len(d.List) == 0 || !strings.HasSuffix(d.List[0].Pos.Filename, "tape_errors_test.go") || d.List[0].Pos.Line == 0 {
			t.Errorf("a kernel without a gradient: %v", err)
		}
		near(t, "before it runs", x.Slice(), []float64{1, 2})
		wants(t, tape.Run(noGridGradient, x, y), "tape_errors_test.go:28:37: cannot differentiate a kernel that uses the result of an atomic operation")
		must(t, tape.Run(tapeGrid, z, y)) // which depends on no x
		near(t, "the run", y.Slice(), []float64{2, 4})
		must(t, tape.Launch(noGradient, qd.Dim(2), z, y))

		wants(t, tape.Launch(mulBy, qd.Dim(2), x, y, []float64{0, 0}), "plain slice of floats that the kernel writes")
		wants(t, tape.Launch(mulBy, qd.Dim(2), x, y), "2 arguments for 3 parameters")
		other, err := qd.Open("go")
		must(t, err)
		if dev == other {
			if other, err = qd.Open("cpu"); err != nil {
				other = nil
			}
		}
		if other != nil {
			elsewhere := qd.From(other, []float64{1, 2})
			wants(t, tape.Launch(mulBy, qd.Dim(2), x, y, elsewhere), "the array is on device "+other.String())
			wants(t, tape.Backward(qd.From(other, []float64{1})), "the array is on device "+other.String())
			must(t, tape.Launch(mulBy, qd.Dim(2), x, y, z))
			wants(t, tape.BackwardFrom(z, elsewhere), "the gradient is on device "+other.String())
		}

		tape.Reset()
		must(t, tape.Launch(mulBy, qd.Dim(2), x, y, z))
		wants(t, tape.Backward(z), "use BackwardFrom")
		wants(t, tape.Backward(3.0), "Backward differentiates an array, not a float64")
		wants(t, tape.Backward(nil), "differentiates an array")
		wants(t, tape.Backward(new(qd.Array[float64])), "was not made by From or Zeros")
		wants(t, tape.BackwardFrom(z, []float32{1, 1}), "the gradient is a []float32; give an array, or a slice, of 2 elements of type float64")
		wants(t, tape.BackwardFrom(z, []float64{1}), "of 2 elements")
		wants(t, tape.BackwardFrom(z, nil), "of 2 elements")
		wants(t, tape.BackwardFrom(y, []float64{1, 1}), "depends on no array that has a gradient")
		wants(t, tape.BackwardFrom(array(), []float64{1, 1}), "no launch with the array")

		// Changes that would make a gradient wrong.
		must(t, dev.Launch(setAll, qd.Dim(2), 3.0, z))
		wants(t, tape.Launch(mulBy, qd.Dim(2), z, y, z), "changed by setAll, which the tape has not recorded")
		wants(t, tape.BackwardFrom(z, []float64{1, 1}), "changed by setAll")
		tape.Reset()
		must(t, tape.Launch(mulBy, qd.Dim(2), x, y, z), dev.Launch(setAll, qd.Dim(2), 5.0, x))
		wants(t, tape.Launch(mulBy, qd.Dim(2), x, y, z), "changed by setAll")
		must(t, tape.BackwardFrom(z, []float64{1, 1})) // y is needed, which is as it was
		tape.Reset()
		late := array()
		must(t, tape.Launch(mulBy, qd.Dim(2), late, y, z))
		late.WithGrad()
		wants(t, tape.Launch(mulBy, qd.Dim(2), late, y, z), "was given a gradient after")
		tape.Reset()
		factor := array()
		must(t, tape.Launch(mulBy, qd.Dim(2), x, factor, z))
		factor.WithGrad() // where the tape keeps no gradient
		gradient := x.Grad().Slice()
		wants(t, tape.BackwardFrom(z, []float64{1, 1}), "an array among the arguments of its launches was given a gradient after the tape had recorded a launch with it")
		near(t, "after an error", x.Grad().Slice(), gradient)

		// Freed arrays.
		tape.Reset()
		f := array()
		must(t, tape.Launch(mulBy, qd.Dim(2), x, f, z))
		f.Free()
		wants(t, tape.BackwardFrom(z, []float64{1, 1}), "has been freed")
		wants(t, tape.Launch(mulBy, qd.Dim(2), x, f, z), "the array has been freed")
		g := array().WithGrad()
		g.Free()
		wants(t, g.ZeroGrad(), "freed")
		wants(t, y.ZeroGrad(), "the array has none; make it with WithGrad")
		tape.Reset()
		h := array()
		must(t, tape.Launch(mulBy, qd.Dim(2), x, y, h), tape.Launch(sumOf, qd.Dim(2), y, h, z))
		before := x.Grad().Slice()
		h.Free() // which nothing reads
		must(t, tape.BackwardFrom(z, []float64{1, 1}))
		after := x.Grad().Slice()
		wants(t, tape.BackwardFrom(h, []float64{1, 1}), "BackwardFrom: the array has been freed")
		near(t, "and of h", x.Grad().Slice(), after)
		near(t, "without h", []float64{after[0] - before[0], after[1] - before[1]}, y.Slice())

		// A reset in the middle, and errors of the function.
		wants(t, tape.Checkpoint(nil), "the function for Checkpoint is nil")
		wants(t, tape.Checkpoint(func() error { tape.Reset(); return nil }), "it has been reset in the function")
		stop := errors.New("stop")
		if err := tape.Checkpoint(func() error { return stop }); err != stop {
			t.Error(err)
		}
		must(t, tape.Checkpoint(func() error {
			wants(t, tape.BackwardFrom(z, z), "within the function that Checkpoint has called")
			var err error
			var wg sync.WaitGroup
			wg.Go(func() { err = tape.Launch(mulBy, qd.Dim(2), x, y, z) })
			wg.Wait()
			wants(t, err, "another goroutine")
			return nil
		}))
		_, err = dev.Record(func(s *qd.Stream) error { return tape.Launch(mulBy, qd.Dim(2), x, y, z) })
		wants(t, err, "the function given to Record")
	})
}

// A launch that faults is not recorded, and what it has left is not differentiated.
func TestTapeFault(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		dev = dev.Checked()
		x, y := qd.From(dev, []float64{1, 2}).WithGrad(), qd.Zeros[float64](dev, 2)
		tape := qd.NewTape(dev)
		must(t, tape.Launch(tapeFaulty, qd.Dim(1), x, y))
		err := tape.Launch(tapeFaulty, qd.Dim(2), x, y)
		if err == nil {
			err = dev.Wait() // a GPU tells then
			if err == nil {
				t.Error("no fault")
			}
			return
		}
		var f *qd.Fault
		if !errors.As(err, &f) {
			t.Fatal(err)
		}
		wants(t, tape.Launch(tapeFaulty, qd.Dim(1), x, y), "a launch of tapeFaulty that failed")
	})
}

// What a launch that faults has left in an array that depends on nothing is there again when a part is run again.
func TestTapeFaultAgain(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		if strings.HasPrefix(dev.String(), "cuda") {
			t.Skip("a GPU tells of a fault when the host waits, and is of no use any more")
		}
		dev = dev.Checked()
		w, x, y := qd.From(dev, []float64{3, 4}).WithGrad(), qd.From(dev, []float64{5, 6}), qd.From(dev, []float64{1, 2})
		h, z := qd.Zeros[float64](dev, 2), qd.Zeros[float64](dev, 2)
		tape := qd.NewTape(dev)
		var failed error
		must(t, tape.Steps(4, func(i int) error {
			if i == 1 {
				failed = tape.Launch(tapeFaulty, qd.Dim(2), x, y)
			}
			return errors.Join(tape.Launch(mulBy, qd.Dim(2), w, y, h), tape.Launch(sumOf, qd.Dim(2), z, h, z))
		}))
		if failed == nil {
			t.Error("no fault")
		}
		after := y.Slice()
		must(t, tape.BackwardFrom(z, []float64{1, 1}))
		near(t, "gradient", w.Grad().Slice(), []float64{1 + 3*after[0], 2 + 3*after[1]})
		if after[1] != 5 && after[1] != 2 { // a fault may end the launch before the second thread begins
			t.Errorf("the launch that faults has left %v", after)
		}
	})
}

// One tape is for one goroutine at a time, and says so. Several tapes may share arrays.
func TestTapeConcurrent(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x, y := qd.From(dev, []float64{1, 2}), qd.From(dev, []float64{1, 2})
		shared := qd.NewTape(dev)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				w, z := qd.From(dev, []float64{3, 4}).WithGrad(), qd.Zeros[float64](dev, 2)
				tape := qd.NewTape(dev)
				for range 20 {
					if err := tape.Launch(mulBy, qd.Dim(2), w, x, z); err != nil {
						t.Error(err)
					}
					err := shared.Launch(mulBy, qd.Dim(2), w, y, z)
					if err != nil && !strings.Contains(err.Error(), "several goroutines use it at once") && !strings.Contains(err.Error(), "which the tape has not recorded") && !strings.Contains(err.Error(), "it has been reset") {
						t.Error(err)
					}
					if err := tape.Launch(mulBy, qd.Dim(2), w, x, z); err != nil && !strings.Contains(err.Error(), "changed by mulBy") {
						t.Error(err)
					}
					_ = tape.BackwardFrom(z, []float64{1, 1})
					tape.Reset()
					if shared.Memory() > 1<<20 {
						t.Error("the tape grows")
					}
				}
			})
		}
		wg.Go(func() {
			u, v := qd.From(dev, []float64{1, 2}).WithGrad(), qd.From(dev, []float64{1, 2})
			for range 20 {
				_ = shared.Launch(mulBy, qd.Dim(2), u, v, v)
				if err := v.CopyFrom([]float64{5, 6}); err != nil {
					t.Error(err)
				}
				_ = shared.BackwardFrom(v, []float64{1, 1})
				shared.Reset()
			}
		})
		wg.Wait()
		shared.Reset()
		w := qd.From(dev, []float64{3, 4}).WithGrad()
		must(t, shared.Launch(mulBy, qd.Dim(2), w, y, x), shared.BackwardFrom(x, []float64{1, 1}))
		near(t, "afterwards", w.Grad().Slice(), y.Slice())
	})
}

//qd:kernel
func readForNothing(t qd.Thread, x, y []float64) {
	i := t.ID()
	if x[i] > 0 && x[i+1] > 0 {
	}
	if y[int(x[i])] > 0 {
	}
	y[i] *= 2
}

// What a kernel reads for its checks alone is nothing that its results depend on, in checked builds as in others.
func TestTapeReadsForChecks(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		for _, dev := range []*qd.Device{dev, dev.Checked()} {
			x, y := qd.From(dev, []float64{0, 1, 1}).WithGrad(), qd.From(dev, []float64{1, 2})
			tape := qd.NewTape(dev)
			must(t, tape.Launch(readForNothing, qd.Dim(2), x, y))
			wants(t, tape.BackwardFrom(y, []float64{1, 1}), "depends on no array that has a gradient")
			must(t, tape.Launch(mulBy, qd.Dim(2), x, y, y), tape.BackwardFrom(y, []float64{1, 1}))
			near(t, "the gradient", x.Grad().Slice(), []float64{2, 4, 0})
		}
	})
}
