package k

import (
	"math"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f64"
)

//qd:kernel
func scaled(t qd.Thread, a float64, x, y []float64) {
	i := t.ID()
	y[i] += a * x[i] * x[i]
}

//qd:kernel
func guarded(t qd.Thread, n int, x, y []float64) {
	i := t.ID()
	if i >= 3 {
		return
	}
	y[i] = x[i] * x[n]
}

//qd:kernel
func branches(t qd.Thread, x, y []float64) {
	i := t.ID()
	a := x[i] * 3
	if a > 0 {
		a *= x[i+1]
	} else {
		a = math.Exp(a)
	}
	switch {
	case a > 2:
		a = a * a
	case a > 1:
		a = a * x[i+2]
	}
	y[i] = a * x[i]
}

//qd:kernel
func sumUntil(t qd.Thread, x, y []float64) {
	s := 0.0
	for k := 0; k < 6; k++ {
		if k == 3 {
			break
		}
		s += 3 * x[k]
	}
	y[t.ID()] = s
}

//qd:kernel
func product(t qd.Thread, n int, x, y []float64) {
	p := 1.0
	for k := 0; k < n; k++ {
		p *= x[k]
	}
	y[t.ID()] = p
}

//qd:kernel
func newton(t qd.Thread, x, y []float64) {
	i := t.ID()
	a := math.Abs(x[i]) + 1
	g := a
	for math.Abs(g*g-a) > 1e-6 {
		g = 0.5 * (g + a/g)
	}
	y[i] = g
}

//qd:kernel
func nested(t qd.Thread, n int, x, y []float64) {
	i := t.ID()
	s := x[i]
	for k := 0; k < n; k++ {
		for j := k; j < n; j++ {
			s = math.Sin(s) * x[j]
			if s > 0.5 {
				s *= x[k]
			}
		}
		s += x[k]
	}
	y[i] = s
}

//qd:kernel
func labels(t qd.Thread, n int, x, y []float64) {
	i := t.ID()
	s := x[i]
outer:
	for k := 0; k < n; k++ {
		for j := 0; ; j++ {
			if j == 3 {
				continue outer
			}
			if k == 4 && j == 1 {
				break outer
			}
			if j > k {
				break
			}
			s *= x[j+k]
		}
		s += x[k] * s
		if s > 100 {
			return
		}
	}
	y[i] = s
}

//qd:kernel
func inner(t qd.Thread, n int, x, y []float64) {
	i := t.ID()
	s := x[i]
	for k := 0; k < n; k++ {
		if x[k] < 0 {
			if x[k+1] < 0 {
				continue
			}
			s *= 2
		} else if s > 3 {
			y[i] = s * s
			return
		}
		s += x[k] * s
	}
	y[i] = s
}

//qd:kernel
func inPlace(t qd.Thread, x []float64) {
	i := t.ID()
	x[i] = x[i] * x[i]
	x[i] = math.Sin(x[i]) * x[i]
	x[i+4] = x[i] * x[i+4]
}

//qd:kernel
func writtenTwice(t qd.Thread, x, y []float64) {
	i := t.ID()
	y[i] = x[i]
	y[i] = x[i+1] * x[i]
}

//qd:kernel
func cleared(t qd.Thread, x, y []float64) {
	i := t.ID()
	y[i] = 0
	for k := 0; k < i; k++ {
		y[i] += x[k] * x[k+1]
	}
}

//qd:kernel
func gathered(t qd.Thread, at []int, x, y []float64) {
	i := t.ID()
	y[i] = x[at[i]] * x[at[i+1]]
}

//qd:kernel
func scattered(t qd.Thread, at []int, x, y []float64) {
	i := t.ID()
	qd.AtomicAdd(&y[at[i]], x[i]*x[i])
	qd.AtomicAdd(&y[0], x[i+1])
}

//qd:kernel
func stencil(t qd.Thread, x, y []float64) {
	i := t.ID() + 1
	y[i] = x[i-1] - 2*x[i] + x[i+1]*x[i]
}

//qd:kernel
func triples(t qd.Thread, x, y []float64) {
	i := t.ID()
	y[i] = math.Sqrt(x[3*i]*x[3*i] + x[3*i+1]*x[3*i+1] + x[3*i+2]*x[3*i+2])
}

//qd:kernel
func localArray(t qd.Thread, n int, x, y []float64) {
	var a [4]float64
	for k := 0; k < 12; k++ {
		a[(k*k+t.ID())%4] += x[k] * a[k%4]
		a[k%4] += x[k]
	}
	y[t.ID()] = a[n%4] * a[1]
}

//qd:kernel
func freshArray(t qd.Thread, n int, x, y []float64) {
	s := x[t.ID()]
	for k := 0; k < n; k++ {
		a := [3]float64{s, x[k], s * x[k]}
		a[k%3] *= s
		s = math.Sin(a[0] + a[1]*a[2])
	}
	y[t.ID()] = s
}

type particle struct {
	id   int
	pos  f64.Vec3
	mass float64
}

//qd:kernel
func structs(t qd.Thread, p []particle, y []float64) {
	i := t.ID()
	q := p[i]
	d := q.pos.Sub(p[i+1].pos)
	y[i] = q.mass * d.Dot(d) / math.Sqrt(1+q.pos.Dot(p[0].pos)*q.pos.Dot(p[0].pos)) * float64(q.id%3)
	p[i].mass = d[0] * q.mass
}

func force(p []particle, i int) (f f64.Vec3, energy float64) {
	for k := range p {
		if k == i {
			continue
		}
		d := p[k].pos.Sub(p[i].pos)
		r2 := d.Dot(d) + 0.1
		if r2 > 4 {
			continue
		}
		f = f.Add(d.Scale(p[k].mass / (r2 * math.Sqrt(r2))))
		energy += p[k].mass / math.Sqrt(r2)
	}
	return f, energy
}

//qd:kernel
func bodies(t qd.Thread, p []particle, f []f64.Vec3, y []float64) {
	i := t.ID()
	f[i], y[i] = force(p, i)
}

//qd:kernel
func views(t qd.Thread, x, y qd.View2[float64]) {
	i, j := t.ID2()
	if i >= x.Dim(0) || j >= x.Dim(1) {
		return
	}
	s := x.At(i, j)
	if j > 0 {
		s *= x.At(i, j-1)
	}
	y.Set(i, j, s*y.At(i, j))
}

//qd:kernel
func converted(t qd.Thread, n int, x, y []float64) {
	i := t.ID()
	y[i] = x[i]*float64(n)*float64(int(x[i]*4)) + math.Floor(x[i])
}

//qd:kernel
func swapped(t qd.Thread, n int, x, y []float64) {
	a, b := x[t.ID()], x[t.ID()+1]
	for k := 0; k < n; k++ {
		a, b = b, a*b+x[k]
	}
	y[t.ID()] = a
}

//qd:kernel
func oddCounts(t qd.Thread, n int32, x, y []float64) {
	s := 0.0
	for k := n; k > 0; k -= 2 {
		s += x[k] * s * x[k-1]
		s += x[k]
	}
	for k := uint8(250); k >= 250; k++ {
		s += x[k-250] * s
	}
	y[t.ID()] = s
}

//qd:kernel
func aggregates(t qd.Thread, n int, x, y []float64) {
	v := f64.Vec3{x[0], x[1], x[2]}
	w := v
	for k := 0; k < n; k++ {
		if k%2 == 0 {
			v = v.Cross(w).Add(f64.Vec3{x[k], 1, x[k+1]}).Scale(0.4)
		}
		v[k%3] *= x[k]
		w[1] += v[0] * v[2]
	}
	m := f64.Mat2{{v[0], w[1]}, {x[3], v[2]}}
	y[t.ID()] = m.Mul(m)[1][0] + v.Dot(w)
}

//qd:kernel
func whileBoth(t qd.Thread, x, y []float64) {
	i := t.ID()
	s, k := x[i], 0
	for k < 8 && s*s < 4 {
		s = s*1.5 + x[k]
		k++
		if k == 6 {
			s -= 1
			continue
		}
		k++
	}
	y[i] = s * float64(k)
}

//qd:kernel
func minmax(t qd.Thread, x, y []float64) {
	i := t.ID()
	y[i] = min(x[i], x[i+1]*2) + max(x[i+2], x[i]*x[i+1]) + min(1, x[i+3])
}

func grows(p *float64, by float64) bool {
	*p = *p*1.25 + by
	return *p < 9
}

//qd:kernel
func writesInTest(t qd.Thread, x, y []float64) {
	s := x[t.ID()]
	for k := 0; grows(&s, x[k]) && k < 5; k++ {
		s *= x[k+1]
	}
	y[t.ID()] = s
}

//qd:kernel
func sharedPrefix(t qd.Thread, n int, x, y []float64) {
	i := t.ID()
	s := x[i]
	for k := 0; k < n; k++ {
		y[i] = y[i]*s + x[k]
		if y[i] > 2 {
			s *= 0.2 * y[i]
		}
		y[i+4] += s
	}
}

//qd:kernel
func single(t qd.Thread, x, y []float32) {
	i := t.ID()
	y[i] = x[i]*x[i+1] + float32(float64(x[i])*2)
}

//qd:kernel
func copied(t qd.Thread, x, y []float64) {
	i := t.ID()
	var a [4]float64
	n := copy(a[1:], x[i:])
	a[2] *= a[3] + y[3*i]
	copy(y[3*i:3*i+2], a[n-1:])
}

func sum(v []float64) (s float64) {
	for i := 0; i < len(v); i++ {
		s += v[i] * v[i]
	}
	return s
}

//qd:kernel
func localSlices(t qd.Thread, n int, x, y []float64) {
	var a [20]float64
	for k := range a {
		a[k] = x[k%12] * float64(k-n)
	}
	b := a
	b[n] *= b[n+1]
	y[t.ID()] = sum(a[:n]) + sum(b[n:])
}

//qd:kernel
func shiftedDown(t qd.Thread, n int, x, y []float64) {
	if t.ID() > 0 {
		return
	}
	y[3] = x[1] * x[2]
	copy(y[1:n+4], y[2:])
	y[0] = y[2] * y[1]
}

//qd:kernel
func shiftedUp(t qd.Thread, n int, x, y []float64) {
	if t.ID() > 0 {
		return
	}
	v := y[1:]
	copy(v[n-3:], v[:n])
	y[2] *= x[0]
	copy(y[n:], y[n:]) // nothing
}

//qd:kernel
func shiftedLocally(t qd.Thread, n int, x, y []float64) {
	i := t.ID()
	a := [5]float64{x[i], x[i+1], 3, y[i], x[i+2]}
	for k := range n {
		copy(a[k%2:], a[1:3+k%3])
		a[4-k%5] *= a[k%4]
	}
	y[i] = a[0]*a[1] + a[2]*a[3] + a[4]
}

//qd:kernel
func apartMin(t qd.Thread, n int, x, y []float64) {
	i := t.ID()
	qd.AtomicMin(&y[i%2], x[i]*x[i+1])
	qd.AtomicMin(&y[3], x[n]*float64(i+1))
}

//qd:kernel
func apartMax(t qd.Thread, n int, x, y []float64) {
	for k := 0; k < n; k++ {
		qd.AtomicMax(&y[k%3], x[k]*x[t.ID()]+float64(k))
	}
}

//qd:kernel
func sharedNeighbours(t qd.Thread, n int, x, y []float64) {
	i, lane := t.ID(), t.Lane()
	s := qd.Shared[float64](t, 8)
	s[lane] = x[i] * x[i+1]
	t.Sync()
	y[i] = s[(lane+1)%4]*s[lane] + x[i]
	t.Sync()
	s[(lane+n)%4] = y[i] * x[n]
	t.Sync()
	y[i] += s[lane] * s[3-lane]
}

//qd:kernel
func sharedReduction(t qd.Thread, x, y []float64) {
	i, lane := t.ID(), t.Lane()
	s := qd.Shared[float64](t, 4)
	s[lane] = x[i] * x[i]
	for step := 2; step > 0; step /= 2 {
		t.Sync()
		if lane < step {
			s[lane] = s[lane]*1.5 + s[lane+step]*s[lane]
		}
	}
	if lane == 0 {
		y[t.BlockID()] = s[0] * x[5]
	}
}

//qd:kernel
func sharedSum(t qd.Thread, n int, x, y []float64) {
	i, lane := t.ID(), t.Lane()
	s := qd.Shared[float64](t, 2)
	for k := range n {
		qd.AtomicAdd(&s[k%2], x[i]*x[k])
	}
	t.Sync()
	total := s[0] * s[1]
	if total > 0 {
		y[i] = total * x[lane]
		return
	}
	y[i] = math.Sin(total)
}

//qd:kernel
func chosenSlice(t qd.Thread, n int, x, y, z []float64) {
	i := t.ID()
	s := x
	if y[i] > 0.5 {
		s = z
	}
	y[i] = s[i] * s[(i+n)%4]
	s[i+4] *= y[i]
}

//qd:kernel
func chosenPart(t qd.Thread, n int, x, y, z []float64) {
	i := t.ID()
	if i > 0 {
		return
	}
	var local [6]float64
	for k := range n {
		s := x[k:]
		switch {
		case y[i] > 1:
			s = local[k:]
		case y[i] > 0:
			lo := int(y[i]*3) + k
			s = z[lo : lo+2]
		}
		y[i] += s[0] * 0.3
		s[1] *= y[i]
		local[k] += s[0] * float64(len(s))
	}
	y[i] += local[0] * local[3]
}

//qd:kernel
func chosenPointer(t qd.Thread, n int, x, y []float64) {
	i := t.ID()
	a, b := x[i], x[i+1]
	for k := range n {
		p := &a
		if k%2 == 1 || a > 1 {
			p = &b
		}
		*p *= x[k]
		if *p < 0 {
			p = &y[i]
		}
		*p += 0.5
	}
	y[i] += a * b
}
