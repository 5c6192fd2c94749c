//go:build !race

package qd_test

import (
	"math"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f64"
	"github.com/qdgen/qd/qdtest"
)

// Kernels whose loops read the same places in each turn, which is what additions to gradients are summed up for.

// steadyExits reads places of the kernel, of the outer loop, and of the inner one, and leaves the loops in all ways.
//
//qd:kernel
func steadyExits(t qd.Thread, n int, at []int, w, x, y []float64) {
	i := t.ID()
	s := 0.1
outer:
	for k := range n {
		if k == 5 {
			y[i] = s * w[1]
			return
		}
		for j := 0; j < n; j++ {
			switch {
			case (i+j)%4 == 3:
				continue
			case k*j > 6:
				continue outer
			case (i+k+j)%7 == 6:
				break outer
			}
			s = math.Sin(s*w[0] + x[i]*w[at[k]] + w[j]*w[at[i%len(at)]])
		}
		s += w[k] * w[0]
	}
	y[i] += s * w[0]
}

// steadyNowhere reads places that do not exist, in turns that there are not.
//
//qd:kernel
func steadyNowhere(t qd.Thread, n int, w, x, y []float64) {
	i := t.ID()
	s := x[i]
	for k := range n {
		if k < len(w) {
			s *= w[0] + w[k]
		}
		for range n - 3 - i {
			s += w[17+i] * x[i]
		}
	}
	y[i] = s
}

// steadyWritten reads w, which may be the memory that it writes.
//
//qd:kernel
func steadyWritten(t qd.Thread, n int, w, y []float64) {
	i := 3 * t.ID()
	for k := range n {
		y[i+k%2] = math.Sin(y[i+1]*w[i+2]) + w[i]*0.5
	}
}

type steadyParticle struct {
	p f64.Vec3
	m float64
	n int32
}

//qd:kernel
func steadyStructs(t qd.Thread, n int, a []steadyParticle, v qd.View2[float64], y []float64) {
	i := t.ID()
	var local [3]float64
	local[i%3] = a[i].m
	sum := f64.Vec3{0, 0, 1}
	for k := range n {
		part := a[i%2:]
		d := part[0].p.Sub(a[k%len(a)].p)
		sum = sum.Add(d.Scale(part[1].m * local[i%3] * v.At(i%2, 1)))
		if k == 2 {
			sum = sum.Scale(v.Row(1)[0])
		}
	}
	y[i] = sum.Dot(sum) + local[1]
}

//qd:kernel
func steadyHalf(t qd.Thread, n int, h []qd.Float16, w, y []float32) {
	i := t.ID()
	s := float32(0)
	for k := range n {
		s += h[0].Float32()*w[1]*float32(k+1) + h[k].Float32()*w[0]
	}
	y[i] = s
}

func steadyWeighted(w []float64, i int, x float64) float64 { return w[i] * x }

//
//qd:gradient steadyWeighted
//lint:ignore U1000 the directive names it
func steadyWeightedGradient(w []float64, i int, x float64, wGrad []float64, adj float64) float64 {
	qd.AtomicAdd(&wGrad[i], adj*x)
	return adj * w[i]
}

//qd:kernel
func steadyOwn(t qd.Thread, n int, w, x, y []float64) {
	i := t.ID()
	s := x[i]
	for range n {
		s = 0.5*math.Sin(steadyWeighted(w, 1, s)) + w[1]*w[0]
		y[i] += s * w[0]
	}
}

// steadyBlock has loops around the parallel loops of a block, and within these.
//
//qd:kernel
func steadyBlock(b qd.Block, n int, w, x, y []float64) {
	s := qd.Shared[float64](b, 4)
	first := 4 * b.ID()
	c := 0.3
	for k := range n {
		c += 0.1 * w[0]
		b.For(4, func(i int) {
			for j := range n {
				s[i] = 0.5*s[i] + math.Sin(w[0]*x[first+i]+w[1]*w[j%len(w)]*c)
				if j == k+1 {
					return
				}
			}
		})
		if k == 1 {
			c *= w[2] * s[0]
		}
	}
	b.For(4, func(i int) { y[first+i] += s[(i+1)%4] * c })
}

//qd:kernel
func steadyGrid(g qd.Grid, n int, w, x, y []float64) {
	c := w[1]
	for k := range n {
		c *= 0.5 + w[0]
		g.For(len(y), func(i int) {
			for range n {
				y[i] = 0.5*y[i] + w[0]*x[i]*c + w[k%len(w)]
			}
		})
	}
}

func TestSteadyGradients(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		numbers := func(n int) *qd.Array[float64] {
			x := make([]float64, n)
			for i := range x {
				x[i] = 0.2 + 0.7*math.Sin(float64(3*i+n))
			}
			return qd.From(dev, x)
		}
		at := qd.From(dev, []int{3, 0, 0, 5, 1, 2})
		for _, n := range []int{0, 1, 3, 6} {
			for _, threads := range []int{1, 3, 40} {
				qdtest.CheckGradient(t, steadyExits, qd.Dim(threads), n, at, numbers(6), numbers(threads), numbers(threads))
				qdtest.CheckGradient(t, steadyOwn, qd.Dim(threads), n, numbers(2), numbers(threads), numbers(threads))
				x := numbers(threads)
				qdtest.CheckGradient(t, steadyExits, qd.Dim(threads), n, at, numbers(6+threads), x, x) // the same array twice
			}
			qdtest.CheckGradient(t, steadyNowhere, qd.Dim(2), min(n, 3), numbers(2), numbers(2), numbers(2))
			qdtest.CheckGradient(t, steadyWritten, qd.Dim(3), n, numbers(9), numbers(9))
			y := numbers(9)
			qdtest.CheckGradient(t, steadyWritten, qd.Dim(3), n, y, y)
			particles := make([]steadyParticle, 4)
			for i := range particles {
				particles[i] = steadyParticle{f64.Vec3{0.1 * float64(i), 0.3, -0.2 * float64(i*i)}, 0.5 + float64(i), 1}
			}
			qdtest.CheckGradient(t, steadyStructs, qd.Dim(3), n, qd.From(dev, particles), qd.From(dev, []float64{0.3, 0.6, 0.9, 1.2}, 2, 2), numbers(3))
			half := []qd.Float16{qd.ToFloat16(0.5), qd.ToFloat16(0.25), qd.ToFloat16(1), qd.ToFloat16(2), qd.ToFloat16(1.5), qd.ToFloat16(3)}
			qdtest.CheckGradient(t, steadyHalf, qd.Dim(3), n, qd.From(dev, half), qd.From(dev, []float32{0.5, 2}), qd.Zeros[float32](dev, 3))
			qdtest.CheckGradient(t, qd.NewKernel(steadyBlock).WithBlockDim(4), qd.Dim(2), n, numbers(3), numbers(8), numbers(8))
			qdtest.CheckRunGradient(t, steadyGrid, n, numbers(3), numbers(5), numbers(5))
		}
	})
}
