package qd_test

import (
	"math"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f64"
	"github.com/qdgen/qd/internal/testenv"
	"github.com/qdgen/qd/qdreg"
	"github.com/qdgen/qd/qdtest"
)

//qd:kernel
func viewAndSlice(t qd.Thread, v qd.View2[float64], x []float64) {
	i, j := t.ID2()
	if i > 0 {
		v.Set(0, j, v.At(0, j)*x[v.Dim(1)*i+j])
	}
}

//qd:kernel
func countUp(t qd.Thread, index []int32, x, y []float64) {
	i := t.ID()
	index[i]++
	y[index[i]] = x[index[i]] * x[i]
	index[i]++
}

type cell struct {
	On   bool
	V    [2]float64
	Next int32
	P    f64.Vec2
}

//qd:kernel
func cells(t qd.Thread, c []cell) {
	i := t.ID()
	if !c[i].On {
		return
	}
	c[i].V[1] *= c[i].P.X() * c[i].V[0]
	c[i].Next = int32(i)
	c[i].P = c[i].P.Scale(c[i].V[1])
}

//qd:kernel
func addBoth(t qd.Thread, x, y []float64) {
	i := t.ID()
	qd.AtomicAdd(&y[i%2], x[i]*x[i])
}

//qd:kernel
func prefix(t qd.Thread, n int, x, sums []float64) {
	s := 0.0
	for i := range n {
		s += x[i] * x[i]
		sums[i] = s
		if s > 4 {
			sums[i] *= 0.5
			continue
		}
		x[i] = s
	}
}

//qd:kernel
func inBlocks(t qd.Thread, x, y []float64) {
	s := 0.0
	for v := x[t.ID()]; v > 0.1; v *= 0.5 {
		s += v * v * float64(t.Lane()+1)
	}
	y[t.ID()] = s + x[t.BlockID()]*float64(t.BlockDim())
}

var tapeGain = 2.0

//qd:kernel
func gained(t qd.Thread, k qd.Const[int], x, y []float64) {
	y[t.ID()] = tapeGain * x[t.ID()] * float64(k.V)
}

// Kernels that mix what arguments there are, compared with differences.
func TestTapeMixed(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x := []float64{0.5, -0.7, 1.1, 0.3, -0.4, 0.9, 1.3, -1.2}
		a := qd.From(dev, x, 2, 4)
		qdtest.CheckGradient(t, viewAndSlice, qd.Dim(2, 4), a, a)
		qdtest.CheckGradient(t, viewAndSlice, qd.Dim(2, 4), a, qd.From(dev, x))
		qdtest.CheckGradient(t, countUp, qd.Dim(3), qd.From(dev, []int32{2, 4, 5}), qd.From(dev, x), qd.From(dev, x))
		qdtest.CheckGradient(t, cells, qd.Dim(3), qd.From(dev, []cell{
			{true, [2]float64{0.5, 2}, 7, f64.Vec2{1, -2}}, {false, [2]float64{3, 4}, 7, f64.Vec2{1, 2}}, {true, [2]float64{-1, 0.5}, 7, f64.Vec2{0.25, 3}}}))
		qdtest.CheckGradient(t, addBoth, qd.Dim(8), qd.From(dev, x), qd.From(dev, []float64{1, 2}))
		qdtest.CheckGradient(t, prefix, qd.Dim(1), 8, qd.From(dev, x), qd.From(dev, x))
		qdtest.CheckGradient(t, prefix, qd.Dim(1), 0, qd.From(dev, x), qd.From(dev, x))
		one := qd.From(dev, x)
		qdtest.CheckGradient(t, prefix, qd.Dim(1), 8, one, one)
		qdtest.CheckGradient(t, prefix, qd.Dim(0), 8, one, one)
		qdtest.CheckGradient(t, prefix, qd.Dim(1), 8, x, x)
		qdtest.CheckGradient(t, qd.NewKernel(inBlocks).WithBlockDim(3), qd.Dim(8), qd.From(dev, x), qd.From(dev, x))
		qdtest.CheckGradient(t, addBoth, qd.Dim(2), one, one) // each element by one thread: y[i] += x[i]*x[i]
	})
}

// What a package variable was when the launch was recorded is what counts.
func TestTapeVariables(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		qdreg.Vars("github.com/qdgen/qd_test", map[string]any{"tapeGain": &tapeGain})
		defer func() { tapeGain = 2 }()
		tapeGain = 2
		x, y, z := qd.From(dev, []float64{1}).WithGrad(), qd.Zeros[float64](dev, 1), qd.Zeros[float64](dev, 1)
		tape := qd.NewTape(dev)
		must(t, tape.Launch(gained, qd.Dim(1), qd.C(3), x, y))
		tapeGain = 5
		must(t, tape.Launch(gained, qd.Dim(1), qd.C(7), y, z))
		tapeGain = 100
		near(t, "result", z.Slice(), []float64{2 * 3 * 5 * 7})
		must(t, tape.Backward(z))
		near(t, "gradient", x.Grad().Slice(), []float64{2 * 3 * 5 * 7})
	})
}

// The backward kernel can be built before it is needed, and is one specialization like any other.
func TestTapeBuild(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		k := qd.NewKernel(func(t qd.Thread, by qd.Const[float64], x, y []float64) { y[t.ID()] = by.V * x[t.ID()] * x[t.ID()] }).Gradient()
		must(t, dev.Build(qd.Spec(k, qd.C(2.0)), qd.Spec(k, qd.C(3.0))))
		for _, by := range []float64{2, 3} {
			x, grad := []float64{5}, []float64{100}
			must(t, dev.Launch(k, qd.Dim(1), qd.C(by), x, []float64{0}, grad, []float64{1}))
			near(t, "gradient", grad, []float64{100 + by*10})
		}
		wants(t, dev.Launch(k.Gradient(), qd.Dim(1), qd.C(2.0)), "1 argument for 9 parameters")
		var none *qd.Kernel
		wants(t, none.Gradient().Launch(qd.Dim(1)), "the kernel is nil")
		m := qd.NewKernel(mulBy).Gradient()
		a, b, c, g := []float64{2}, []float64{3}, []float64{0}, []float64{1}
		wants(t, dev.Launch(m, qd.Dim(1), a, b, c, a, b, c), "a gradient is in the memory of an argument")
		wants(t, dev.Launch(m, qd.Dim(1), a, b, c, g, g, []float64{1}), "two gradients share memory")
		wants(t, dev.Launch(m, qd.Dim(1), a, a, c, g, []float64{0}, []float64{1}), "two gradients share memory")
		wants(t, dev.Launch(m, qd.Dim(1), a, b, c, g, []float64{0}), "5 arguments for 6 parameters")
		sum := []float64{0}
		must(t, dev.Launch(m, qd.Dim(1), a, a, c, sum, sum, g)) // z = x*x
		near(t, "of one slice twice", sum, []float64{4})
	})
}

// A gradient that is an argument itself is what it was when the launch was recorded.
func TestTapeOfGradient(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x, y := qd.From(dev, []float64{3, 4}).WithGrad(), qd.Zeros[float64](dev, 2)
		must(t, x.Grad().CopyFrom([]float64{10, 20}))
		tape := qd.NewTape(dev)
		must(t, tape.Launch(mulBy, qd.Dim(2), x, x.Grad(), y))
		must(t, tape.BackwardFrom(y, []float64{1, 1}))
		near(t, "gradient", x.Grad().Slice(), []float64{20, 40})
		must(t, tape.BackwardFrom(y, []float64{1, 1}))
		near(t, "gradient, once more", x.Grad().Slice(), []float64{30, 60})
	})
}

// A launch on device cpu leaves the same gradient as on device go, also where an array is written again and again.
func TestTapeDevices(t *testing.T) {
	dev := cpuDevice(t)
	oracle, err := qd.Open("go")
	if err != nil {
		testenv.Missing(t, err)
	}
	var all [][]float64
	for _, dev := range []*qd.Device{oracle, dev, dev.Checked()} {
		x, y := qd.From(dev, []float64{0.05, 0.1, -0.2, 0.3, 0.08, 0.1}).WithGrad(), qd.Zeros[float64](dev, 6)
		index := qd.From(dev, []int32{0, 2})
		tape := qd.NewTape(dev)
		for k := range 4 {
			must(t, tape.Launch(heat, qd.Dim(6), 0.1, x, y), tape.Launch(prefix, qd.Dim(1), 3+k, y, x))
			must(t, tape.Launch(countUp, qd.Dim(2), index, x, y), index.CopyFrom([]int32{0, 3}))
			must(t, tape.Launch(addBoth, qd.Dim(4), y, x))
		}
		must(t, tape.BackwardFrom(x, []float64{1, 2, 3, 4, 5, 6}))
		all = append(all, x.Grad().Slice())
	}
	for i, g := range all[0] {
		if g == 0 || math.IsNaN(g) {
			t.Errorf("element %d is %v: the test says little", i, g)
		}
	}
	near(t, "cpu", all[1], all[0])
	near(t, "cpu, checked", all[2], all[0])
}
