//go:build !race

package qd_test

import (
	"errors"
	"math"
	"testing"

	"github.com/qdgen/qd"
)

// What is written to an array with a gradient between launches ends the way from its elements to later results: its gradient is by
// the elements that it had before the first launch.
func TestTapeWritesLeaf(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		ones := []float64{1, 1}
		for _, checkpoint := range []bool{false, true} {
			within := func(tape *qd.Tape, f func() error) {
				t.Helper()
				if checkpoint {
					must(t, tape.Checkpoint(f))
				} else {
					must(t, f())
				}
			}
			for what, write := range map[string]func(x *qd.Array[float64]) error{
				"CopyFrom": func(x *qd.Array[float64]) error {
					host := []float64{5, 6}
					err := x.CopyFrom(host)
					clear(host) // the program may use it again
					return err
				},
				"Fill": func(x *qd.Array[float64]) error { return errors.Join(x.Fill(6), x.Sub(0, 1).Fill(5)) },
				"parts": func(x *qd.Array[float64]) error {
					return errors.Join(x.Sub(1, 2).Fill(6), x.Sub(0, 1).CopyFrom([]float64{5}))
				},
			} {
				x, y, z := qd.From(dev, []float64{2, 3}).WithGrad(), qd.Zeros[float64](dev, 2), qd.Zeros[float64](dev, 2)
				tape := qd.NewTape(dev)
				within(tape, func() error {
					return errors.Join(
						tape.Launch(mulBy, qd.Dim(2), x, x, y), // y = x²
						write(x),
						tape.Launch(mulBy, qd.Dim(2), x, y, z)) // z = (5, 6) x²
				})
				near(t, what, z.Slice(), []float64{20, 54})
				for range 2 {
					must(t, x.ZeroGrad(), tape.BackwardFrom(z, ones))
					near(t, what, x.Grad().Slice(), []float64{20, 36})
				}
				must(t, x.ZeroGrad())
				if err := tape.BackwardFrom(x, ones); what != "parts" || err != nil { // all parts are not known to be the whole
					wants(t, err, "depends on no array that has a gradient")
				}
				near(t, what, x.Grad().Slice(), []float64{0, 0})
				must(t, tape.Launch(mulBy, qd.Dim(2), y, x, x)) // x depends on what it was once more
				must(t, x.ZeroGrad(), tape.BackwardFrom(x, ones))
				near(t, what, x.Grad().Slice(), []float64{20, 36})
			}

			// Of a part, the gradient by the other elements stays.
			x, y, z := qd.From(dev, []float64{2, 3}).WithGrad(), qd.Zeros[float64](dev, 2), qd.Zeros[float64](dev, 2)
			tape := qd.NewTape(dev)
			within(tape, func() error {
				return errors.Join(
					tape.Launch(mulBy, qd.Dim(2), x, x, y),
					x.Sub(1, 2).CopyFrom([]float64{7}),
					tape.Launch(mulBy, qd.Dim(2), x, x, z),
					tape.Launch(sumOf, qd.Dim(2), y, z, z)) // 2 x², x² + 49
			})
			must(t, tape.BackwardFrom(z, ones))
			near(t, "a part", x.Grad().Slice(), []float64{8, 6})
		}
	})
}

// What is written before the first launch is what the gradient is by, also after a launch that has failed, or was not recorded.
func TestTapeWritesLeafBefore(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		dev = dev.Checked()
		x, y := qd.From(dev, []float64{2, 3}).WithGrad(), qd.Zeros[float64](dev, 2)
		tape := qd.NewTape(dev)
		for _, failed := range []func() error{
			func() error { return tape.Launch(tapeFaulty, qd.Dim(2), x, qd.Zeros[float64](dev, 2)) },
			func() error {
				return tape.Checkpoint(func() error { return tape.Launch(tapeFaulty, qd.Dim(2), x, qd.Zeros[float64](dev, 2)) })
			},
			func() error { return tape.Launch(noGradient, qd.Dim(2), y, x) },
		} {
			if err := failed(); err == nil {
				if dev.String() != "cuda:0" {
					t.Error("a launch has not failed")
				}
				_ = dev.Wait() // it is recorded, and fails later
				tape.Reset()
			}
			must(t, x.CopyFrom([]float64{4, 5}), x.ZeroGrad(), tape.Launch(mulBy, qd.Dim(2), x, x, y), tape.BackwardFrom(y, []float64{1, 1}))
			near(t, "gradient", x.Grad().Slice(), []float64{8, 10})
			tape.Reset()
		}
	})
}

// Steps and checkpoints copy arrays again, parts that overlap too, and have the gradients of differences.
func TestTapeCopiesInSteps(t *testing.T) {
	plain, err := qd.Open("go")
	must(t, err)
	run := func(dev *qd.Device, r adverseRunner, a, b *qd.Array[float64], sum *qd.Array[float64]) error {
		next := qd.Zeros[float64](dev, 6)
		return errors.Join(
			r.Launch(mixOf, qd.Dim(6), a, b, next),
			r.Steps(7, func(i int) error {
				host := []float64{0.1 * float64(i), -0.3}
				err := errors.Join(
					r.Launch(turnOf, qd.Dim(6), a, next),
					a.Sub(1, 5).CopyArray(next.Sub(0, 4)), // a has a gradient
					next.Sub(1, 6).CopyArray(next.Sub(0, 5)),
					next.Sub(4, 6).CopyFrom(host),
					r.Checkpoint(func() error {
						return errors.Join(
							r.Launch(mixOf, qd.Dim(6), next, a, next),
							b.Sub(0, 2).CopyArray(next.Sub(1, 3)),
							a.Sub(5, 6).Fill(0.2*float64(i)))
					}),
					r.Launch(turnOf, qd.Dim(6), b, next))
				clear(host)
				return err
			}),
			r.Launch(partSum, qd.Dim(1), next, sum), r.Launch(partSum, qd.Dim(1), a, sum))
	}
	start := [][]float64{{0.5, -0.2, 0.7, 0.1, -0.4, 0.3}, {0.6, 0.4, -0.5, 0.2, 0.9, -0.1}}
	value := func(leaf, at int, by float64) float64 {
		var arrays []*qd.Array[float64]
		for i, host := range start {
			a := qd.From(plain, host)
			if i == leaf {
				host = a.Slice()
				host[at] += by
				must(t, a.CopyFrom(host))
			}
			arrays = append(arrays, a)
		}
		sum := qd.Zeros[float64](plain, 1)
		must(t, run(plain, plainRunner{plain}, arrays[0], arrays[1], sum))
		return sum.Slice()[0]
	}
	onAll(t, func(t *testing.T, dev *qd.Device) {
		for _, options := range [][]qd.TapeOption{nil, {qd.TapeSnapshots(1)}, {qd.TapeSnapshots(2)}, {qd.TapeMemory(4000)}} {
			a, b, sum := qd.From(dev, start[0]).WithGrad(), qd.From(dev, start[1]).WithGrad(), qd.Zeros[float64](dev, 1)
			tape := qd.NewTape(dev, options...)
			must(t, run(dev, tape, a, b, sum), tape.Backward(sum))
			if got, want := sum.Slice()[0], value(-1, 0, 0); math.Abs(got-want) > 1e-12 {
				t.Errorf("the sum is %v, not %v", got, want)
			}
			for leaf, grad := range [][]float64{a.Grad().Slice(), b.Grad().Slice()} {
				for at, got := range grad {
					const h = 1e-5
					want := (value(leaf, at, h) - value(leaf, at, -h)) / (2 * h)
					if math.Abs(got-want) > 1e-8*(1+math.Abs(want)) {
						t.Errorf("by element %d of %d: %v, not %v", at, leaf, got, want)
					}
				}
			}
			after := append(a.Slice(), b.Slice()...)
			must(t, tape.Backward(sum)) // runs the steps again on copies
			near(t, "the arrays", append(a.Slice(), b.Slice()...), after)
		}
	})
}

// An array with a gradient that was overwritten is a constant, and so is its copy.
func TestTapeCopiesOverwrittenLeaf(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x, y, z := qd.From(dev, []float64{2, 3}).WithGrad(), qd.Zeros[float64](dev, 2), qd.Zeros[float64](dev, 2)
		tape := qd.NewTape(dev)
		must(t, tape.Launch(mulBy, qd.Dim(2), x, x, y), x.CopyFrom([]float64{5, 6}), z.CopyArray(x),
			tape.Launch(mulBy, qd.Dim(2), z, y, y), tape.BackwardFrom(y, []float64{1, 1}))
		near(t, "gradient", x.Grad().Slice(), []float64{20, 36})
	})
}
