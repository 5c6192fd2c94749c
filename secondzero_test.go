//go:build !race

package qd_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd"
)

//qd:kernel
func addsSquares(t qd.Thread, n int, x, y []float64) {
	i := t.ID()
	for range n {
		y[i] += x[i] * x[i]
	}
}

//qd:kernel
func powersUpTo(t qd.Thread, n int, x, y []float64) {
	i := t.ID()
	p := 1.0
	for range n {
		p *= x[i]
		if p > 100 {
			break
		}
	}
	y[i] = p
}

//qd:kernel
func rootOfSquare(t qd.Thread, n int, x, y []float64) { i := t.ID(); y[i] = qd.Sqrt(x[i]*x[i] + 1) }

//qd:kernel
func logOfSquare(t qd.Thread, n int, x, y []float64) { i := t.ID(); y[i] = qd.Log(x[i]*x[i] + 1) }

//qd:kernel
func cbrtOfSquare(t qd.Thread, n int, x, y []float64) { i := t.ID(); y[i] = qd.Cbrt(x[i]*x[i] + 1) }

//qd:kernel
func asinOfSquare(t qd.Thread, n int, x, y []float64) { i := t.ID(); y[i] = qd.Asin(x[i] * x[i]) }

//qd:kernel
func powOfSquare(t qd.Thread, n int, x, y []float64) { i := t.ID(); y[i] = qd.Pow(x[i]*x[i]+1, 1.5) }

// squareBelow9 has the square of p in a branch.
func squareBelow9(x, p float64) float64 {
	if x < 9 {
		return p * p
	}
	return 0
}

//qd:kernel
func squaredLogInBranch(t qd.Thread, n int, x, y []float64) {
	i := t.ID()
	y[i] = squareBelow9(x[i], qd.Log(x[i]))
}

//qd:kernel
func squaredQuotientInBranch(t qd.Thread, n int, x, y []float64) {
	i := t.ID()
	y[i] = squareBelow9(x[i], 1/x[i]-1)
}

//qd:kernel
func squaredRootInBranch(t qd.Thread, n int, x, y []float64) {
	i := t.ID()
	y[i] = squareBelow9(x[i], qd.Sqrt(x[i])-1)
}

// ifPositive is p, or a square where x is not positive: there p has derivatives that are not finite. In all kernels but
// the first, the first one is finite.
func ifPositive(x, p float64) float64 {
	v := 3 * x * x
	if x > 0 {
		v = p
	}
	return v
}

//qd:kernel
func rootIfPositive(t qd.Thread, n int, x, y []float64) {
	i := t.ID()
	y[i] = ifPositive(x[i], qd.Sqrt(x[i]))
}

//qd:kernel
func productIfPositive(t qd.Thread, n int, x, y []float64) {
	i := t.ID()
	y[i] = ifPositive(x[i], x[i]*qd.Sqrt(x[i]))
}

//qd:kernel
func powerIfPositive(t qd.Thread, n int, x, y []float64) {
	i := t.ID()
	y[i] = ifPositive(x[i], qd.Pow(x[i], 1.5))
}

//qd:kernel
func powerOfMoreIfPositive(t qd.Thread, n int, x, y []float64) {
	i := t.ID()
	y[i] = ifPositive(x[i], qd.Pow(x[i], x[i]+1))
}

//qd:kernel
func cutOff(t qd.Thread, n int, x, y []float64) {
	i := t.ID()
	d := 1 - x[i]
	w := d * qd.Sqrt(d)
	l := d * qd.Log(d)
	v := x[i] * x[i]
	if x[i] < 1 {
		v += w + l
	}
	y[i] = v
}

// powerOfItself has an exponent that varies, and is 0 at first.
//
//qd:kernel
func powerOfItself(t qd.Thread, n int, x, y []float64) { i := t.ID(); y[i] = qd.Pow(x[i]+2, x[i]) }

//qd:kernel
func powers(t qd.Thread, x, y, z []float64) { i := t.ID(); z[i] = qd.Pow(x[i], y[i]) }

// TestPowerOfZero takes the derivative of x to the power of 0, which is 1 for all x.
func TestPowerOfZero(t *testing.T) {
	x := []float64{3, -2, 0, 1e-310, -1e-310, math.NaN(), math.Inf(1)}
	n := len(x)
	for _, d := range opened(t, "go", "cpu") {
		ones, dx, dz := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range ones {
			ones[i] = 1
		}
		k := qd.NewKernel(powers)
		err := d.Launch(k.Gradient(), qd.Dim(n), x, make([]float64, n), make([]float64, n), dx, make([]float64, n), ones)
		err = errors.Join(err, d.Launch(k.Tangent(), qd.Dim(n), x, make([]float64, n), make([]float64, n), slices.Repeat([]float64{1}, n), make([]float64, n), dz))
		for i := range x {
			if err != nil || dx[i] != 0 || dz[i] != 0 {
				t.Errorf("%v: x = %v: gradient %v, tangent %v, error %v, want 0", d, x[i], dx[i], dz[i], err)
			}
		}
	}
}

// TestSecondDerivativeAtZero takes second derivatives where first ones are zero, or an adjoint in them is: what an
// adjoint of zero adds is left out, but not its derivative.
func TestSecondDerivativeAtZero(t *testing.T) {
	ln2 := math.Log(2)
	for name, c := range map[string]struct {
		kernel func(t qd.Thread, n int, x, y []float64)
		n      int
		x, y2  float64
	}{
		"sum of squares":              {addsSquares, 1, 0, 2},
		"sum of several":              {addsSquares, 3, 0, 6},
		"powers":                      {powersUpTo, 2, 0, 2},
		"third power":                 {powersUpTo, 3, 0, 0},
		"root of a square":            {rootOfSquare, 0, 0, 1},
		"logarithm of a square":       {logOfSquare, 0, 0, 2},
		"cube root of a square":       {cbrtOfSquare, 0, 0, 2. / 3},
		"arcsine of a square":         {asinOfSquare, 0, 0, 2},
		"power of a square":           {powOfSquare, 0, 0, 3},
		"squared logarithm, branch":   {squaredLogInBranch, 0, 1, 2},
		"squared quotient, branch":    {squaredQuotientInBranch, 0, 1, 2},
		"squared root, branch":        {squaredRootInBranch, 0, 1, 0.5},
		"root in a branch":            {rootIfPositive, 0, 0, 6},
		"root in a branch, elsewhere": {rootIfPositive, 0, 4, -1. / 32},
		"product in a branch":         {productIfPositive, 0, 0, 6},
		"product, elsewhere":          {productIfPositive, 0, 4, 0.375},
		"power in a branch":           {powerIfPositive, 0, 0, 6},
		"cut off":                     {cutOff, 0, 1, 2},
		"power of more in a branch":   {powerOfMoreIfPositive, 0, -1, 6},
		"power that varies":           {powerOfItself, 0, 0, ln2*ln2 + 1},
	} {
		for _, d := range opened(t, "go", "cpu") {
			k := qd.NewKernel(c.kernel)
			s := func(v float64) []float64 { return []float64{v} }
			for how, second := range map[string]func(out []float64) error{
				"Gradient().Tangent()": func(out []float64) error {
					return d.Launch(k.Gradient().Tangent(), qd.Dim(1), c.n, s(c.x), s(0), s(0), s(1), s(1), s(0), out, s(0))
				},
				"Gradient().Gradient()": func(out []float64) error {
					return d.Launch(k.Gradient().Gradient(), qd.Dim(1), c.n, s(c.x), s(0), s(0), s(1), out, s(0), s(1), s(0))
				},
				"Tangent().Gradient()": func(out []float64) error {
					return d.Launch(k.Tangent().Gradient(), qd.Dim(1), c.n, s(c.x), s(0), s(1), s(0), out, s(0), s(0), s(1))
				},
				"Tangent().Tangent()": func(out []float64) error {
					return d.Launch(k.Tangent().Tangent(), qd.Dim(1), c.n, s(c.x), s(0), s(1), s(0), s(1), s(0), s(0), out)
				},
			} {
				out := []float64{0}
				err := second(out)
				if err != nil && how == "Gradient().Gradient()" && strings.Contains(err.Error(), "that keeps values in memory") {
					continue // which is refused
				}
				if err != nil {
					t.Errorf("%s, %s on %v: %v", name, how, d, err)
				} else if math.Abs(out[0]-c.y2) > 1e-12 || math.IsNaN(out[0]) {
					t.Errorf("%s, %s on %v: %v, want %v", name, how, d, out[0], c.y2)
				}
			}
		}
	}
}
