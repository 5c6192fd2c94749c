package optim_test

import (
	"math"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/internal/fakenvrtc"
	"github.com/qdgen/qd/internal/testenv"
	"github.com/qdgen/qd/optim"
)

func TestMain(m *testing.M) {
	fakenvrtc.Main()
	testenv.Setup()
	os.Exit(m.Run())
}

// TestWithoutGPU runs the tests once more, in a process with a device "cuda:0" that runs the CUDA text on the host.
func TestWithoutGPU(t *testing.T) {
	if os.Getenv("QD_FAKENVRTC_HELPER") != "" {
		t.Skip("this is that process")
	}
	cmd := exec.Command(os.Args[0], "-test.v", "-test.run", "^TestSteps")
	cmd.Env = fakenvrtc.Env(t)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "PASS: TestSteps/cuda:0") {
		t.Errorf("%v\n%s", err, out)
	}
}

// An optimizer is one of the package's.
type optimizer interface{ Step(arrays ...any) error }

// A reference is the same in float64, for one number.
type reference func(w, g float64) float64

func sgd(rate, momentum, decay float64, nesterov bool) reference {
	v := 0.0
	return func(w, g float64) float64 {
		g += decay * w
		v = momentum*v + g
		if nesterov {
			return w - rate*(g+momentum*v)
		}
		return w - rate*v
	}
}

func adam(rate, b1, b2, eps, decay, decoupled float64) reference {
	m, v, n := 0.0, 0.0, 0.0
	return func(w, g float64) float64 {
		n++
		g += decay * w
		m = b1*m + (1-b1)*g
		v = b2*v + (1-b2)*g*g
		return w - rate*(m/(1-math.Pow(b1, n))/(math.Sqrt(v/(1-math.Pow(b2, n)))+eps)+decoupled*w)
	}
}

func TestSteps(t *testing.T) {
	names := []string{"go", "cpu", "cuda:0"}
	if os.Getenv("QD_FAKENVRTC_HELPER") != "" {
		names = names[2:] // the others are tested in another process
	} else if _, err := qd.Open("cuda:0"); err != nil {
		t.Logf("without device cuda:0: %v", err)
		names = names[:2]
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			dev, err := qd.Open(name)
			if err != nil {
				testenv.Missing(t, err)
			}
			for what, tt := range map[string]struct {
				opt optimizer
				ref func() reference
			}{
				"SGD":             {&optim.SGD{Rate: 0.1}, func() reference { return sgd(0.1, 0, 0, false) }},
				"SGD, momentum":   {&optim.SGD{Rate: 0.1, Momentum: 0.9, WeightDecay: 0.01}, func() reference { return sgd(0.1, 0.9, 0.01, false) }},
				"SGD, Nesterov":   {&optim.SGD{Rate: 0.05, Momentum: 0.8, Nesterov: true}, func() reference { return sgd(0.05, 0.8, 0, true) }},
				"Adam":            {&optim.Adam{Rate: 0.1}, func() reference { return adam(0.1, 0.9, 0.999, 1e-8, 0, 0) }},
				"Adam, all given": {&optim.Adam{Rate: 0.1, Beta1: 0.8, Beta2: 0.9, Eps: 0.1, WeightDecay: 0.2}, func() reference { return adam(0.1, 0.8, 0.9, 0.1, 0.2, 0) }},
				"AdamW":           {&optim.AdamW{Rate: 0.1, WeightDecay: 0.2}, func() reference { return adam(0.1, 0.9, 0.999, 1e-8, 0, 0.2) }},
			} {
				start := []float64{1, -2, 0.5, 3}
				double := qd.From(dev, start, 2, 2).WithGrad()
				single := qd.From(dev, []float32{1, -2, 0.5, 3}).WithGrad()
				want := append([]float64{}, start...)
				var refs []reference
				for range start {
					refs = append(refs, tt.ref())
				}
				for step := range 5 {
					g := make([]float64, len(start))
					g32 := make([]float32, len(start))
					for i := range g { // anything
						g[i] = math.Sin(float64(7*step+i)) + want[i]
						g32[i] = float32(g[i])
						want[i] = refs[i](want[i], g[i])
					}
					if err := double.Grad().CopyFrom(g); err != nil {
						t.Fatal(err)
					}
					if err := single.Grad().CopyFrom(g32); err != nil {
						t.Fatal(err)
					}
					if err := tt.opt.Step(double, single); err != nil {
						t.Fatal(err)
					}
				}
				for i, got := range double.Slice() {
					if math.Abs(got-want[i]) > 1e-12 {
						t.Errorf("%s: element %d is %v, not %v", what, i, got, want[i])
					}
				}
				for i, got := range single.Slice() {
					if math.Abs(float64(got)-want[i]) > 1e-5 {
						t.Errorf("%s, float32: element %d is %v, not %v", what, i, got, want[i])
					}
				}
			}
		})
	}
}

func TestErrors(t *testing.T) {
	dev, err := qd.Open("go")
	if err != nil {
		t.Fatal(err)
	}
	var none *qd.Array[float64]
	freed := qd.Zeros[float64](dev, 1).WithGrad()
	freed.Free()
	for _, tt := range []struct {
		arg  any
		want string
	}{
		{qd.Zeros[float64](dev, 1), "argument 1: the array has no gradient; make it with WithGrad"},
		{[]float32{1}, "argument 1 is a []float32; give a *qd.Array of float32 or float64"},
		{none, "was not made by qd.From or qd.Zeros"},
		{freed, "freed"},
	} {
		for _, o := range []optimizer{&optim.SGD{}, &optim.Adam{}, &optim.AdamW{}} {
			if err := o.Step(tt.arg); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%T: %v", o, err)
			}
		}
	}
}
