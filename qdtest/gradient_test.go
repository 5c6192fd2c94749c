package qdtest_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
	"github.com/qdgen/qd/f64"
	"github.com/qdgen/qd/internal/fakenvrtc"
	"github.com/qdgen/qd/internal/testenv"
	"github.com/qdgen/qd/qdtest"
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
	cmd := exec.Command(os.Args[0], "-test.v", "-test.run", "^TestGradients")
	cmd.Env = fakenvrtc.Env(t)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "PASS: TestGradients/cuda:0/") {
		t.Errorf("%v\n%s", err, out)
	}
}

//qd:kernel
func powers(t qd.Thread, n []int32, x, y []float64) {
	i := t.ID()
	p := 1.0
	for k := int32(0); k < n[i]; k++ {
		p *= x[i]
		if p > 3 {
			break
		}
	}
	y[i] = p
}

//qd:kernel
func while(t qd.Thread, x, y []float64) {
	i := t.ID()
	v, s := x[i], 0.0
	for v > 0.1 {
		s += v * v
		v *= 0.7
	}
	y[i] = s + v
}

//qd:kernel
func inPlace(t qd.Thread, x []float64) {
	i := t.ID()
	x[i] = x[i] * x[i+4]
	x[i+4] = qd.Sin(x[i]) + x[i+4]
}

type particle struct {
	Pos  f64.Vec3
	Mass float64
	Kind int32
}

//qd:kernel
func energies(t qd.Thread, ps []particle, g float64, sum []float64) {
	p := ps[t.ID()]
	if p.Kind == 1 {
		return
	}
	qd.AtomicAdd(&sum[0], p.Mass*(p.Pos.Dot(p.Pos)+g*p.Pos.Y()))
}

//qd:kernel
func blur(t qd.Thread, x, y qd.View2[float64]) {
	i, j := t.ID2()
	s := 0.0
	for d := -1; d <= 1; d++ {
		k := j + d
		if k < 0 || k >= x.Dim(1) {
			continue
		}
		s += x.At(i, k) * x.At(i, j)
	}
	y.Set(i, j, s)
}

//qd:kernel
func generic[T ~float32 | ~float64](t qd.Thread, n qd.Const[int], a T, x, y []T) {
	i := t.ID()
	s := T(0)
	for k := range n.V {
		s += x[(i+k)%len(x)] * a
	}
	y[i] += s * s
}

type scaler struct{ By float64 }

func (s scaler) Kernel(t qd.Thread, x, y []float64) { y[t.ID()] = s.By * x[t.ID()] * x[t.ID()] }

//qd:kernel
func vectors(t qd.Thread, x []f32.Vec4, m []f32.Mat4, y []f32.Vec4) {
	i := t.ID()
	y[i] = m[0].MulVec(x[i]).Mul(x[i])
}

type pair struct {
	A []float64
	N int
}

//qd:kernel
func structs(t qd.Thread, p pair, y []float64) {
	i := t.ID()
	y[i] *= p.A[i%p.N]
}

//qd:kernel
func gather(t qd.Thread, at []int32, x, y []float64) {
	i := t.ID()
	y[at[i]] = x[at[i]] * x[i]
}

func devices(t *testing.T) (list []*qd.Device) {
	names := []string{"go", "cpu", "cuda:0"}
	if os.Getenv("QD_FAKENVRTC_HELPER") != "" {
		names = names[2:] // the others are tested in another process
	} else if _, err := qd.Open("cuda:0"); err != nil {
		t.Logf("without device cuda:0: %v", err)
		names = names[:2]
	}
	for _, name := range names {
		dev, err := qd.Open(name)
		if err != nil {
			testenv.Missing(t, err)
		}
		list = append(list, dev)
	}
	return list
}

func TestGradients(t *testing.T) {
	x := []float64{0.5, -0.7, 1.1, 0.3, -0.4, 0.9, 1.3, -1.2}
	y := make([]float64, 8)
	three := f64.Vec3{0.3, -0.2, 0.7}
	by := 1.75
	for _, dev := range devices(t) {
		f := func(x []float64, shape ...int) *qd.Array[float64] { return qd.From(dev, x, shape...) }
		twice := f(x)
		cases := []struct {
			name   string
			kernel any
			dim    qd.Dims
			args   []any
		}{
			{"powers", powers, qd.Dim(4), []any{qd.From(dev, []int32{3, 0, 9, 2}), f(x), f(y)}},
			{"while", while, qd.Dim(8), []any{f(x), f(y)}},
			{"inPlace", inPlace, qd.Dim(4), []any{f(x)}},
			{"structs of vectors", energies, qd.Dim(3), []any{qd.From(dev, []particle{{three, 2, 0}, {three, 1, 1}, {three.Scale(-0.5), 0.3, 2}}), 9.5, f([]float64{1})}},
			{"views", blur, qd.Dim(2, 4), []any{f(x, 2, 4), f(y, 2, 4)}},
			{"one view twice", blur, qd.Dim(1, 1), []any{f(x[:1], 1, 1), f(y[:1], 1, 1)}},
			{"generic", generic[float64], qd.Dim(8), []any{qd.C(3), 0.5, f(x), f(x)}},
			{"single", generic[float32], qd.Dim(4), []any{qd.C(2), float32(0.5), qd.From(dev, []float32{1, 2, -0.5, 0.25}), qd.From(dev, []float32{1, 2, 3, 4})}},
			{"method", scaler{1.5}, qd.Dim(8), []any{f(x), f(y)}},
			{"literal", qd.NewKernel(func(t qd.Thread, x, y []float64) { y[t.ID()] = by * x[t.ID()] * x[t.ID()] }, qd.Capture("by", by)), qd.Dim(8), []any{f(x), f(y)}},
			{"vectors", vectors, qd.Dim(2), []any{qd.From(dev, []f32.Vec4{{1, 2, 3, 4}, {0.5, -1, 2, 0.25}}), qd.From(dev, []f32.Mat4{{{1, 2, 0, 1}, {0, 1, 1, 0}, {0.5, 0, 0, 1}, {1, 1, 1, 2}}}), qd.Zeros[f32.Vec4](dev, 2)}},
			{"slices in structs", structs, qd.Dim(8), []any{pair{x[:3], 3}, f(x)}},
			{"gather", gather, qd.Dim(4), []any{qd.From(dev, []int32{4, 6, 5, 7}), f(x), f(y)}},
			{"gather twice", gather, qd.Dim(4), []any{qd.From(dev, []int32{4, 6, 5, 7}), twice, twice}},
			{"the same array", generic[float64], qd.Dim(1), []any{qd.C(3), 0.5, twice, twice}},
			{"gradient of a slice that is read twice", squares, qd.Dim(7), []any{twice, twice, f(y)}},
		}
		for _, tt := range cases {
			t.Run(dev.String()+"/"+tt.name, func(t *testing.T) { qdtest.CheckGradient(t, tt.kernel, tt.dim, tt.args...) })
		}
	}
}

//qd:kernel
func squares(t qd.Thread, a, b, y []float64) {
	i := t.ID()
	y[i] = a[i] * b[i+1] * b[i+1]
}

// A recorder is a test that must fail.
type recorder struct {
	testing.TB
	errors []string
}

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, format)
}

// What differs is reported. Steps are a difference that the gradient, rightly, knows nothing of.
func TestReports(t *testing.T) {
	dev := devices(t)[0]
	for _, tt := range []struct {
		kernel any
		args   []any
	}{
		{steps, []any{qd.From(dev, []float64{1})}},
		{none, []any{qd.From(dev, []float64{1})}},
		{ints, []any{qd.From(dev, []int32{1})}},
		{none, []any{qd.From(dev, []int32{1})}},
	} {
		r := &recorder{TB: t}
		qdtest.CheckGradient(r, tt.kernel, qd.Dim(1), tt.args...)
		if len(r.errors) == 0 {
			t.Errorf("%T: nothing is reported", tt.kernel)
		}
	}
}

//qd:kernel
func steps(t qd.Thread, x []float64) { x[0] = qd.Floor(x[0]*1e9) * 1e-9 }

//qd:kernel
func none(t qd.Thread, x []float64) { x[0] = qd.Log(-1 - x[0]*x[0]) }

//qd:kernel
func ints(t qd.Thread, x []int32) { x[0]++ }
