//go:build !race

package qd_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f64"
)

//qd:kernel
func twiceStraight(t qd.Thread, x, y []float64) {
	i := t.ID()
	v := f64.Vec2{x[i], x[(i+1)%len(x)]}
	y[i] += qd.Sin(v[0]*v[1]) * v.Norm() * x[i]
}

//qd:kernel
func twiceIf(t qd.Thread, x, y []float64) {
	i := t.ID()
	s := x[i] * x[i]
	if s > 0.6 {
		s = math.Exp(s * x[(i+1)%len(x)])
	} else if i%2 == 0 {
		s *= s
	}
	y[i] = s * x[i]
}

//qd:kernel
func twiceLoop(t qd.Thread, n int, x, y []float64) {
	i := t.ID()
	s := 0.0
	for k := range n {
		s += x[(i+k)%len(x)] * math.Sin(x[i]*float64(k))
	}
	p := 1.0
	for k := range 20 {
		p *= 0.5 + x[(i+k)%len(x)]
	}
	y[i] = s * p
}

//qd:kernel
func twiceBlock(b qd.Block, x, y []float64) {
	s := qd.Shared[float64](b, 4)
	at := 4 * b.ID()
	b.For(4, func(i int) { s[i] = x[at+i] * x[at+i] })
	b.For(4, func(i int) { y[at+i] = s[i] - 2*s[(i+1)%4] + math.Sin(x[at+i]) })
}

//qd:kernel
func twiceSum(t qd.Thread, x, y []float64) {
	v := x[t.ID()]
	qd.AtomicAdd(&y[0], v*v*v)
}

//qd:kernel
func twiceWhile(t qd.Thread, x, y []float64) {
	s := x[t.ID()]
	for s < 3 {
		s += s*s + 0.1
	}
	y[t.ID()] = s
}

//qd:kernel
func twiceInPlace(t qd.Thread, x, y []float64) {
	i := t.ID()
	y[i] = x[i] * x[i]
	v := y[i*len(x)/8]
	y[i] = v * v
}

// A backward kernel that keeps nothing in memory has a backward kernel itself.
func TestGradientTwice(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		r := rand.New(rand.NewPCG(1, 2))
		random := func() []float64 {
			list := make([]float64, 8)
			for i := range list {
				list[i] = 0.2 + r.Float64()
			}
			return list
		}
		zero := func() []float64 { return make([]float64, 8) }
		for name, c := range map[string]struct {
			k   any
			one []any // arguments before x
		}{
			"straight": {twiceStraight, nil}, "if": {twiceIf, nil}, "loop": {twiceLoop, []any{5}},
			"sum": {twiceSum, nil},
		} {
			k := qd.NewKernel(c.k)
			x, yGrad, w := random(), random(), random()
			args := func(more ...any) []any { return append(append([]any{}, c.one...), more...) }
			// What is differentiated is the sum of w * xGrad.
			gradient := func(x, yGrad []float64) float64 {
				xGrad := zero()
				must(t, dev.Launch(k.Gradient(), qd.Dim(8), args(x, zero(), xGrad, append([]float64{}, yGrad...))...))
				sum := 0.0
				for i, g := range xGrad {
					sum += w[i] * g
				}
				return sum
			}
			byX, byYGrad := zero(), zero()
			must(t, dev.Launch(k.Gradient().Gradient(), qd.Dim(8), args(x, zero(), zero(), append([]float64{}, yGrad...), byX, zero(), append([]float64{}, w...), byYGrad)...))
			moved := func(list []float64, i int, by float64) []float64 {
				list = append([]float64{}, list...)
				list[i] += by
				return list
			}
			for i := range x {
				const h = 1e-5
				dx := (gradient(moved(x, i, h), yGrad) - gradient(moved(x, i, -h), yGrad)) / (2 * h)
				dy := (gradient(x, moved(yGrad, i, h)) - gradient(x, moved(yGrad, i, -h))) / (2 * h)
				if math.Abs(dx-byX[i]) > 1e-7*(1+math.Abs(dx)) || math.Abs(dy-byYGrad[i]) > 1e-7*(1+math.Abs(dy)) {
					t.Errorf("%s %d: %v and %v, differences say %v and %v", name, i, byX[i], byYGrad[i], dx, dy)
				}
			}
		}
		z := zero()
		for k, text := range map[*qd.Kernel]string{
			qd.NewKernel(twiceBlock):   "cannot differentiate a backward kernel of a Block kernel",
			qd.NewKernel(twiceWhile):   "cannot differentiate a backward kernel that keeps values in memory",
			qd.NewKernel(twiceInPlace): "cannot differentiate a backward kernel that does again what the kernel does",
		} {
			err := dev.Launch(k.Gradient().Gradient(), qd.Dim(1), z, zero(), zero(), zero(), zero(), zero(), zero(), zero())
			wants(t, err, text)
			wants(t, err, "Tangent().Gradient()")
		}
	})
}
