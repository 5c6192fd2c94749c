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

// Functions that call themselves and have derivatives of their own, which may call themselves too.

func ownPower(x float64, n int) float64 {
	if n == 0 {
		return 1
	}
	return x * ownPower(x, n-1)
}

//qd:gradient ownPower
//lint:ignore U1000 the directive names it
func ownPowerGradient(x float64, n int, adj float64) float64 {
	if n == 0 {
		return 0
	}
	return adj * float64(n) * ownPower(x, n-1)
}

//qd:kernel
func ownPowers(t qd.Thread, n int, x, y []float64) {
	i := t.ID()
	y[i] = 2 * ownPower(x[i], n+i)
}

func ownTwice(x float64, n int) float64 { return x * float64(n) }

//qd:gradient ownTwice
//lint:ignore U1000 the directive names it
func ownTwiceGradient(x float64, n int, adj float64) float64 {
	if n <= 0 {
		return 0
	}
	return adj + ownTwiceGradient(x, n-1, adj)
}

//qd:kernel
func ownRecursiveGradient(t qd.Thread, n int, x, y []float64) {
	i := t.ID()
	y[i] = 2 * ownTwice(x[i], n+i)
}

func ownHalves(x float64, n int) float64 {
	if n == 0 {
		return x
	}
	return ownHalves(x, n-1) / 2
}

//qd:replay ownHalves
//lint:ignore U1000 the directive names it
func ownHalvesAgain(x float64, n int) float64 {
	if n == 0 {
		return x
	}
	return ownHalvesAgain(x/2, n-1)
}

//qd:gradient ownHalves
//lint:ignore U1000 the directive names it
func ownHalvesGradient(x float64, n int, adj float64) float64 {
	if n == 0 {
		return adj
	}
	return ownHalvesGradient(x, n-1, adj/2)
}

//qd:kernel
func ownHalved(t qd.Thread, n int, x, y []float64) {
	i := t.ID()
	h := ownHalves(x[i]*x[i], n+i)
	y[i] = h * h
}

// Only one of two functions that call each other has a derivative. It is the one that the other calls, which the
// kernel calls.
func ownEven(x float64, n int) float64 { return ownOdd(x, n-1) * 3 }

func ownOdd(x float64, n int) float64 {
	if n <= 0 {
		return x
	}
	return ownEven(x, n-1) * 2
}

//qd:gradient ownOdd
//lint:ignore U1000 the directive names it
func ownOddGradient(x float64, n int, adj float64) float64 { return adj * ownOdd(1, n) }

//qd:kernel
func ownTogether(t qd.Thread, n int, x, y []float64) {
	i := t.ID()
	y[i] = ownEven(x[i], n+i)
}

// A step of a random number generator has a replay only.
func ownNoise(state uint32, n int) uint32 {
	if n == 0 {
		return state
	}
	return ownNoise(state*1664525+1013904223, n-1)
}

//qd:replay ownNoise
//lint:ignore U1000 the directive names it
func ownNoiseAgain(state uint32, n int) uint32 {
	for range n {
		state = state*1664525 + 1013904223
	}
	return state
}

//qd:kernel
func ownNoisy(t qd.Thread, n int, x, y []float64) {
	i := t.ID()
	y[i] = x[i] * x[i] * float64(ownNoise(uint32(i), n)%7)
}

func TestOwnRecursion(t *testing.T) {
	const n, eps = 3, 1e-6
	x, seed := []float64{1.5, 2, 0.5, 1.25}, []float64{1, 2, 3, 4}
	for _, c := range []struct {
		kernel any
		value  func(i int, x float64) float64
	}{
		{ownPowers, func(i int, x float64) float64 { return 2 * ownPower(x, n+i) }},
		{ownRecursiveGradient, func(i int, x float64) float64 { return 2 * ownTwice(x, n+i) }},
		{ownHalved, func(i int, x float64) float64 { h := ownHalves(x*x, n+i); return h * h }},
		{ownTogether, func(i int, x float64) float64 { return ownEven(x, n+i) }},
		{ownNoisy, func(i int, x float64) float64 { return x * x * float64(ownNoise(uint32(i), n)%7) }},
	} {
		want, slopes := make([]float64, len(x)), make([]float64, len(x))
		for i, v := range x {
			want[i] = c.value(i, v)
			slopes[i] = (c.value(i, v+eps) - c.value(i, v-eps)) / (2 * eps)
		}
		near := func(got []float64) bool {
			for i, g := range got {
				if w := slopes[i] * seed[i]; math.Abs(g-w) > 1e-6*(1+math.Abs(w)) {
					return false
				}
			}
			return true
		}
		for _, d := range append(devices(t), opened(t, "cpu")[0].Checked()) {
			k := qd.NewKernel(c.kernel)
			y, grad := make([]float64, len(x)), make([]float64, len(x))
			if err := d.Launch(k, qd.Dim(len(x)), n, x, y); err != nil || !slices.Equal(y, want) {
				t.Errorf("%s on %v: %v, %v, and Go gives %v", k.Name(), d, y, err, want)
			}
			if err := d.Launch(k.Gradient(), qd.Dim(len(x)), n, x, y, grad, slices.Clone(seed)); err != nil || !near(grad) {
				t.Errorf("gradient of %s on %v: %v, %v, and the slopes are %v", k.Name(), d, grad, err, slopes)
			}
			dy := make([]float64, len(x))
			if err := d.Launch(k.Tangent(), qd.Dim(len(x)), n, x, y, seed, dy); err != nil || !near(dy) {
				t.Errorf("tangent of %s on %v: %v, %v, and the slopes are %v", k.Name(), d, dy, err, slopes)
			}
		}
	}
}

// Recursion that is too deep is a fault of checked builds, in the function and in its derivative.
func TestOwnRecursionTooDeep(t *testing.T) {
	d := opened(t, "cpu")[0].Checked()
	x, y := []float64{1}, []float64{0}
	for _, err := range []error{
		d.Launch(ownPowers, qd.Dim(1), -1, x, y),
		d.Launch(qd.NewKernel(ownRecursiveGradient).Gradient(), qd.Dim(1), huge(40), x, y, []float64{0}, []float64{1}),
	} {
		if f := (*qd.Fault)(nil); !errors.As(err, &f) || !strings.Contains(f.Reason, "stack overflow: more than") || !strings.Contains(f.Reason, " calls of own") || strings.Contains(f.Reason, ".again") {
			t.Errorf("%v", err)
		}
	}
}
