//go:build !race

package qd_test

import (
	"math"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/qdtest"
)

//qd:kernel
func squareTwice(t qd.Thread, x, y []float64) {
	i := t.ID()
	y[i] = x[i] * x[i]
	y[i] = x[i] * x[i]
}

//qd:kernel
func weighTwice(t qd.Thread, w, x, y []float64) {
	i := t.ID()
	y[i] = w[i] * w[i]
	y[i] = weighed(w, i, x[i])
}

func weighed(w []float64, i int, x float64) float64 { return w[i] * x }

//qd:gradient weighed
//lint:ignore U1000 the directive names it
func weighedGradient(w []float64, i int, x float64, wGrad []float64, adj float64) float64 {
	qd.AtomicAdd(&wGrad[i], adj*x)
	return adj * w[i]
}

// An array that is two arguments is one memory for the backward kernel, too, where the kernel reads one of them only.
func TestTapeSameArray(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x := qd.From(dev, []float64{0.5, 2, 3}).WithGrad()
		tape := qd.NewTape(dev)
		must(t, tape.Launch(squareTwice, qd.Dim(3), x, x), tape.BackwardFrom(x, []float64{1, 1, 1}))
		near(t, "result", x.Slice(), []float64{0.0625, 16, 81}) // x⁴
		near(t, "gradient", x.Grad().Slice(), []float64{0.5, 32, 108})
		tape.Reset()
		y := qd.From(dev, []float64{1, 2, 3})
		wants(t, tape.Launch(weighTwice, qd.Dim(3), x, y, x), "its gradient weighedGradient reads memory that the kernel writes, or may write, because an array is several arguments")
		must(t, tape.Launch(weighTwice, qd.Dim(3), x, y, qd.Zeros[float64](dev, 3)))
	})
}

func byThread(t qd.Thread, x float64) float64 { return x * x * float64(t.ID()+1) }

//qd:gradient byThread
//lint:ignore U1000 the directive names it
func byThreadGradient(t qd.Thread, x, adj float64) float64 { return 2 * adj * x * float64(t.ID()+1) }

//qd:kernel
func powersByThread(t qd.Thread, n int, x, y []float64) {
	v := x[t.ID()]
	for range n {
		v = byThread(t, v)
	}
	y[t.ID()] = v
}

// A gradient of one's own that is given the thread is given that of the launch, not that of a batch.
func TestTapeBatchesOwn(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x, y := qd.From(dev, []float64{1, 1, 1, 1}).WithGrad(), qd.Zeros[float64](dev, 4)
		for _, bound := range []int{0, 32 + 8*3*3, 32 + 8*3} { // y's gradient, and 3 numbers for each thread of a batch
			tape := qd.NewTape(dev, qd.TapeMemory(bound))
			must(t, x.ZeroGrad(), tape.Launch(powersByThread, qd.Dim(4), 3, x, y), tape.BackwardFrom(y, []float64{1, 1, 1, 1}))
			near(t, "gradient", x.Grad().Slice(), []float64{8, 8 * 128, 8 * 2187, 8 * 16384})
		}
	})
}

//qd:kernel
func modulo(t qd.Thread, x, y, z []float32) { z[t.ID()] = qd.Mod(x[t.ID()], y[t.ID()]) }

//qd:kernel
func angles(t qd.Thread, x, y, z []float32) { z[t.ID()] = qd.Atan2(x[t.ID()], y[t.ID()]) }

// Derivatives are right where a simple formula is not: just below a jump, and where squares are too large or too small.
func TestTapeRounded(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		at := func(k any, x, y []float32) (dx, dy []float32) {
			a, b, z := qd.From(dev, x).WithGrad(), qd.From(dev, y).WithGrad(), qd.Zeros[float32](dev, len(x))
			tape := qd.NewTape(dev)
			must(t, tape.Launch(k, qd.Dim(len(x)), a, b, z), tape.BackwardFrom(z, []float32{1, 1, 1}[:len(x)]))
			return a.Grad().Slice(), b.Grad().Slice()
		}
		// 0.9 is less than 9 times 0.1 as float32, but their quotient is rounded to 9.
		if _, dy := at(modulo, []float32{0.9, 0.3, -0.9}, []float32{0.1, 0.1, 0.1}); dy[0] != -8 || dy[1] != -3 || dy[2] != 8 {
			t.Errorf("Mod: %v", dy)
		}
		dx, dy := at(angles, []float32{1e-25, 1e25}, []float32{1e-25, 1e25})
		for i, want := range []float64{5e24, 5e-26} {
			if x, y := float64(dx[i]), float64(dy[i]); math.Abs(x/want-1) > 1e-5 || math.Abs(y/want+1) > 1e-5 {
				t.Errorf("Atan2: %v and %v, not %v and its negative", x, y, want)
			}
		}
	})
}

//qd:kernel
func neighbours(t qd.Thread, x, y []float64) {
	s := qd.Shared[float64](t, 256)
	s[t.Lane()] = x[t.ID()]
	t.Sync()
	y[t.ID()] = x[t.ID()] * s[t.Lane()^1]
}

// blockProducts multiplies by the sum of squares of a block, found in a tree.
//
//qd:kernel
func blockProducts(t qd.Thread, turns int, x, y []float64) {
	s := qd.Shared[float64](t, 64)
	v := x[t.ID()]
	for range turns {
		s[t.Lane()] = v * v
		for h := t.BlockDim() / 2; h > 0; h /= 2 {
			t.Sync()
			if t.Lane() < h {
				s[t.Lane()] += s[t.Lane()+h]
			}
		}
		t.Sync()
		v *= s[0]
		t.Sync()
	}
	y[t.ID()] = v
}

//qd:kernel
func scatterInBlock(t qd.Thread, at []int32, x, y []float64) {
	s := qd.Shared[float64](t, 8)
	qd.AtomicAdd(&s[at[t.ID()]], x[t.ID()]*x[t.ID()])
	t.Sync()
	if t.Lane() >= 8 {
		return
	}
	qd.AtomicAdd(&y[t.Lane()], s[t.Lane()]*s[(t.Lane()+1)%8])
}

// Kernels with barriers have their gradients on all devices.
func TestTapeBarrier(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		x, y := qd.From(dev, []float64{2, 3}).WithGrad(), qd.Zeros[float64](dev, 2)
		tape := qd.NewTape(dev)
		must(t, tape.Launch(neighbours, qd.Dim(2), x, y), tape.BackwardFrom(y, []float64{1, 10}))
		near(t, "gradient", x.Grad().Slice(), []float64{33, 22})
		host, at := make([]float64, 48), make([]int32, 48)
		for i := range host {
			host[i], at[i] = 0.3+0.1*float64(i%7), int32(i*5%8)
		}
		y = qd.Zeros[float64](dev, 48)
		for _, turns := range []int{0, 1, 3} {
			qdtest.CheckGradient(t, qd.NewKernel(blockProducts).WithBlockDim(16), qd.Dim(48), turns, qd.From(dev, host), y)
		}
		qdtest.CheckGradient(t, qd.NewKernel(scatterInBlock).WithBlockDim(16), qd.Dim(48), at, qd.From(dev, host), y)
	})
}
