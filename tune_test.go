package qd_test

import (
	"errors"
	"log/slog"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/qdgen/qd"
)

// A tuneConfig says how many elements a thread adds to.
type tuneConfig struct {
	Per  int
	Skew float32
}

// addTo works in place: what a trial writes, the next one reads.
func addTo(t qd.Thread, c qd.Const[tuneConfig], x []float32, by float32) {
	for i := range qd.Static(c.V.Per) {
		if j := t.ID()*c.V.Per + i; j < len(x) {
			x[j] += by + c.V.Skew
		}
	}
}

var addGrid = qd.TuneGrid(func(c tuneConfig, a qd.Args) qd.Dims { return qd.Dim((a.Len("x") + c.Per - 1) / c.Per) })

func addConfigs() []tuneConfig { return []tuneConfig{{Per: 1}, {Per: 2}, {Per: 4}} }

// What trials write in place is put back, whatever the device and the kind of argument.
func TestTuneInPlace(t *testing.T) {
	for _, dev := range devices(t) {
		t.Run(dev.String(), func(t *testing.T) {
			add := qd.Tune(qd.NewKernel(addTo).WithDevice(dev), addConfigs(), addGrid, qd.TuneKey("x"))
			plain := make([]float32, 1000)
			array := qd.From(dev, plain)
			for run := range 3 {
				for _, x := range []any{plain, array} {
					if err := add.Run(x, 1.5); err != nil {
						t.Fatal(err)
					}
				}
				for _, x := range [][]float32{plain, array.Slice()} {
					for i, v := range x {
						if v != 1.5*float32(run+1) {
							t.Fatalf("x[%d] = %v after %d runs", i, v, run+1)
						}
					}
				}
			}
		})
	}
}

// A tuned kernel measures what it does not know: another shape, another kernel, a new configuration.
func TestTuneKept(t *testing.T) {
	for _, name := range []string{"go", "cpu"} {
		for _, dev := range opened(t, name) {
			t.Run(name, func(t *testing.T) {
				t.Setenv("QD_CACHE_SIZE", "")
				kernel := qd.NewKernel(addTo).WithDevice(dev)
				tune := func(configs ...tuneConfig) *qd.Tuned {
					return qd.Tune(kernel, configs, addGrid, qd.TuneKey("x", "by"))
				}
				by := unmeasured()
				log := tuneLog(t)
				expect := func(what string, m *qd.Tuned, n int, want string) {
					t.Helper()
					if err := m.Run(make([]float32, n), by); err != nil {
						t.Fatal(err)
					}
					if got := log(); (want == "") != (got == "") || !strings.Contains(got, want) {
						t.Errorf("%s: the log is %q, want %q", what, got, want)
					}
				}
				a, b, c := tuneConfig{Per: 1}, tuneConfig{Per: 2}, tuneConfig{Per: 4}
				first := tune(a, b)
				expect("first", first, 101, "measured 2 of 2")
				expect("again", first, 101, "")
				expect("another shape", first, 102, "x=102")
				expect("known", tune(a, b), 101, "")
				expect("one more", tune(a, b, c), 101, "measured 1 of 3")
				expect("all known", tune(c, b, a), 101, "")
				t.Setenv("QD_TUNE", "force")
				expect("forced", tune(a, b), 101, "measured 2 of 2")
				t.Setenv("QD_TUNE", "off")
				expect("off", tune(a, b), 103, "")
				if best, err := tune(c, b).Best(make([]float32, 104), by); err != nil || best != c {
					t.Errorf("with QD_TUNE=off the best is %v (%v), want the first", best, err)
				}
				t.Setenv("QD_TUNE", "perhaps")
				if err := tune(a).Run(make([]float32, 105), by); err == nil || !strings.Contains(err.Error(), "QD_TUNE=perhaps") {
					t.Errorf("QD_TUNE=perhaps: %v", err)
				}
			})
		}
	}
}

// unmeasured is an argument that no run of the tests has had: what they measure is kept.
func unmeasured() float32 { return rand.Float32() }

// tuneLog has what is said about tuning collected: the function gives what was said since its last call.
func tuneLog(t *testing.T) func() string {
	var b strings.Builder
	record := slog.New(slog.NewTextHandler(&b, &slog.HandlerOptions{Level: slog.LevelDebug}))
	old := slog.Default()
	slog.SetDefault(record)
	t.Cleanup(func() { slog.SetDefault(old) })
	return func() string {
		var said []string
		for _, line := range strings.Split(b.String(), "\n") {
			if strings.Contains(line, "tun") {
				said = append(said, line)
			}
		}
		b.Reset()
		return strings.Join(said, "\n")
	}
}

func asserting(t qd.Thread, c qd.Const[int], x []float32, by float32) {
	qd.StaticAssert(c.V > 1, "too small")
	if i := t.ID(); i < len(x) {
		x[i] = float32(qd.Static(6 / c.V * c.V))
	}
}

// A configuration that cannot be built, or whose results differ, is left out and said; it is an error only if none is
// left.
func TestTuneLeftOut(t *testing.T) {
	grid := qd.TuneGrid(func(_ int, a qd.Args) qd.Dims { return qd.Dim(a.Len("x")) })
	for _, dev := range devices(t) {
		t.Run(dev.String(), func(t *testing.T) {
			log := tuneLog(t)
			k := qd.NewKernel(asserting).WithDevice(dev)
			x, by := make([]float32, 10), unmeasured()
			for _, m := range []*qd.Tuned{
				qd.Tune(k, []int{1, 2}, grid, qd.TuneKey("by")),
				qd.Tune(k, []int{2, 4, 5}, grid, qd.TuneVerify(0), qd.TuneKey("x", "by")),
			} {
				best, err := m.Best(x, by)
				if err != nil || best != 2 {
					t.Fatalf("best is %v, %v", best, err)
				}
				if said := log(); !strings.Contains(said, "left out") {
					t.Errorf("nothing is said about what was left out: %q", said)
				}
			}
			// 4 is within a third of 6.
			if best, err := qd.Tune(k, []int{2, 4}, grid, qd.TuneVerify(0.5)).Best(make([]float32, 11), by); err != nil {
				t.Error(best, err)
			}
			err := qd.Tune(k, []int{1, 0}, grid).Run(x, by)
			var ds *qd.Diagnostics
			if err == nil || !strings.Contains(err.Error(), "no configuration can be used") || !errors.As(err, &ds) {
				t.Errorf("no configuration is right: %v", err)
			}
			err = qd.Tune(k, []int{1, 3}, qd.TuneGrid(func(int, qd.Args) qd.Dims { return qd.Dim(-1) })).Run(x, by)
			if err == nil || !strings.Contains(err.Error(), "configurations 1, 3: ") {
				t.Errorf("what is wrong with both configurations is not said once: %v", err)
			}
			pruned := qd.TunePrune(func(n int, a qd.Args) bool { return n < a.Len("x") })
			if best, err := qd.Tune(k, []int{2, 40}, grid, pruned).Best(make([]float32, 12), by); err != nil || best != 40 {
				t.Errorf("pruned: %v, %v", best, err)
			}
		})
	}
}

func tuneGridKernel(g qd.Grid, c qd.Const[tuneConfig], n int, x []float32) {
	for range n {
		g.For(len(x)/c.V.Per, func(i int) {
			for j := range qd.Static(c.V.Per) {
				x[i*c.V.Per+j]++
			}
		})
	}
}

func blockSum(b qd.Block, c qd.Const[tuneConfig], x, sum []float32) {
	shared := qd.Shared[float32](b, 64)
	b.For(64, func(i int) { shared[i] = 0 })
	b.For(c.V.Per, func(i int) { shared[i] = x[b.ID()*c.V.Per+i] })
	b.For(1, func(int) {
		s := float32(0)
		for _, v := range shared {
			s += v
		}
		qd.AtomicAdd(&sum[0], s)
	})
}

// Grid and Block kernels are tuned too, with block sizes.
func TestTuneKinds(t *testing.T) {
	for _, dev := range devices(t) {
		t.Run(dev.String(), func(t *testing.T) {
			x := make([]float32, 64)
			configs := []tuneConfig{{Per: 8}, {Per: 16}}
			grid := qd.Tune(qd.NewKernel(tuneGridKernel).WithDevice(dev), configs, qd.TuneKey("n"))
			if err := grid.Run(3, x); err != nil || x[0] != 3 || x[63] != 3 {
				t.Error(x, err)
			}
			sum := make([]float32, 1)
			block := qd.Tune(qd.NewKernel(blockSum).WithDevice(dev), configs,
				qd.TuneGrid(func(c tuneConfig, a qd.Args) qd.Dims { return qd.Dim(a.Dim("x", 0) / c.Per) }),
				qd.TuneBlockDim(func(c tuneConfig) int { return 4 * c.Per }))
			if err := block.Run(x, sum); err != nil || sum[0] != 3*64 {
				t.Error(sum, err)
			}
		})
	}
}

// What is wrong with a tuned kernel is the error of its runs.
func TestTuneErrors(t *testing.T) {
	x := make([]float32, 4)
	good := []tuneConfig{{Per: 1}}
	dim := func(name string, axis int) qd.TuneOption {
		return qd.TuneGrid(func(_ tuneConfig, a qd.Args) qd.Dims { return qd.Dim(a.Dim(name, axis)) })
	}
	for _, c := range []struct {
		tuned *qd.Tuned
		args  []any
		want  string
	}{
		{nil, []any{x, 1}, "the tuned kernel is nil"},
		{new(qd.Tuned), []any{x, 1}, "the tuned kernel is nil"},
		{qd.Tune(nil, good, addGrid), []any{x, 1}, "the kernel is nil"},
		{qd.Tune(addTo, []tuneConfig{}, addGrid), []any{x, 1}, "there are no configurations"},
		{qd.Tune(addTo, []int{1}, addGrid), []any{x, 1}, "no parameter of type qd.Const[int]"},
		{qd.Tune(addTo, good), []any{x, 1}, "needs qd.TuneGrid"},
		{qd.Tune(tuneGridKernel, good, addGrid), []any{1, x}, "remove qd.TuneGrid"},
		{qd.Tune(addTo, []tuneConfig{{Per: 1}, {Per: 1}}, addGrid), []any{x, 1}, "{Per:1 Skew:0} is given twice"},
		{qd.Tune(addTo, good, addGrid), []any{x}, "1 argument for 2 parameters"},
		{qd.Tune(addTo, good, addGrid, qd.TuneKey("y")), []any{x, 1}, "the kernel's parameters are x, by"},
		{qd.Tune(addTo, good, dim("y", 0)), []any{x, 1}, "no parameter named y; its parameters are c, x, by"},
		{qd.Tune(addTo, good, dim("x", 1)), []any{x, 1}, "parameter x has 1 dimension; there is no axis 1"},
		{qd.Tune(addTo, good, dim("x", -1)), []any{x, 1}, "parameter x has 1 dimension; there is no axis -1"},
		{qd.Tune(addTo, good, dim("by", 0)), []any{x, 1}, "the argument for parameter by is of type int, which is neither a slice nor a view"},
		{qd.Tune(addTo, good, addGrid), []any{nil, 1}, "the argument for parameter x is nil"},
		{qd.Tune(addTo, good, addGrid), []any{(*qd.Array[float32])(nil), 1}, "the argument for parameter x is nil"},
		{qd.Tune(addTo, good, addGrid), []any{1, x}, "the argument for parameter x is of type int, which is neither a slice nor a view"},
		{qd.Tune(addTo, good, addGrid, qd.TunePrune(func(tuneConfig, qd.Args) bool { return true })), []any{x, 1}, "leaves no configuration"},
		{qd.Tune(addTo, good, qd.TuneGrid[tuneConfig](nil)), []any{x, 1}, "qd.TuneGrid was given no function"},
		{qd.Tune(addTo, good, qd.TuneGrid(func(int, qd.Args) qd.Dims { return qd.Dim(1) })), []any{x, 1}, "the function given to qd.TuneGrid takes configurations of type int; the configurations are of type qd_test.tuneConfig"},
		{qd.Tune(addTo, good, addGrid, qd.TuneBlockDim(func(int) int { return 1 })), []any{x, 1}, "the function given to qd.TuneBlockDim takes configurations of type int"},
		{qd.Tune(addTo, good, addGrid, qd.TuneStages[tuneConfig](nil)), []any{x, 1}, "qd.TuneStages was given no function"},
		{qd.Tune(addTo, good, addGrid, qd.TuneStages(func(int) int { return 1 })), []any{x, 1}, "the function given to qd.TuneStages takes configurations of type int"},
		{qd.Tune(addTo, good, addGrid, qd.TuneStages(func(tuneConfig) int { return 9 })), []any{x, 1}, "a loop has 1 to 8 stages, not 9"},
		{qd.Tune(addTo, good, addGrid, qd.TuneStages(func(tuneConfig) int { return 0 })), []any{x, 1}, "a loop has 1 to 8 stages, not 0"},
		{qd.Tune(addTo, good, addGrid, qd.TuneStages(func(tuneConfig) int { panic("no stages") })), []any{x, 1}, "the function given to qd.TuneStages panics: no stages"},
		{qd.Tune(addTo, good, addGrid, qd.TunePrune(func(string, qd.Args) bool { return false })), []any{x, 1}, "the function given to qd.TunePrune takes configurations of type string"},
		{qd.Tune(addTo, good, addGrid, qd.TunePrune[tuneConfig](nil)), []any{x, 1}, "qd.TunePrune was given no function"},
		{qd.Tune(addTo, good, addGrid, qd.TuneBudget(-time.Second)), []any{x, 1}, "qd.TuneBudget was given -1s"},
		{qd.Tune(addTo, good, addGrid, qd.TuneVerify(math.NaN())), []any{x, 1}, "qd.TuneVerify was given NaN"},
		{qd.Tune(addTo, good, addGrid, qd.TuneVerify(-0.5)), []any{x, 1}, "qd.TuneVerify was given -0.5"},
		{qd.Tune(addTo, good, qd.TuneGrid(func(tuneConfig, qd.Args) qd.Dims { panic("no grid") })), []any{x, 1}, "the function given to qd.TuneGrid panics: no grid"},
	} {
		err := c.tuned.Run(c.args...)
		var le *qd.LaunchError
		if !errors.As(err, &le) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("the error is %v, want %q", err, c.want)
		}
	}
}

// Many goroutines may run a tuned kernel at once: one of them measures.
func TestTuneConcurrent(t *testing.T) {
	for _, dev := range opened(t, "go", "cpu") {
		log := tuneLog(t)
		add := qd.Tune(qd.NewKernel(addTo).WithDevice(dev), []tuneConfig{{1, 7}, {2, 7}}, addGrid, qd.TuneKey("by"))
		by := unmeasured()
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				x := make([]float32, 50)
				if err := add.Run(x, by); err != nil || x[49] != 7+by {
					t.Error(x, err)
				}
			})
		}
		wg.Wait()
		if n := strings.Count(log(), "measured"); n != 1 {
			t.Errorf("%v: measured %d times", dev, n)
		}
	}
}

func evenSum(t qd.Thread, x []float32, even qd.Const[bool], n int) {
	if even.V {
		x[t.ID()] = float32(2 * n)
	} else {
		x[t.ID()] = float32(2*n + 1)
	}
}

// A heuristic gives a compile-time argument by the others.
func TestTuneHeuristic(t *testing.T) {
	even := qd.Heuristic(func(a qd.Args) bool { return a.Len("x")%2 == 0 && a.Int("n") > 0 && a.Value("x") != nil })
	for _, dev := range devices(t) {
		for _, x := range [][]float32{make([]float32, 4), make([]float32, 3)} {
			if err := dev.Launch(evenSum, qd.Dim(len(x)), x, even, 5); err != nil || x[2] != float32(10+len(x)%2) {
				t.Error(dev, x, err)
			}
		}
		wrong := qd.Heuristic(func(a qd.Args) bool { return a.Int("m") == 0 })
		err := dev.Launch(evenSum, qd.Dim(1), make([]float32, 1), wrong, 5)
		if err == nil || !strings.Contains(err.Error(), "no parameter named m; its parameters are x, even, n") {
			t.Error(dev, err)
		}
		err = dev.Launch(evenSum, qd.Dim(1), make([]float32, 1), qd.Heuristic(func(qd.Args) string { return "" }), 5)
		if err == nil || !strings.Contains(err.Error(), "qd.C of type string") {
			t.Error(dev, err)
		}
		err = dev.Launch(evenSum, qd.Dim(1), make([]float32, 1), qd.Heuristic[bool](nil), 5)
		if err == nil || !strings.Contains(err.Error(), "qd.Heuristic was given no function") {
			t.Error(dev, err)
		}
	}
}

// twoHeuristics has two parameters that heuristics give.
func twoHeuristics(t qd.Thread, b qd.Const[int], x []int32, a qd.Const[int]) {
	x[t.ID()] = int32(100*a.V + b.V)
}

// A heuristic may ask for a parameter that another one gives, wherever that is, but not in a circle.
func TestHeuristicOfHeuristic(t *testing.T) {
	length := qd.Heuristic(func(a qd.Args) int { return a.Len("x") })
	next := func(name string) qd.HeuristicArg {
		return qd.Heuristic(func(a qd.Args) int { return a.Int(name) + a.Value(name).(int) })
	}
	for _, dev := range devices(t) {
		x := make([]int32, 2)
		if err := dev.Launch(twoHeuristics, qd.Dim(2), next("a"), x, length); err != nil || x[1] != 204 {
			t.Error(dev, x, err)
		}
		if err := dev.Launch(twoHeuristics, qd.Dim(2), length, x, next("b")); err != nil || x[1] != 402 {
			t.Error(dev, x, err)
		}
		for _, wrong := range []struct {
			b, a any
			want string
		}{
			{next("b"), qd.C(1), "the one for parameter b asks for b itself"},
			{next("a"), next("b"), "those for the parameters b, a ask for each other's values"},
			{next("a"), qd.Heuristic[int](nil), "the one for parameter a was given no function: it is nil"},
		} {
			err := dev.Launch(twoHeuristics, qd.Dim(2), wrong.b, x, wrong.a)
			if err == nil || !strings.Contains(err.Error(), "qd.Heuristic: "+wrong.want) {
				t.Errorf("%v: the error is %v, want %q", dev, err, wrong.want)
			}
		}
	}
}

// sameName has values of which its String method says the same.
type sameName int

func (sameName) String() string { return "some" }

func constNamed(t qd.Thread, c qd.Const[tuneConfig], m qd.Const[sameName], x []int32) {
	x[t.ID()] = int32(10*c.V.Per + int(m.V))
}

func plainNamed(t qd.Thread, c qd.Const[tuneConfig], m sameName, x []int32) {
	x[t.ID()] = int32(10*c.V.Per + int(m))
}

func constFunc(t qd.Thread, c qd.Const[tuneConfig], m qd.Const[func(int) int], x []int32) {
	x[t.ID()] = int32(10*c.V.Per + m.V(1))
}

// Two values are two keys, although their String methods say the same, and functions by what they capture.
func TestTuneKeyValues(t *testing.T) {
	grid := qd.TuneGrid(func(_ tuneConfig, a qd.Args) qd.Dims { return qd.Dim(a.Len("x")) })
	only := func(value func(a qd.Args) int) qd.TuneOption {
		return qd.TunePrune(func(c tuneConfig, a qd.Args) bool { return c.Per != value(a) })
	}
	named := only(func(a qd.Args) int { return int(a.Value("m").(sameName)) })
	called := only(func(a qd.Args) int { return a.Value("m").(func(int) int)(1) })
	times := func(n int) func(int) int {
		return qd.NewFunc(func(i int) int { return n * i }, qd.Capture("n", n))
	}
	for _, dev := range devices(t) {
		consts := qd.Tune(qd.NewKernel(constNamed).WithDevice(dev), addConfigs(), grid, named)
		plain := qd.Tune(qd.NewKernel(plainNamed).WithDevice(dev), addConfigs(), grid, named, qd.TuneKey("m"))
		funcs := qd.Tune(qd.NewKernel(constFunc).WithDevice(dev), addConfigs(), grid, called)
		for _, n := range []int{1, 2, 4} {
			for _, run := range []func(x []int32) error{
				func(x []int32) error { return consts.Run(qd.C(sameName(n)), x) },
				func(x []int32) error { return plain.Run(sameName(n), x) },
				func(x []int32) error { return funcs.Run(qd.C(times(n)), x) },
			} {
				x := make([]int32, 2)
				if err := run(x); err != nil || x[1] != int32(11*n) {
					t.Errorf("%v, %d: %v, %v", dev, n, x, err)
				}
			}
		}
	}
}

// A launch whose configuration is known allocates less than one of the same kernel without tuning, which is given the configuration anew.
func TestTunedAllocations(t *testing.T) {
	if raceDetector {
		t.Skip("which has a sync.Pool forget things at random")
	}
	for _, dev := range opened(t, "cpu") {
		x := qd.Zeros[float32](dev, 4)
		kernel := qd.NewKernel(addTo).WithDevice(dev)
		tuned := qd.Tune(kernel, addConfigs()[:2], addGrid, qd.TuneKey("x", "by"))
		var err error
		plain := testing.AllocsPerRun(100, func() { err = dev.Launch(kernel, qd.Dim(4), qd.C(tuneConfig{Per: 1}), x, 1) })
		if err != nil {
			t.Fatal(err)
		}
		if n := testing.AllocsPerRun(100, func() { err = tuned.Run(x, 1) }); n >= plain || err != nil {
			t.Errorf("a tuned launch makes %v allocations, another one %v; error %v", n, plain, err)
		}
	}
}

// BenchmarkTuned is a run whose configuration is known, beside a launch.
func BenchmarkTuned(b *testing.B) {
	dev, err := qd.Open("cpu")
	if err != nil {
		b.Skip(err)
	}
	x := qd.Zeros[float32](dev, 4)
	kernel := qd.NewKernel(addTo).WithDevice(dev)
	tuned := qd.Tune(kernel, addConfigs()[:2], addGrid, qd.TuneKey("x"))
	b.Run("launch", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := dev.Launch(kernel, qd.Dim(4), qd.C(tuneConfig{Per: 1}), x, 1); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("tuned", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := tuned.Run(x, 1); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// skewed is a kernel whose configurations give different results.
func skewed(t qd.Thread, c qd.Const[tuneConfig], x []float32, by float32) {
	if i := t.ID(); i < len(x) {
		x[i] = by * c.V.Skew
	}
}

// What was measured without a comparison of results counts for nothing where one is asked for, and an infinity is near
// to no number.
func TestTuneVerifiedLater(t *testing.T) {
	grid := qd.TuneGrid(func(_ tuneConfig, a qd.Args) qd.Dims { return qd.Dim(a.Len("x")) })
	for _, dev := range opened(t, "go", "cpu") {
		k, by := qd.NewKernel(skewed).WithDevice(dev), unmeasured()+1
		x := make([]float32, 9)
		for _, skew := range []float32{100, math.MaxFloat32} {
			configs := []tuneConfig{{Skew: 1}, {Skew: skew}}
			if err := qd.Tune(k, configs, grid, qd.TuneKey("by")).Run(x, by); err != nil {
				t.Fatal(err)
			}
			if best, err := qd.Tune(k, configs, grid, qd.TuneKey("by"), qd.TuneVerify(0.5)).Best(x, by); err != nil || best != configs[0] {
				t.Errorf("%v, skew %v: the best is %v, %v", dev, skew, best, err)
			}
		}
	}
}

// halfSlices are two slices in a struct, one of them of floats of 16 bits.
type halfSlices struct {
	x []qd.Float16
	y []float32
}

// third writes thirds that differ in their last digits from one configuration to the other.
func third(t qd.Thread, c qd.Const[tuneConfig], h halfSlices) {
	if i := t.ID(); i < len(h.x) {
		h.x[i] = qd.ToFloat16(float32(i+1) / (3 + c.V.Skew))
	}
}

// A struct counts in the key with the shapes of its slices, not with what is in them, and floats of 16 bits may differ
// by the part that TuneVerify is given.
func TestTuneStruct(t *testing.T) {
	grid := qd.TuneGrid(func(_ tuneConfig, a qd.Args) qd.Dims { return qd.Dim(len(a.Value("h").(halfSlices).x)) })
	for _, dev := range opened(t, "go", "cpu") {
		log := tuneLog(t)
		k := qd.NewKernel(third).WithDevice(dev)
		for i, n := range []int{9, 9, 10} {
			h := halfSlices{make([]qd.Float16, n), make([]float32, 3)}
			m := qd.Tune(k, []tuneConfig{{Skew: 0}, {Skew: 0.001}}, grid, qd.TuneKey("h"), qd.TuneVerify(0.01))
			t.Setenv("QD_TUNE", map[bool]string{true: "force"}[i != 1])
			if err := m.Run(h); err != nil {
				t.Fatal(err)
			}
			said := log()
			if measured := strings.Contains(said, "tuned"); measured != (i != 1) || strings.Contains(said, "left out") {
				t.Errorf("%v, %d halves: %q", dev, n, said)
			}
		}
	}
}
