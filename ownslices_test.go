//go:build !race

package qd_test

import (
	"slices"
	"testing"

	"github.com/qdgen/qd"
)

// Functions with gradients of their own that slice what they are given. The gradients are not those of the bodies, which
// shows that they are called.

func ownSliced(s []float64, n int) float64 {
	sum := 0.0
	for _, v := range s[:n] {
		sum += v * v
	}
	return sum
}

//qd:gradient ownSliced
//lint:ignore U1000 the directive names it
func ownSlicedGradient(s []float64, n int, sGrad []float64, adj float64) {
	for i, v := range s[:n] {
		qd.AtomicAdd(&sGrad[:n][i], 3*v*adj)
	}
}

func ownClipped(s []float64, n int) float64 {
	t := s[0:n:n]
	return t[0] * t[n-1]
}

//qd:gradient ownClipped
//lint:ignore U1000 the directive names it
func ownClippedGradient(s []float64, n int, sGrad []float64, adj float64) {
	t, g := s[0:n:n], sGrad[0:n:n]
	qd.AtomicAdd(&g[0], 2*t[n-1]*adj)
	qd.AtomicAdd(&g[n-1], 2*t[0]*adj)
}

//qd:kernel
func ownSlices(t qd.Thread, x, y []float64) {
	i := t.ID()
	y[i] = ownSliced(x[i:i+2], 2) + ownClipped(x[i:], 2)
}

func TestOwnSlices(t *testing.T) {
	x, seed := []float64{1, 2, 3, 4}, []float64{1, 10, 100}
	want := []float64{7, 19, 37}
	slopes := []float64{7, 128, 1830, 1800}
	for _, d := range append(devices(t), opened(t, "cpu")[0].Checked()) {
		y, grad := make([]float64, 3), make([]float64, 4)
		if err := d.Launch(ownSlices, qd.Dim(3), x, y); err != nil || !slices.Equal(y, want) {
			t.Errorf("%v: %v, %v, and Go gives %v", d, y, err, want)
		}
		if err := d.Launch(qd.NewKernel(ownSlices).Gradient(), qd.Dim(3), x, y, grad, slices.Clone(seed)); err != nil || !slices.Equal(grad, slopes) {
			t.Errorf("%v: the gradient is %v, %v, not %v", d, grad, err, slopes)
		}
	}
}
