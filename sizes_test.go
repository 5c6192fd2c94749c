package qd_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/internal/fakecuda"
	"github.com/qdgen/qd/internal/fakenvrtc"
	"github.com/qdgen/qd/qdreg"
)

// huge is 1 << bits as no constant, which an int of 32 bits does not hold.
func huge(bits int) int { return 1 << bits }

// bySize computes its index by way of a product, which has to have all bits that it needs. A number, which no thread has, gives each
// test a module of its own.
//
//qd:kernel
func bySize(t qd.Thread, number qd.Const[int], scale int, x []int32) {
	i := t.ID() * scale / scale
	if i == 100+number.V {
		return
	}
	x[i] += int32(i) + 1
}

//qd:kernel
func bySizeUpAndDown(g qd.Grid, scale int, x []int32) {
	for s := 1; s <= scale; s <<= 15 {
		g.For(len(x), func(i int) { x[i*s/s] += 1 })
	}
	for s := scale; s >= 1; s >>= 15 {
		g.For(len(x), func(i int) { x[i*s/s] += 10 })
	}
}

//qd:kernel
func bySizeSquare(t qd.Thread, scale int, x, y []float64) {
	i := t.ID() * scale / scale
	y[i] = x[i] * x[i]
}

// bySizeWhile has a backward kernel that keeps values, and another kernel that counts them.
//
//qd:kernel
func bySizeWhile(t qd.Thread, scale int, x, y []float64) {
	i := t.ID() * scale / scale
	v, s := x[i], 0.0
	for v > 0.01 {
		s += v * v
		v *= 0.5
	}
	y[i] = s
}

//qd:kernel
func bySizeGridSquare(g qd.Grid, scale int, x, y []float64) {
	for s := 1; s <= scale; s <<= 15 {
		g.For(len(x), func(i int) { y[i*s/s] += x[i*s/s] * x[i] })
	}
}

// The tests of sizes, in a process of their own with the fake driver: they have it fail.
func TestWithoutGPUSizes(t *testing.T) {
	if os.Getenv("QD_FAKENVRTC_HELPER") != "" {
		t.Skip("this is that process")
	}
	tests, last := "^TestSizes", "TestSizesGradient"
	if raceDetector { // which sees nothing in those that launch one kernel after the other
		tests, last = "^TestSizes(Graph|AtOnce|Build)$", "TestSizesAtOnce"
	}
	cmd := exec.Command(os.Args[0], "-test.v", "-test.timeout", "5m", "-test.run", tests)
	cmd.Env = fakenvrtc.Env(t)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "PASS: "+last+"/cuda:0") {
		t.Errorf("%v\n%s", err, out)
	}
}

// A sizesTest counts the modules that launches load.
type sizesTest struct {
	*testing.T
	dev    *qd.Device
	driver *fakecuda.Driver
}

// loads makes a launch, which is to load so many modules.
func (t *sizesTest) loads(what string, want int, launch func() error) {
	t.Helper()
	before := t.driver.Calls("cuModuleLoadDataEx")
	noError(t.T, launch())
	if n := t.driver.Calls("cuModuleLoadDataEx") - before; n != want {
		t.Errorf("%s: %d modules loaded, not %d", what, n, want)
	}
}

// onSizes runs a test of what a launch loads.
func onSizes(t *testing.T, f func(t *sizesTest)) {
	if os.Getenv("QD_FAKENVRTC_HELPER") == "" {
		t.Skip("for the fake driver")
	}
	driver := fakecuda.Opened(t)
	onAll(t, func(t *testing.T, dev *qd.Device) { f(&sizesTest{t, dev, driver}) })
}

func wantScaled(t *testing.T, x []int32, times int32) {
	t.Helper()
	if want := []int32{times, 2 * times, 3 * times, 4 * times}; !slices.Equal(x, want) {
		t.Errorf("%v, want %v", x, want)
	}
}

// Which build a launch runs follows from its arguments: that for small ones below the limit, beyond it one for all, which is built once.
func TestSizes(t *testing.T) {
	onSizes(t, func(t *sizesTest) {
		only := qd.C(1)
		x := make([]int32, 4)
		launches := []struct {
			what  string
			scale int
			loads int
		}{
			{"the first launch", 7, 1},
			{"the largest small number", 1<<30 - 1, 0},
			{"the smallest small number", 1 - 1<<30, 0},
			{"a number that is not small", 1 << 30, 1},
			{"one that 32 bits do not hold", huge(31), 0},
			{"nor 33", huge(33), 0},
			{"a negative one", -1 << 30, 0},
			{"a small one again", 3, 0},
			{"and a large one", huge(40) + 1, 0},
		}
		for i, c := range launches {
			t.loads(c.what, c.loads, func() error { return t.dev.Launch(bySize, qd.Dim(4), only, c.scale, x) })
			wantScaled(t.T, x, int32(i+1))
		}
		only = qd.C(2)
		t.loads("a kernel that is launched with a large number first", 2, func() error { return t.dev.Launch(bySize, qd.Dim(4), only, huge(40), x) })
		t.loads("and with a small one then", 0, func() error { return t.dev.Launch(bySize, qd.Dim(4), only, 5, x) })
		wantScaled(t.T, x, int32(len(launches)+2))
	})
}

// A checked build for large launches says where an index is wrong, with all of its bits.
func TestSizesChecked(t *testing.T) {
	onSizes(t, func(t *sizesTest) {
		dev, x := t.dev.Checked(), make([]int32, 4)
		noError(t.T, dev.Launch(shiftedBy, qd.Dim(2), 1, x))
		var fault *qd.Fault
		if err := dev.Launch(shiftedBy, qd.Dim(2), huge(32)+3, x); !errors.As(err, &fault) {
			t.Fatalf("the error is %v", err)
		}
		wants(t.T, fault, "4294967299")
		noError(t.T, dev.Launch(shiftedBy, qd.Dim(2), 2, x))
		if !slices.Equal(x, []int32{0, 1, 2, 1}) {
			t.Errorf("%v", x)
		}
	})
}

//qd:kernel
func shiftedBy(t qd.Thread, by int, x []int32) { x[t.ID()+by] += 1 }

// The loops of a Grid kernel take their builds one by one, on the way up and down.
func TestSizesGrid(t *testing.T) {
	onSizes(t, func(t *sizesTest) {
		x, want := make([]int32, 4), int32(0)
		for _, c := range []struct {
			what         string
			scale, loads int
			each         int32
		}{
			{"small loops", 1 << 15, 1, 2},
			{"loops beyond the limit", huge(45), 1, 4},
			{"small ones again", 1, 0, 1},
			{"and more", huge(46), 0, 4},
		} {
			t.loads(c.what, c.loads, func() error { return t.dev.Run(bySizeUpAndDown, c.scale, x) })
			want += 11 * c.each
			if !slices.Equal(x, []int32{want, want, want, want}) {
				t.Errorf("%s: %v, not all %d", c.what, x, want)
			}
		}
		on := qd.Zeros[int32](t.dev, 4)
		run, err := t.dev.BindRun(bySizeUpAndDown, huge(45), on)
		noError(t.T, err)
		for range 3 {
			t.loads("a Grid kernel that was prepared", 0, run.Launch)
		}
		wantInts(t.T, on, 132, 132, 132, 132)
	})
}

// Which build a launch runs that was prepared is known then: the builds follow each other in any order, and allocate nothing.
func TestSizesPrepared(t *testing.T) {
	onSizes(t, func(t *sizesTest) {
		only, on := qd.C(3), qd.Zeros[int32](t.dev, 4)
		prepared := func(scale, loads int) (p *qd.Prepared) {
			t.loads("preparing", loads, func() (err error) {
				p, err = t.dev.Bind(bySize, qd.Dim(4), only, scale, on)
				return err
			})
			return p
		}
		small, large, other := prepared(1, 1), prepared(huge(31), 1), prepared(1<<30, 0)
		for range 3 {
			t.loads("prepared launches", 0, func() error { return errors.Join(small.Launch(), large.Launch(), other.Launch()) })
		}
		wantScaled(t.T, on.Slice(), 9)
		for _, p := range []*qd.Prepared{small, large} {
			var err error
			if n := testing.AllocsPerRun(100, func() { err = p.Launch() }); n != 0 || err != nil {
				t.Errorf("%v allocations, error %v", n, err)
			}
		}
		if raceDetector { // which has a sync.Pool forget things at random
			return
		}
		// What a launch is asked for its size takes no memory: one of a kernel that has no size to ask for takes as much.
		x, allocations := make([]int32, 4), func(kernel any, args ...any) float64 {
			var err error
			n := testing.AllocsPerRun(100, func() { err = t.dev.Launch(kernel, qd.Dim(4), args...) })
			noError(t.T, err)
			return n
		}
		if small, plain := allocations(bySize, only, 1, x), allocations(unsized, only, 1, x); small > plain {
			t.Errorf("a launch of a kernel with sizes makes %v allocations, another one %v", small, plain)
		}
	})
}

//qd:kernel
func unsized(t qd.Thread, _ qd.Const[int], by int, x []int32) { x[t.ID()] += int32(by) }

// A graph has the builds that its launches need, and none is loaded for its runs.
func TestSizesGraph(t *testing.T) {
	onSizes(t, func(t *sizesTest) {
		only, on, loops := qd.C(4), qd.Zeros[int32](t.dev, 4), qd.Zeros[int32](t.dev, 4)
		noError(t.T, errors.Join(t.dev.Launch(bySize, qd.Dim(4), only, 1, on), t.dev.Run(bySizeUpAndDown, huge(45), loops))) // which loads
		var g *qd.Graph
		t.loads("recording", 1, func() error {
			g = recorded(t.T, t.dev, func(s *qd.Stream) error {
				return errors.Join(s.Launch(bySize, qd.Dim(4), only, huge(33), on), s.Launch(bySize, qd.Dim(4), only, 2, on), s.Run(bySizeUpAndDown, huge(45), loops),
					s.Launch(bySize, qd.Dim(4), only, huge(60), on))
			})
			return nil
		})
		for range 3 {
			t.loads("a graph", 0, g.Launch)
		}
		noError(t.T, t.dev.Wait())
		wantScaled(t.T, on.Slice(), 1+3*3)
		wantInts(t.T, loops, 4*44, 4*44, 4*44, 4*44)
		var err error
		if n := testing.AllocsPerRun(100, func() { err = g.Launch() }); n != 0 || err != nil {
			t.Errorf("%v allocations, error %v", n, err)
		}
		s, err := t.dev.NewStream()
		noError(t.T, err)
		noError(t.T, errors.Join(s.Launch(bySize, qd.Dim(4), only, huge(50), on), s.Launch(bySize, qd.Dim(4), only, 1, on), s.Close()))
	})
}

// Backward kernels take their builds as other kernels do: with what they count and keep, all at once and in batches, and in the
// loops of a Grid kernel.
func TestSizesGradient(t *testing.T) {
	onSizes(t, func(t *sizesTest) {
		host := []float64{1, 2, 3, 4}
		var while []float64
		for _, x := range host {
			sum := 0.0
			for v, d := x, 1.0; v > 0.01; v, d = v/2, d/2 {
				sum += 2 * v * d
			}
			while = append(while, sum)
		}
		for _, scale := range []int{1 << 15, huge(45)} {
			y := make([]float64, 4)
			must(t.T, t.dev.Launch(bySizeSquare, qd.Dim(4), scale, host, y), t.dev.Launch(bySizeWhile, qd.Dim(4), scale, host, y), t.dev.Run(bySizeGridSquare, scale, host, y))
		}
		var results []float64
		gradient := func(scale int, launch func(tape *qd.Tape, scale int, x, y *qd.Array[float64]) error, options ...qd.TapeOption) []float64 {
			x, y := qd.From(t.dev, host).WithGrad(), qd.Zeros[float64](t.dev, len(host))
			tape := qd.NewTape(t.dev, options...)
			must(t.T, launch(tape, scale, x, y))
			results = y.Slice()
			must(t.T, tape.BackwardFrom(y, []float64{1, 1, 1, 1}))
			return x.Grad().Slice()
		}
		square := func(tape *qd.Tape, scale int, x, y *qd.Array[float64]) error {
			return tape.Launch(bySizeSquare, qd.Dim(4), scale, x, y)
		}
		loop := func(tape *qd.Tape, scale int, x, y *qd.Array[float64]) error {
			return tape.Launch(bySizeWhile, qd.Dim(4), scale, x, y)
		}
		grid := func(tape *qd.Tape, scale int, x, y *qd.Array[float64]) error {
			return tape.Run(bySizeGridSquare, scale, x, y)
		}
		batches := qd.TapeMemory(4*8 + 2*10*8) // for y, and for two threads at once
		for _, c := range []struct {
			what         string
			scale, loads int // of backward kernels
			launch       func(tape *qd.Tape, scale int, x, y *qd.Array[float64]) error
			options      []qd.TapeOption
			want         []float64
		}{
			{"small", 3, 1, square, nil, []float64{2, 4, 6, 8}},
			{"large", huge(40), 1, square, nil, []float64{2, 4, 6, 8}},
			{"small again", 1<<30 - 1, 0, square, nil, []float64{2, 4, 6, 8}},
			{"large again", huge(60), 0, square, nil, []float64{2, 4, 6, 8}},
			{"what is kept", 3, 1, loop, nil, while},
			{"what is kept of a large launch", huge(40), 1, loop, nil, while},
			{"small batches", 3, 1, loop, []qd.TapeOption{batches}, while},
			{"large batches", huge(40), 1, loop, []qd.TapeOption{batches}, while},
			{"a Grid kernel", 1 << 15, 1, grid, nil, []float64{4, 8, 12, 16}},
			{"a Grid kernel with large loops", huge(45), 1, grid, nil, []float64{8, 16, 24, 32}},
		} {
			t.loads(c.what, c.loads, func() error {
				near(t.T, c.what, gradient(c.scale, c.launch, c.options...), c.want)
				for i, y := range results {
					if y == 0 {
						t.Errorf("%s: result %d was not computed", c.what, i)
					}
				}
				return nil
			})
		}
	})
}

// Goroutines that need a build for large launches at once have one made.
func TestSizesAtOnce(t *testing.T) {
	onSizes(t, func(t *sizesTest) {
		only := qd.C(5)
		noError(t.T, t.dev.Launch(bySize, qd.Dim(4), only, 1, make([]int32, 4)))
		const goroutines = 8
		var all sync.WaitGroup
		errs, results := make([]error, goroutines), make([][]int32, goroutines)
		t.loads("goroutines", 1, func() error {
			for i := range goroutines {
				scale := huge(40) + i
				if i%3 == 1 {
					scale = 5 // small ones go on beside
				}
				results[i] = make([]int32, 4)
				all.Go(func() { errs[i] = t.dev.Launch(bySize, qd.Dim(4), only, scale, results[i]) })
			}
			all.Wait()
			return errors.Join(errs...)
		})
		for _, x := range results {
			wantScaled(t.T, x, 1)
		}
	})
}

// A build for large launches that fails fails the launch. Others are not affected, and the next large one tries again.
func TestSizesFailing(t *testing.T) {
	onSizes(t, func(t *sizesTest) {
		only, x, on := qd.C(6), make([]int32, 4), qd.Zeros[int32](t.dev, 4)
		large := func() error { return t.dev.Launch(bySize, qd.Dim(4), only, huge(40), x) }
		small := func() error { return t.dev.Launch(bySize, qd.Dim(4), only, 1, x) }
		loops := func() error { return t.dev.Run(failingUpAndDown, huge(45), on) }
		noError(t.T, errors.Join(small(), t.dev.Run(failingUpAndDown, 1, on)))

		accept := fakenvrtc.Reject(t.T, "extern")
		for range 2 {
			wants(t.T, large(), "rejected")
			noError(t.T, small())
			wants(t.T, loops(), "rejected")
		}
		_, err := t.dev.Bind(bySize, qd.Dim(4), only, huge(40), on)
		wants(t.T, err, "rejected")
		accept()

		t.driver.Configure(t.T, "cuModuleLoadDataEx=200@1")
		wants(t.T, large(), "load")
		wantScaled(t.T, x, 3)
		t.loads("the next launch", 1, large)
		t.loads("another one", 0, large)
		wantScaled(t.T, x, 5)
		noError(t.T, errors.Join(on.Fill(0), loops()))
		wantInts(t.T, on, 4, 4, 4, 4)
	})
}

//qd:kernel
func failingUpAndDown(g qd.Grid, scale int, x []int32) {
	for s := 1; s <= scale; s <<= 15 {
		g.For(len(x), func(i int) { x[i*s/s] += 1 })
	}
}

var sizesGain = 2

func init() {
	qdreg.Vars("github.com/qdgen/qd_test", map[string]any{"sizesGain": &sizesGain})
}

//qd:kernel
func bySizeGain(t qd.Thread, scale int, x []int32) {
	i := t.ID() * scale / scale
	x[i] += int32(sizesGain)
}

//qd:kernel
func bySizeGainLoops(g qd.Grid, scale []int, x []int32) {
	s := scale[0]
	g.For(len(x), func(i int) { x[i*s/s] += int32(sizesGain) })
}

// Builds for large launches have the values of package variables that the launch has, whenever they are made.
func TestSizesVariables(t *testing.T) {
	onSizes(t, func(t *sizesTest) {
		defer func() { sizesGain = 2 }()
		on, loops, scale := qd.Zeros[int32](t.dev, 4), qd.Zeros[int32](t.dev, 4), []int{1}
		small, err := t.dev.Bind(bySizeGain, qd.Dim(4), 1, on)
		noError(t.T, err)
		run, err := t.dev.BindRun(bySizeGainLoops, scale, loops)
		noError(t.T, err)
		graph := recorded(t.T, t.dev, func(s *qd.Stream) error { return s.Run(bySizeGainLoops, scale, loops) })
		var want [2]int32
		for _, c := range []struct{ gain, scale int }{{2, 1}, {3, 1}, {3, huge(40)}, {2, huge(40)}, {4, huge(40)}, {4, 1}, {2, 1}, {5, huge(40)}} {
			sizesGain, scale[0] = c.gain, c.scale
			large, err := t.dev.Bind(bySizeGain, qd.Dim(4), c.scale, on)
			noError(t.T, err)
			noError(t.T, errors.Join(small.Launch(), large.Launch(), run.Launch(), graph.Launch()))
			want[0] += int32(2 * c.gain)
			want[1] += int32(2 * c.gain)
			wantInts(t.T, on, want[0], want[0], want[0], want[0])
			wantInts(t.T, loops, want[1], want[1], want[1], want[1])
		}
	})
}

// A build for large launches is not begun once the context of the launch has ended.
func TestSizesContext(t *testing.T) {
	onSizes(t, func(t *sizesTest) {
		ctx, cancel := context.WithCancel(t.Context())
		on, scale := qd.Zeros[int32](t.dev, 4), []int{1}
		ending, err := t.dev.WithContext(ctx).BindRun(withContextLoops, scale, on)
		noError(t.T, err)
		other, err := t.dev.BindRun(withContextLoops, scale, on)
		noError(t.T, errors.Join(err, ending.Launch()))
		cancel()
		scale[0] = huge(40)
		t.loads("the launch whose context has ended", 0, func() error {
			if err := ending.Launch(); !errors.Is(err, context.Canceled) {
				t.Errorf("error %v", err)
			}
			return nil
		})
		t.loads("another one", 1, other.Launch)
		wantInts(t.T, on, 2, 2, 2, 2)
	})
}

//qd:kernel
func withContextLoops(g qd.Grid, scale []int, x []int32) {
	s := scale[0]
	g.For(len(x), func(i int) { x[i*s/s]++ })
}

// Kernels that were built together find theirs of any size.
func TestSizesBuild(t *testing.T) {
	onSizes(t, func(t *sizesTest) {
		noError(t.T, t.dev.Build(qd.Spec(bySize, qd.C(7)), qd.Spec(bySize, qd.C(8)), qd.Spec(bySize, qd.C(9)), builtGrid, builtSquare))
		x, y := make([]int32, 4), make([]int32, 4)
		for range 2 {
			for i := range 3 {
				noError(t.T, errors.Join(t.dev.Launch(bySize, qd.Dim(4), qd.C(7+i), huge(40), x), t.dev.Launch(bySize, qd.Dim(4), qd.C(7+i), 1, x)))
			}
			noError(t.T, errors.Join(t.dev.Run(builtGrid, huge(40), y), t.dev.Launch(builtSquare, qd.Dim(4), huge(40), y)))
		}
		wantScaled(t.T, x, 12)
		if !slices.Equal(y, []int32{4, 8, 12, 16}) {
			t.Errorf("%v", y)
		}
	})
}

//qd:kernel
func builtGrid(g qd.Grid, scale int, x []int32) {
	g.For(len(x), func(i int) { x[i*scale/scale] += 1 })
	g.For(len(x), func(i int) { x[i*scale/scale] += int32(i) })
}

//qd:kernel
func builtSquare(t qd.Thread, scale int, x []int32) {
	i := t.ID() * scale / scale
	x[i] += int32(i) + 1
}
