package qd_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/qdgen/qd"
)

// stepsAgain is how many steps of a loop have to be run again at the least.
func stepsAgain(steps, snapshots int) int {
	if steps == 1 {
		return 0
	}
	if snapshots == 1 {
		return steps * (steps - 1) / 2
	}
	best := math.MaxInt
	for m := 1; m < steps; m++ {
		best = min(best, m+stepsAgain(m, snapshots)+stepsAgain(steps-m, snapshots-1))
	}
	return best
}

// A loop of steps has the gradient that it has without snapshots, runs as few of them again as can be, and keeps so many
// snapshots.
func TestTapeSteps(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		start, weights := []float64{0.5, 1, 0.2, 0.3, 0.8, 0.1}, []float64{1, -2, 0.5, 3, 1, 2}
		run := func(steps int, loop bool, options ...qd.TapeOption) (gradient []float64, memory, again int) {
			x, w := qd.From(dev, start).WithGrad(), qd.From(dev, weights)
			y, sum := qd.Zeros[float64](dev, len(start)), qd.Zeros[float64](dev, 1)
			tape := qd.NewTape(dev, options...)
			step := func(i int) error {
				return errors.Join(tape.Launch(says, qd.Dim(1), i),
					tape.Launch(heat, qd.Dim(6), 0.1, x, y), tape.Launch(heat, qd.Dim(6), 0.01*float64(i), y, x))
			}
			var out bytes.Buffer
			defer qd.SetOutput(qd.SetOutput(&out))
			if loop {
				must(t, tape.Steps(steps, step))
			} else {
				for i := range steps {
					must(t, step(i))
				}
			}
			must(t, dev.Wait())
			if n := strings.Count(out.String(), "\n"); n != steps {
				t.Errorf("Steps has run %d of %d steps", n, steps)
			}
			memory = tape.Memory()
			must(t, tape.Launch(dot, qd.Dim(6), x, w, sum))
			after := x.Slice()
			out.Reset()
			must(t, tape.Backward(sum), dev.Wait())
			again = strings.Count(out.String(), "\n")
			gradient = x.Grad().Slice()
			// Once more, where the snapshots on the way have to be made again.
			out.Reset()
			must(t, x.ZeroGrad(), tape.Backward(sum), dev.Wait())
			near(t, "once more", x.Grad().Slice(), gradient)
			if n := strings.Count(out.String(), "\n"); loop && steps > 1 && n < again {
				t.Errorf("%d steps: %d are run again, and later %d", steps, again, n)
			}
			near(t, "the array itself", x.Slice(), after)
			tape.Reset()
			if n := tape.Memory(); n != 0 {
				t.Errorf("after Reset it takes %d bytes", n)
			}
			return gradient, memory, again
		}
		for _, steps := range []int{1, 2, 5, 12} {
			want, all, again := run(steps, false)
			if again != 0 || all != 96*steps && all != 96*steps-48 {
				t.Errorf("%d steps: %d bytes, %d run again", steps, all, again)
			}
			for snapshots := 1; snapshots <= 5; snapshots++ {
				got, memory, again := run(steps, true, qd.TapeSnapshots(snapshots))
				near(t, fmt.Sprint(steps, " steps, ", snapshots, " snapshots"), got, want)
				if n := stepsAgain(steps, snapshots); again != n {
					t.Errorf("%d steps, %d snapshots: %d steps are run again, not %d", steps, snapshots, again, n)
				}
				// Of each snapshot x and y, and as much for the last step, which is recorded as without snapshots.
				if most := 96 * (1 + min(snapshots, steps-1)); memory > most || memory < most-48 {
					t.Errorf("%d steps, %d snapshots: %d bytes, not %d", steps, snapshots, memory, most)
				}
			}
			got, _, again := run(steps, true) // no step more than three times
			near(t, fmt.Sprint(steps, " steps"), got, want)
			if again > 3*steps {
				t.Errorf("%d steps are run again", again)
			}
		}
	})
}

// A loop takes the memory that it may, and says what is missing.
func TestTapeStepsMemory(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		const steps = 40
		run := func(bound int) (gradient []float64, again int, err error) {
			x, y := qd.From(dev, []float64{0.5, 1, 0.2, 0.3}).WithGrad(), qd.Zeros[float64](dev, 4)
			tape := qd.NewTape(dev, qd.TapeMemory(bound))
			var out bytes.Buffer
			defer qd.SetOutput(qd.SetOutput(&out))
			err = tape.Steps(steps, func(i int) error {
				return errors.Join(tape.Launch(says, qd.Dim(1), i), tape.Launch(heat, qd.Dim(4), 0.1, x, y), tape.Launch(heat, qd.Dim(4), 0.2, y, x))
			})
			if err != nil {
				return nil, 0, err
			}
			must(t, dev.Wait())
			out.Reset()
			err = errors.Join(tape.BackwardFrom(x, []float64{1, 2, 3, 4}), dev.Wait())
			if bound > 0 && tape.Memory() > bound {
				t.Errorf("it takes %d of %d bytes", tape.Memory(), bound)
			}
			return x.Grad().Slice(), strings.Count(out.String(), "\n"), err
		}
		want, _, err := run(0)
		must(t, err)
		last := math.MaxInt
		for _, bound := range []int{600, 800, 1200, 4000} {
			got, again, err := run(bound)
			must(t, err)
			near(t, fmt.Sprint(bound, " bytes"), got, want)
			if again >= last {
				t.Errorf("%d steps are run again with %d bytes, %d with fewer", again, bound, last)
			}
			last = again
		}
		if last != steps-1 {
			t.Errorf("with memory for all, %d steps are run again", last)
		}
		_, _, err = run(200)
		wants(t, err, "beyond qd.TapeMemory(200)")
	})
}

func TestTapeStepsErrors(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x, y := qd.From(dev, []float64{1, 2}).WithGrad(), qd.From(dev, []float64{1, 2})
		var none *qd.Tape
		wants(t, none.Steps(1, func(int) error { return nil }), "the tape is nil")
		tape := qd.NewTape(dev)
		wants(t, tape.Steps(1, nil), "the function for Steps is nil")
		wants(t, tape.Steps(-1, func(int) error { return nil }), "Steps has -1 steps")
		must(t, tape.Steps(0, func(int) error { t.Error("called"); return nil }))
		for last := range 4 {
			i := 0
			wants(t, tape.Steps(4, func(int) error {
				if i++; i > last {
					tape.Reset()
				}
				return nil
			}), "it has been reset in the function that Steps has called")
			wants(t, tape.Steps(last+1, func(i int) error {
				if i == last {
					wants(t, tape.BackwardFrom(y, y), "within the function that Steps has called")
					done := make(chan error)
					go func() { done <- tape.Launch(mulBy, qd.Dim(2), x, y, y) }()
					return <-done
				}
				return nil
			}), "another goroutine is in the function that Steps has called")
		}
		tape.Reset()

		// A loop that ends early, by an error or a panic, has the steps that it has had.
		for last := range 5 {
			for _, panics := range []bool{false, true} {
				tape.Reset()
				must(t, x.ZeroGrad(), y.CopyFrom([]float64{1, 1}))
				stop := errors.New("stop")
				func() {
					defer func() {
						if v := recover(); (v != nil) != panics {
							t.Error(v)
						}
					}()
					err := tape.Steps(5, func(i int) error {
						must(t, tape.Launch(mulBy, qd.Dim(2), x, y, y))
						switch {
						case i == last && panics:
							panic("stop")
						case i == last:
							return stop
						}
						return nil
					})
					if err != stop {
						t.Error(err)
					}
				}()
				must(t, tape.Launch(mulBy, qd.Dim(2), x, y, y), tape.BackwardFrom(y, []float64{1, 1}))
				n := float64(last + 2) // x to the power of which y is
				near(t, "gradient", x.Grad().Slice(), []float64{n, n * math.Pow(2, n-1)})
			}
		}
	})
}

// Steps within steps, checkpoints in steps and steps in checkpoints, where some steps use arrays that others do not.
func TestTapeStepsNested(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		run := func(nested bool, options ...qd.TapeOption) []float64 {
			x, y, z := qd.From(dev, []float64{0.5, 0.9}).WithGrad(), qd.From(dev, []float64{1, 1}), qd.From(dev, []float64{2, 3})
			plain := []float64{1, 1}
			tape := qd.NewTape(dev, options...)
			steps, checkpoint := tape.Steps, tape.Checkpoint
			if !nested {
				steps = func(n int, f func(i int) error) (err error) {
					for i := 0; i < n && err == nil; i++ {
						err = f(i)
					}
					return err
				}
				checkpoint = func(f func() error) error { return f() }
			}
			outer := func(i int) error {
				if i == 5 {
					must(t, z.CopyFrom([]float64{0.5, 0.25}))
				}
				plain[0], plain[1] = 1+0.1*float64(i), 1-0.1*float64(i)
				must(t, tape.Launch(mixOf, qd.Dim(2), x, plain, y))
				must(t, steps(i%4, func(j int) error {
					if j == 2 {
						must(t, tape.Launch(mixOf, qd.Dim(2), y, z, z))
					}
					return tape.Launch(turnOf, qd.Dim(2), x, y)
				}))
				return checkpoint(func() error {
					must(t, steps(2, func(int) error { return tape.Launch(mixOf, qd.Dim(2), y, z, z) }))
					return tape.Launch(mixOf, qd.Dim(2), z, y, x)
				})
			}
			must(t, steps(9, outer), checkpoint(func() error { return steps(6, outer) }))
			must(t, tape.BackwardFrom(z, []float64{1, 2}))
			return x.Grad().Slice()
		}
		want := run(false)
		for snapshots := range 5 {
			near(t, fmt.Sprint(snapshots, " snapshots"), run(true, qd.TapeSnapshots(snapshots)), want)
		}
		near(t, "with a bound", run(true, qd.TapeMemory(10000)), want)
	})
}

// What recording adds to a launch is one allocation, for the list of the checked arguments, which the record keeps. A tape that is used
// again keeps what it cuts records from, and small copies of arrays.
func TestTapeAllocations(t *testing.T) {
	dev := cpuDevice(t)
	const launches = 1000
	x, y, z := qd.Zeros[float64](dev, 16).WithGrad(), qd.Zeros[float64](dev, 16), qd.Zeros[float64](dev, 16)
	tape := qd.NewTape(dev)
	count := func(loop func(n int, f func(i int) error) error, launch func() error) float64 {
		return testing.AllocsPerRun(3, func() {
			must(t, loop(launches, func(int) error { return launch() }))
			tape.Reset()
		}) / launches
	}
	each := func(n int, f func(i int) error) error {
		for i := range n {
			if err := f(i); err != nil {
				return err
			}
		}
		return nil
	}
	plain := count(each, func() error { return dev.Launch(mulBy, qd.Dim(16), x, y, z) })
	for _, tt := range []struct {
		what string
		y    *qd.Array[float64]
		loop func(n int, f func(i int) error) error
		most float64
	}{
		{"nothing is copied", y, each, 1.2},
		{"an array is copied", z, each, 1.2},
		{"a step of a loop", z, tape.Steps, 1.4},
	} {
		n := count(tt.loop, func() error { return tape.Launch(mulBy, qd.Dim(16), x, tt.y, z) }) - plain
		if t.Logf("%s: %.2f allocations for each launch", tt.what, n); n > tt.most {
			t.Errorf("%s: %.2f allocations for each launch, more than %.1f", tt.what, n, tt.most)
		}
	}
}

//qd:kernel
func takeNumbers(t qd.Thread, next []int32, number []int32) {
	number[t.ID()] = qd.AtomicAdd(&next[0], 1)
}

//qd:kernel
func scaleByNumber(t qd.Thread, number []int32, factor, x []float64) {
	x[t.ID()] *= factor[number[t.ID()]]
}

// What depends on the order of threads is not found again when steps are run again: it is kept.
func TestTapeStepsOrder(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		const n = 1 << 12
		start, factors, ones := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range n {
			start[i], factors[i], ones[i] = 1+float64(i%7), 1+float64(i)/n, 1
		}
		x, factor := qd.From(dev, start).WithGrad(), qd.From(dev, factors)
		next, number := qd.Zeros[int32](dev, 1), qd.Zeros[int32](dev, n)
		for _, loop := range []func(tape *qd.Tape, step func(int) error) error{
			func(tape *qd.Tape, step func(int) error) error { return tape.Steps(5, step) },
			func(tape *qd.Tape, step func(int) error) error {
				return tape.Checkpoint(func() error { return errors.Join(step(0), step(1)) })
			},
		} {
			must(t, x.CopyFrom(start), x.ZeroGrad())
			tape := qd.NewTape(dev, qd.TapeSnapshots(1))
			must(t, loop(tape, func(int) error {
				return errors.Join(next.Fill(0), tape.Launch(takeNumbers, qd.Dim(n), next, number), tape.Launch(scaleByNumber, qd.Dim(n), number, factor, x))
			}), tape.BackwardFrom(x, ones))
			grad, end := x.Grad().Slice(), x.Slice()
			for i := range grad {
				if got := grad[i] * start[i]; math.Abs(got-end[i]) > 1e-9*end[i] {
					t.Fatalf("element %d: %v, not %v", i, got, end[i])
				}
			}
			tape.Reset()
		}
	})
}
