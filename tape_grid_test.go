//go:build !race

package qd_test

import (
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f64"
	"github.com/qdgen/qd/qdtest"
)

//qd:kernel
func gridRelax(g qd.Grid, steps int, u, next []float64) {
	n := len(u)
	for range steps {
		g.For(n, func(i int) {
			next[i] = u[max(i-1, 0)] * u[min(i+1, n-1)] / 2
		})
		g.For(n, func(i int) {
			u[i] = next[i] + 0.5*u[i]
		})
	}
}

//qd:kernel
func gridSwap(g qd.Grid, steps int, u, next []float64) {
	n := len(u)
	for range steps {
		g.For(n, func(i int) {
			next[i] = u[i]*u[max(i-1, 0)] + 0.1*u[i]
		})
		u, next = next, u
	}
}

//qd:kernel
func gridScalars(g qd.Grid, x, y, sum []float64) {
	g.For(len(x), func(i int) { qd.AtomicAdd(&sum[0], x[i]*x[i]) })
	alpha := sum[0] / (1 + y[0])
	if alpha > 100 {
		alpha = 1
	}
	g.For(len(x), func(i int) { y[i] += alpha * x[i] })
	sum[0] = alpha * y[1]
}

//qd:kernel
func gridInPlace(g qd.Grid, steps int, u, v []float64) {
	for k := range steps {
		g.For(len(u), func(i int) {
			u[i] = u[i]*v[i] + 0.1*float64(k)
			v[i] = u[i] * v[i]
		})
		u, v = v[1:], u[1:]
	}
}

// conjugate is some steps of the method of conjugate gradients for a tridiagonal matrix with the diagonal a.
//
//qd:kernel
func conjugate(g qd.Grid, steps int, a, b, x, r, p, q, s []float64) {
	n := len(b)
	g.For(n, func(i int) {
		x[i], r[i], p[i] = 0, b[i], b[i]
	})
	s[0] = 0
	g.For(n, func(i int) { qd.AtomicAdd(&s[0], r[i]*r[i]) })
	rr := s[0]
	for k := 0; k < steps; k++ {
		if rr < 1e-9 {
			break
		}
		s[1] = 0
		g.For(n, func(i int) {
			v := a[i] * p[i]
			if i > 0 {
				v -= 0.3 * p[i-1]
			}
			if i+1 == n {
				q[i] = v
				qd.AtomicAdd(&s[1], v*p[i])
				return
			}
			q[i] = v - 0.3*p[i+1]
			qd.AtomicAdd(&s[1], q[i]*p[i])
		})
		alpha := rr / s[1]
		s[0] = 0
		g.For(n, func(i int) {
			x[i] += alpha * p[i]
			r[i] -= alpha * q[i]
			qd.AtomicAdd(&s[0], r[i]*r[i])
		})
		beta := s[0] / rr
		rr = s[0]
		if k == 1 {
			continue
		}
		g.For(n, func(i int) { p[i] = r[i] + beta*p[i] })
	}
}

//qd:kernel
func gridExits(g qd.Grid, n int, x, y []float64) {
	if n < 0 {
		return
	}
	scale := 1.0
outer:
	for i := range n {
		for j := range i + 1 {
			if (i+j)%3 == 2 {
				continue outer
			}
			g.For(len(x), func(k int) {
				for m := 0; ; m++ {
					if m > k {
						return
					}
					y[k] += scale * x[k] * x[k]
					if y[k] > 50 {
						break
					}
				}
				x[k] = 0.5*x[k] + 0.1*y[k]
			})
			scale *= 0.5 + 0.1*x[j]
			if i*j == 6 {
				break outer
			}
		}
		if scale < 0.001 {
			return
		}
	}
	g.For(len(x), func(k int) { x[k] *= scale })
}

//qd:kernel
func gridParts(g qd.Grid, x, y []float64) {
	h := len(x) / 2
	left, right := x[:h], x[h:]
	for range qd.Static(3) {
		g.For(h, func(i int) { left[i] = left[i]*right[i] + y[i] })
		left, right = right, left
		g.For(h-1, func(i int) { qd.AtomicAdd(&y[i+1], 0.1*right[i]*left[i]) })
	}
	last := x[1:]
	if y[0] > 0.5 {
		last = y[:h]
	}
	g.For(len(last), func(i int) { last[i] *= 1.5 * last[i] })
	copy(y, x[h:])
}

//qd:kernel
func gridViews(g qd.Grid, a, b qd.View2[float64], v []f64.Vec2) {
	for s := range 2 {
		g.For2(a.Dim(0), a.Dim(1), func(i, j int) {
			b.Set(i, j, a.At(i, j)*v[j].X()+a.At(j%a.Dim(0), i%a.Dim(1))*float64(s+1))
		})
		a, b = b, a
	}
	w := v[0].Scale(a.At(1, 1))
	g.For(len(v), func(i int) { v[i] = v[i].Add(w.Scale(v[i].Dot(w))) })
}

//qd:kernel
func gridNothing(g qd.Grid, n int, x, y []float64) {
	g.For(n, func(i int) { x[i] = 7 })
	g.For2(len(x), n, func(i, j int) { qd.AtomicAdd(&y[i], x[i]*x[j]) })
	if n > 0 {
		g.For(len(x), func(i int) { y[i] = x[i] })
	}
	y[0] *= x[1]
}

func norm(g qd.Grid, x, out []float64) float64 {
	out[0] = 0
	g.For(len(x), func(i int) { qd.AtomicAdd(&out[0], x[i]*x[i]) })
	return qd.Sqrt(out[0])
}

//qd:kernel
func gridHelpers(g qd.Grid, x, y, out []float64) {
	a := [3]float64{norm(g, x, out), 2, norm(g, y, out)}
	for i := range a {
		a[i] = a[i]*a[0] + x[i]
	}
	g.For(len(x), func(i int) { x[i] = y[i] * a[i%3] / a[2] })
	qd.AtomicAdd(&out[0], a[1]*norm(g, x, out))
	qd.AtomicMax(&out[0], y[1])
}

//qd:kernel
func gridLong(g qd.Grid, x, y, best []float64) {
	g.For(len(x), func(i int) {
		v := x[i]
		for v > 0.1 {
			y[i] += v * v
			v *= 0.6
		}
	})
	g.For(len(x), func(i int) { qd.AtomicMax(&best[0], y[i]*y[i]) })
	for best[0] > 1 {
		best[0] *= 0.3 + 0.01*x[0]
	}
	g.For(len(x), func(i int) {
		for k := 0; k < i; k++ {
			x[i] = x[i]*best[0] + y[k]
		}
	})
}

// The backward kernels of Grid kernels agree with differences.
func TestTapeGrid(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		from := func(x ...float64) *qd.Array[float64] { return qd.From(dev, x) }
		u, v, one := from(1.5, -0.5, 0.75, 2, 1.25, 0.5), from(1, 2, 0.5, -1, 0.25, 0.75), from(0.5)
		for _, n := range []int{0, 1, 4} {
			qdtest.CheckRunGradient(t, gridRelax, n, u, v)
			qdtest.CheckRunGradient(t, gridSwap, n, u, v)
			qdtest.CheckRunGradient(t, gridInPlace, n, u, v)
			qdtest.CheckRunGradient(t, gridExits, n, u, v)
		}
		qdtest.CheckRunGradient(t, gridExits, -1, u, v)
		qdtest.CheckRunGradient(t, gridScalars, u, v, one)
		a := from(2, 2.5, 3, 1.5, 2, 2.5)
		for _, steps := range []int{0, 2, 4, 20} {
			qdtest.CheckRunGradient(t, conjugate, steps, a, u, v, from(v.Slice()...), from(v.Slice()...), from(v.Slice()...), from(0, 0))
		}
		qdtest.CheckRunGradient(t, gridParts, u, v)
		table := func(x float64) *qd.Array[float64] {
			a := qd.Zeros[float64](dev, 3, 2)
			must(t, a.CopyFrom([]float64{x, 2, -x, 0.5, 1, x * x}))
			return a
		}
		qdtest.CheckRunGradient(t, gridViews, table(0.7), table(1), qd.From(dev, []f64.Vec2{{1, 2}, {-0.5, 1.5}}))
		qdtest.CheckRunGradient(t, gridNothing, 0, u, v)
		qdtest.CheckRunGradient(t, gridNothing, 3, u, v)
		qdtest.CheckRunGradient(t, gridHelpers, u, v, one)
		qdtest.CheckRunGradient(t, gridLong, u, v, one)
		// An array that is two arguments.
		qdtest.CheckRunGradient(t, gridInPlace, 3, u, u)
		qdtest.CheckRunGradient(t, gridExits, 3, u, u)
		qdtest.CheckRunGradient(t, gridScalars, u, u, one)
		qdtest.CheckRunGradient(t, gridHelpers, u, u, one)
	})
}

// The backward kernel of a Grid kernel is a Grid kernel, for arrays and plain slices. A tape bounds what it keeps, differentiates runs
// in checkpoints, and knows of what the kernel overwrites.
func TestTapeGridKernel(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		host, ones := []float64{1.5, -0.5, 0.75, 2}, []float64{1, 1, 1, 1}
		u, next := qd.From(dev, host).WithGrad(), qd.Zeros[float64](dev, 4)
		tape := qd.NewTape(dev)
		must(t, tape.Run(gridRelax, 3, u, next), tape.BackwardFrom(u, ones))
		want := u.Grad().Slice()

		k := qd.NewKernel(gridRelax).Gradient()
		uGrad, nextGrad := qd.From(dev, ones), qd.Zeros[float64](dev, 4)
		must(t, dev.Run(k, 3, qd.From(dev, host), qd.Zeros[float64](dev, 4), uGrad, nextGrad))
		near(t, "of the kernel", uGrad.Slice(), want)
		near(t, "of what is overwritten", nextGrad.Slice(), make([]float64, 4))
		plain := append([]float64{}, ones...)
		must(t, dev.Run(k, 3, append([]float64{}, host...), make([]float64, 4), plain, make([]float64, 4)))
		near(t, "in plain slices", plain, want)

		// In checkpoints, and turn by turn.
		v := qd.From(dev, host).WithGrad()
		steps := qd.NewTape(dev)
		for range 3 {
			must(t, steps.Checkpoint(func() error { return steps.Run(gridRelax, 1, v, next) }))
		}
		must(t, steps.BackwardFrom(v, ones))
		near(t, "in checkpoints", v.Grad().Slice(), want)

		// Each turn overwrites both arrays, of 32 bytes.
		w := qd.From(dev, host).WithGrad()
		small := qd.NewTape(dev, qd.TapeMemory(500))
		must(t, small.Run(gridRelax, 50, w, next))
		wants(t, small.BackwardFrom(w, ones), "more than the limit: allow more with qd.TapeMemory")
		large := qd.NewTape(dev, qd.TapeMemory(10000))
		x := qd.From(dev, host).WithGrad()
		must(t, large.Run(gridRelax, 50, x, next), large.BackwardFrom(x, ones))
	})
}

//qd:kernel
func gridKeeps(g qd.Grid, x, y []float64) {
	g.For(len(x), func(i int) {
		for v := x[i]; v > 0.001; v *= 0.9 {
			y[i] += v * v * y[i]
		}
	})
}

// What the loops of a Grid kernel keep for their gradients goes through batches of their indices where there is little memory.
func TestTapeGridBatches(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		host := make([]float64, 600)
		for i := range host {
			host[i] = 0.01 * float64(i%10)
		}
		gradient := func(options ...qd.TapeOption) []float64 {
			x, y := qd.From(dev, host).WithGrad(), qd.From(dev, host)
			tape := qd.NewTape(dev, options...)
			seed := make([]float64, 600)
			for i := range seed {
				seed[i] = 1
			}
			must(t, tape.Run(gridKeeps, x, y), tape.BackwardFrom(y, seed))
			return x.Grad().Slice()
		}
		near(t, "in batches", gradient(qd.TapeMemory(150000)), gradient())
	})
}

// A backward kernel that keeps slices on its stack, where they change places, writes to slices of the program.
func TestTapeGridPlain(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		for _, steps := range []int{1, 2, 3} {
			u, next := qd.From(dev, []float64{1, 2, 0.5}).WithGrad(), qd.From(dev, []float64{0.5, 1, -1}).WithGrad()
			tape := qd.NewTape(dev)
			y := u
			if steps%2 == 1 {
				y = next
			}
			must(t, tape.Run(gridSwap, steps, u, next), tape.BackwardFrom(y, []float64{1, 2, 3}))
			grads := [][]float64{{0, 0, 0}, {0, 0, 0}}
			copy(grads[steps%2], []float64{1, 2, 3})
			must(t, dev.Run(qd.NewKernel(gridSwap).Gradient(), steps, []float64{1, 2, 0.5}, []float64{0.5, 1, -1}, grads[0], grads[1]))
			near(t, "u", grads[0], u.Grad().Slice())
			near(t, "next", grads[1], next.Grad().Slice())
		}
	})
}
