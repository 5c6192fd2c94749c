//go:build !race

package qd_test

import (
	"math"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f64"
)

type tangentBall struct {
	at    f64.Vec3
	turns int
	mass  float64
}

type tangentScene struct {
	balls []tangentBall
	scale float64
	table []float64
}

func (s tangentScene) weight(i int) float64 { return s.table[i%len(s.table)] * s.scale }

func tangentStep(b *tangentBall, by float64) (moved bool) {
	if b.mass < 0.1 {
		return false
	}
	for k := range b.turns {
		b.at[k%3] += by * math.Sin(b.at[(k+1)%3])
		if b.at[k%3] > 2 {
			return true
		}
	}
	b.mass *= b.at.Norm()
	return true
}

func tangentEach[T qd.Float](n int, f func(i int) T) (sum T) {
	for i := range n {
		if v := f(i); v > 0 {
			sum += v
			continue
		}
		sum -= 1
	}
	return sum
}

// tangentMixed mixes structs with slices and numbers, methods, pointers to elements and variables, closures, generic functions, chosen
// slices, slices of slices in an array, copies, views, complex numbers and half precision.
func tangentMixed(t qd.Thread, scene tangentScene, z []complex128, grid qd.View2[float64], h []float64, y []float64) {
	i := t.ID()
	b := &scene.balls[i]
	if tangentStep(b, scene.weight(i)) {
		y[i] += b.mass
	}
	var local [4]float64
	rows := [2][]float64{scene.table, h}
	copy(local[1:], rows[i%2])
	p := &local[i%4]
	if local[2] > 0.4 {
		p = &local[0]
	}
	*p *= 3
	y[i] += tangentEach(3, func(k int) float64 { return local[k]*b.at[k] - 0.2 })
	c := z[i] * z[i]
	z[i] = c / complex(1+real(c)*real(c), 0.5)
	half := qd.ToFloat16(float32(grid.At(i%2, i/2)))
	grid.Set(i%2, i/2, float64(half.Float32())*2+local[3]*qd.StopGradient(local[3]))
	s := scene.table
	for k := range 3 {
		if k == i {
			s = h[k:]
		}
	}
	qd.AtomicAdd(&y[5], s[0]*s[0])
	w := *b
	w.at = w.at.Cross(f64.Vec3{s[0], 1, math.Inf(1)}.Min(f64.Vec3{2, 2, 2}))
	y[i] += w.at[0] * math.Min(w.at[1], float64(w.turns))
}

// Tangents of a kernel that mixes much are the same on all devices, and what differences say.
func TestTangentMixed(t *testing.T) {
	const n = 4
	type args struct {
		balls []tangentBall
		table []float64
		z     []complex128
		grid  []float64
		h, y  []float64
	}
	// each is a value of all arguments, made of numbers.
	each := func(next func() float64) args {
		var a args
		for i := range n {
			a.balls = append(a.balls, tangentBall{f64.Vec3{next(), next(), next()}, i + 1, next()})
			a.z = append(a.z, complex(next(), next()))
			a.grid = append(a.grid, next())
		}
		for range 6 {
			a.table, a.h, a.y = append(a.table, next()), append(a.h, next()), append(a.y, next())
		}
		return a
	}
	flat := func(a args) (list []float64) {
		for i := range n {
			list = append(list, a.balls[i].at[0], a.balls[i].at[1], a.balls[i].at[2], a.balls[i].mass, real(a.z[i]), imag(a.z[i]), a.grid[i])
		}
		for i := range 6 {
			list = append(list, a.table[i], a.h[i], a.y[i])
		}
		return list
	}
	value := func(by float64) args {
		k := 0.0
		return each(func() float64 { k++; return 0.5 + 0.4*math.Sin(k) + by*math.Cos(2*k) })
	}
	direction := func() args {
		k := 0.0
		return each(func() float64 { k++; return math.Cos(2 * k) })
	}
	view := func(a args) qd.View2[float64] { return qd.ViewOf2(a.grid, 2, 2) }
	for _, dev := range devices(t) {
		t.Run(dev.String(), func(t *testing.T) {
			plain := func(by float64) []float64 {
				a := value(by)
				if err := dev.Launch(tangentMixed, qd.Dim(n), tangentScene{a.balls, 0.7, a.table}, a.z, view(a), a.h, a.y); err != nil {
					t.Fatal(err)
				}
				return flat(a)
			}
			const h = 1e-6
			want, above, below := plain(0), plain(h), plain(-h)
			a, d := value(0), direction()
			err := dev.Launch(qd.NewKernel(tangentMixed).Tangent(), qd.Dim(n), tangentScene{a.balls, 0.7, a.table}, a.z, view(a), a.h, a.y,
				tangentScene{d.balls, 100, d.table}, d.z, view(d), d.h, d.y)
			if err != nil {
				t.Fatal(err)
			}
			got, along := flat(a), flat(d)
			for i := range want {
				by := (above[i] - below[i]) / (2 * h)
				tolerance := 1e-6 * (1 + math.Abs(by))
				if i < 7*n && i%7 == 6 { // in half precision, of which differences say nothing
					tolerance = math.Inf(1)
				}
				if math.Abs(got[i]-want[i]) > 1e-12*(1+math.Abs(want[i])) || !(math.Abs(along[i]-by) <= tolerance) {
					t.Errorf("float %d: %v along %v, not %v along %v", i, got[i], along[i], want[i], by)
				}
			}
		})
	}
}
