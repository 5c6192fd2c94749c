package qd_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd"
)

// addWhole adds in as many elements as a configuration says; whole says that the length is a multiple of that.
func addWhole(t qd.Thread, c qd.Const[tuneConfig], whole qd.Const[bool], x []float32, by float32) {
	for i := range qd.Static(c.V.Per) {
		if j := t.ID()*c.V.Per + i; whole.V || j < len(x) {
			x[j] += by
		}
	}
}

// wholeFor asks for the configuration.
func wholeFor() qd.HeuristicArg {
	return qd.Heuristic(func(a qd.Args) bool { return a.Len("x")%a.Value("c").(tuneConfig).Per == 0 })
}

// leave leaves one configuration.
func leave(c tuneConfig) qd.TuneOption {
	return qd.TunePrune(func(other tuneConfig, _ qd.Args) bool { return other != c })
}

// What a heuristic gives follows from the configuration that is launched, not from another one.
func TestTuneHeuristicFollowsConfiguration(t *testing.T) {
	for _, dev := range devices(t) {
		k := qd.NewKernel(addWhole).WithDevice(dev)
		for _, c := range addConfigs() {
			tuned := qd.Tune(k, addConfigs(), addGrid, leave(c))
			for _, n := range []int{8, 6, 5, 8} { // one choice for each, as the kernels are others
				memory := make([]float32, 16)
				if err := tuned.Run(wholeFor(), memory[:n], 1); err != nil {
					t.Fatal(dev, err)
				}
				for i, v := range memory {
					if (v == 1) != (i < n) {
						t.Fatalf("%v, %v: %d elements are %v", dev, c, n, memory)
					}
				}
			}
		}
	}
}

// The choice is made for what heuristics give for all configurations.
func TestTuneHeuristicKey(t *testing.T) {
	configs := []tuneConfig{{Per: 2}, {Per: 3}}
	wholeOnly := qd.TunePrune(func(_ tuneConfig, a qd.Args) bool { return a.Value("whole") == false })
	for _, dev := range opened(t, "go", "cpu") {
		tuned := qd.Tune(qd.NewKernel(addWhole).WithDevice(dev), configs, addGrid, wholeOnly)
		for i, n := range []int{8, 9, 10, 15} {
			if best, err := tuned.Best(wholeFor(), make([]float32, n), 1); err != nil || best != configs[i%2] {
				t.Errorf("%v, %d elements: the best is %v, %v", dev, n, best, err)
			}
		}
	}
}

// A function of an option is told what a heuristic gives for the configuration that it is asked about. Another
// configuration measures only itself, and another heuristic its own kernels.
func TestTuneHeuristicKept(t *testing.T) {
	for _, dev := range opened(t, "cpu") {
		t.Setenv("QD_CACHE_SIZE", "")
		k, by, log := qd.NewKernel(addWhole).WithDevice(dev), unmeasured(), tuneLog(t)
		expect := func(what string, whole qd.HeuristicArg, configs int, want string) {
			t.Helper()
			asked := qd.TunePrune(func(c tuneConfig, a qd.Args) bool {
				if whole := a.Value("whole") == true; whole != (a.Len("x")%c.Per == 0) {
					t.Errorf("for %v whole is %v", c, whole)
				}
				return false
			})
			tuned := qd.Tune(k, addConfigs()[:configs], addGrid, asked, qd.TuneKey("x", "by"))
			if err := tuned.Run(whole, make([]float32, 6), by); err != nil {
				t.Fatal(err)
			}
			if got := log(); (want == "") != (got == "") || !strings.Contains(got, want) {
				t.Errorf("%s: the log is %q, want %q", what, got, want)
			}
		}
		expect("first", wholeFor(), 2, "measured 2 of 2")
		expect("again", wholeFor(), 2, "")
		expect("one more", wholeFor(), 3, "measured 1 of 3")
		constant := qd.Heuristic(func(qd.Args) bool { return true })
		expect("all are whole", constant, 2, "whole=true")
	}
}

// A heuristic that has no answer for a configuration leaves that one out, and is an error if there is no other.
func TestTuneHeuristicProblem(t *testing.T) {
	ratio := qd.Heuristic(func(a qd.Args) bool { return a.Len("x")%(a.Value("c").(tuneConfig).Per-1) == 0 })
	asks := qd.TunePrune(func(c tuneConfig, a qd.Args) bool { return a.Value("whole") == false })
	one, two := tuneConfig{Per: 1}, tuneConfig{Per: 2}
	configs := []tuneConfig{one, two}
	for _, dev := range opened(t, "go", "cpu") {
		k, x := qd.NewKernel(addWhole).WithDevice(dev), make([]float32, 4)
		for _, option := range []qd.TuneOption{nil, leave(two)} {
			if best, err := qd.Tune(k, configs, addGrid, option).Best(ratio, x, unmeasured()); err != nil || best != two {
				t.Errorf("%v: the best is %v, %v", dev, best, err)
			}
		}
		for _, c := range []struct {
			tuned *qd.Tuned
			want  string
		}{
			{qd.Tune(k, configs, addGrid, leave(one)), "the function given to qd.Heuristic panics: runtime error: integer divide by zero"},
			{qd.Tune(k, []tuneConfig{one, {1, 2}}, addGrid), "configurations {Per:1 Skew:0}, {Per:1 Skew:2}: qd: launch of addWhole: the function given to qd.Heuristic panics"},
			{qd.Tune(k, configs, addGrid, asks), "qd.TunePrune: the function given to qd.Heuristic panics"},
		} {
			if err := c.tuned.Run(ratio, x, 1); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v: the error is %v, want %q", dev, err, c.want)
			}
		}
	}
}

//qd:kernel
func squareOrNot(t qd.Thread, square qd.Const[bool], _ int, x, y []float64) {
	i := t.ID()
	y[i] = x[i]
	if square.V {
		y[i] *= x[i]
	}
}

// A heuristic of a derivative asks for the gradients and the tangents by the names that they have in its code.
func TestTuneHeuristicOfDerivatives(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		even := func(name string) any { return qd.Heuristic(func(a qd.Args) bool { return a.Len(name)%2 == 0 }) }
		k := qd.NewKernel(squareOrNot).WithDevice(dev)
		x := []float64{1, 2, 3}
		for _, n := range []int{2, 3} {
			xs, y, dx, dy := slices.Clone(x[:n]), make([]float64, n), make([]float64, n), make([]float64, n)
			fill := func(s []float64) []float64 {
				for i := range s {
					s[i] = 1
				}
				return s
			}
			want := 1.0
			if n == 2 {
				want = 2 * x[1]
			}
			must(t, k.Gradient().Launch(qd.Dim(n), even("xGrad"), 0, xs, y, dx, fill(dy)))
			if dx[1] != want {
				t.Errorf("%d elements: the gradient is %v", n, dx)
			}
			must(t, k.Tangent().Launch(qd.Dim(n), even("yTangent"), 0, xs, y, fill(dx), dy))
			if dy[1] != want {
				t.Errorf("%d elements: the tangent is %v", n, dy)
			}
			must(t, k.Tangent().Gradient().Launch(qd.Dim(n), even("xTangentGrad"), 0, xs, y, dx, dy, make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)))
		}
		err := k.Gradient().Launch(qd.Dim(1), even("z"), 0, x, x, x, x)
		if err == nil || !strings.Contains(err.Error(), "no parameter named z; its parameters are square, x, y, xGrad, yGrad") {
			t.Error(err)
		}
	})
}
