//go:build !race

package qd_test

import (
	"math"
	"slices"
	"testing"

	"github.com/qdgen/qd"
)

func tangentPowers(t qd.Thread, n int, w, x, y []float64) {
	i := t.ID()
	p := 1.0
	for range n {
		p *= x[i]
		if p > 100 {
			break
		}
	}
	y[i] += math.Sin(w[0]*p) * x[i]
}

func tangentGrid(g qd.Grid, steps int, rate, u, next []float64) {
	r := rate[0] * rate[0]
	for range steps {
		g.For(len(u), func(i int) { next[i] = u[i] - r*u[i]*u[max(i-1, 0)] })
		u, next = next, u
	}
}

// along compares what a tangent kernel makes of a direction with differences of what the kernel makes. run launches one of them.
func along(t *testing.T, args [][]float64, run func(tangent bool, args ...[]float64) error) {
	t.Helper()
	direction := make([][]float64, len(args))
	for i, a := range args {
		for k := range a {
			direction[i] = append(direction[i], math.Sin(float64(5*i+3*k+1)))
		}
	}
	at := func(by float64) [][]float64 {
		var moved [][]float64
		for i, a := range args {
			moved = append(moved, slices.Clone(a))
			for k := range a {
				moved[i][k] += by * direction[i][k]
			}
		}
		if err := run(false, moved...); err != nil {
			t.Fatal(err)
		}
		return moved
	}
	want, above, below := at(0), at(1e-5), at(-1e-5)
	got := make([][]float64, 0, 2*len(args))
	for _, list := range [][][]float64{args, direction} {
		for _, a := range list {
			got = append(got, slices.Clone(a))
		}
	}
	if err := run(true, got...); err != nil {
		t.Fatal(err)
	}
	for i := range args {
		for k := range args[i] {
			d := (above[i][k] - below[i][k]) / 2e-5
			if y, dy := got[i][k], got[len(args)+i][k]; math.Abs(y-want[i][k]) > 1e-12*math.Abs(y) || math.Abs(dy-d) > 1e-6*(1+math.Abs(d)) {
				t.Errorf("argument %d, element %d: %v along %v, not %v along %v", i, k, y, dy, want[i][k], d)
			}
		}
	}
}

// A tangent kernel does what the kernel does, and gives the derivative along a direction: of kernels for threads, blocks and grids.
func TestTangent(t *testing.T) {
	for _, dev := range devices(t) {
		t.Run(dev.String(), func(t *testing.T) {
			args := [][]float64{{0.3}, {1, 1.5, 0.25, -2, 3, 5}, {1, 2, 3, 4, 5, 6}}
			along(t, args, func(tangent bool, a ...[]float64) error {
				if tangent {
					return dev.Launch(qd.NewKernel(tangentPowers).Tangent(), qd.Dim(6), 3, a[0], a[1], a[2], a[3], a[4], a[5])
				}
				return dev.Launch(tangentPowers, qd.Dim(6), 3, a[0], a[1], a[2])
			})
			along(t, args, func(tangent bool, a ...[]float64) error {
				if tangent {
					return dev.Run(qd.NewKernel(tangentGrid).Tangent(), 3, a[0], a[1], a[2], a[3], a[4], a[5])
				}
				return dev.Run(tangentGrid, 3, a[0], a[1], a[2])
			})
			rows := [][]float64{make([]float64, 32)}
			for i := range rows[0] {
				rows[0][i] = math.Cos(float64(i))
			}
			along(t, rows, func(tangent bool, a ...[]float64) error {
				if tangent {
					return dev.Launch(qd.NewKernel(blockTree).Tangent(), qd.Dim(2), a[0], a[1])
				}
				return dev.Launch(blockTree, qd.Dim(2), a[0])
			})
		})
	}
}

// The gradient of the tangent and the tangent of the gradient are the same second derivative, and that which differences of gradients
// give, also where the backward kernel keeps values.
func TestTangentTwice(t *testing.T) {
	for _, dev := range devices(t) {
		t.Run(dev.String(), func(t *testing.T) {
			w, x, dx := []float64{0.3}, []float64{1, 1.5, 0.25, -2, 1.2, 9}, []float64{1, 0.5, -1, 2, 0.25, 3}
			n := len(x)
			zero := func() []float64 { return make([]float64, n) }
			one := func() []float64 { return slices.Repeat([]float64{1}, n) }
			k := qd.NewKernel(tangentPowers)
			gradient := func(by float64) []float64 {
				moved, xGrad := slices.Clone(x), zero()
				for i := range moved {
					moved[i] += by * dx[i]
				}
				if err := dev.Launch(k.Gradient(), qd.Dim(n), 3, w, moved, zero(), []float64{0}, xGrad, one()); err != nil {
					t.Fatal(err)
				}
				return xGrad
			}
			forwardOverReverse := zero()
			if err := dev.Launch(k.Gradient().Tangent(), qd.Dim(n), 3, w, x, zero(), []float64{0}, zero(), one(),
				[]float64{0}, slices.Clone(dx), zero(), []float64{0}, forwardOverReverse, zero()); err != nil {
				t.Fatal(err)
			}
			reverseOverForward := zero()
			if err := dev.Launch(k.Tangent().Gradient(), qd.Dim(n), 3, w, x, zero(), []float64{0}, slices.Clone(dx), zero(),
				[]float64{0}, reverseOverForward, zero(), []float64{0}, zero(), one()); err != nil {
				t.Fatal(err)
			}
			above, below := gradient(1e-5), gradient(-1e-5)
			for i := range n {
				want, f, r := (above[i]-below[i])/2e-5, forwardOverReverse[i], reverseOverForward[i]
				if math.Abs(f-want) > 1e-5*(1+math.Abs(want)) || math.Abs(f-r) > 1e-9*(1+math.Abs(want)) {
					t.Errorf("%d: %v forward over reverse, %v reverse over forward, differences say %v", i, f, r, want)
				}
			}
			if err := dev.Launch(k.Gradient().Gradient(), qd.Dim(n), 3, w); err == nil {
				t.Error("a gradient of a gradient is no error")
			}
		})
	}
}

// Tangents in the memory of arguments, or shared in another way than these, are errors.
func TestTangentMemory(t *testing.T) {
	k := qd.NewKernel(tangentPowers).Tangent()
	x, y := make([]float64, 4), make([]float64, 4)
	w := []float64{1}
	for _, args := range [][]any{{3, w, x, y, []float64{1}, x, make([]float64, 4)}, {3, w, x, x, []float64{1}, make([]float64, 4), make([]float64, 4)}} {
		if err := devices(t)[0].Launch(k, qd.Dim(4), args...); err == nil {
			t.Errorf("%v is no error", args)
		}
	}
	d := make([]float64, 4)
	if err := devices(t)[0].Launch(k, qd.Dim(4), 3, w, x, x, []float64{1}, d, d); err != nil {
		t.Error(err)
	}
}

// tangentExtremes finds the least and the largest of functions of x for each remainder.
//
//qd:kernel
func tangentExtremes[T float32 | float64](t qd.Thread, x, least, largest []T) {
	i := t.ID()
	k := i % len(least)
	qd.AtomicMin(&least[k], x[i]*x[i])
	if x[i] > 0 {
		qd.AtomicMax(&largest[k], 3*x[i])
	}
}

// However many threads change an element at once, it has the tangent of the value that has become the element's.
func TestTangentExtremes(t *testing.T) {
	for _, dev := range devices(t) {
		t.Run(dev.String(), func(t *testing.T) {
			extremesOf[float64](t, dev)
			extremesOf[float32](t, dev)
		})
	}
}

func extremesOf[T float32 | float64](t *testing.T, dev *qd.Device) {
	const n, bins = 20000, 3
	x, dx := make([]T, n), make([]T, n)
	for i := range x {
		x[i], dx[i] = T((i*7919)%n-n/3)+0.25, T(i) // no two of one size
	}
	start := func(y T) []T { return []T{y, y, y} }
	least, largest, dLeast, dLargest := start(1e30), start(1e6), start(-7), start(-7)
	if err := dev.Launch(qd.NewKernel(tangentExtremes[T]).Tangent(), qd.Dim(n), x, least, largest, dx, dLeast, dLargest); err != nil {
		t.Fatal(err)
	}
	for k := range bins {
		want, tangent := T(1e30), T(0)
		for i := k; i < n; i += bins {
			if y := x[i] * x[i]; y < want {
				want, tangent = y, 2*x[i]*dx[i]
			}
		}
		// What was in largest before is larger than all values.
		if least[k] != want || dLeast[k] != tangent || largest[k] != 1e6 || dLargest[k] != -7 {
			t.Errorf("%T, %d: least %v along %v, want %v along %v; largest %v along %v", x, k, least[k], dLeast[k], want, tangent, largest[k], dLargest[k])
		}
	}
}
