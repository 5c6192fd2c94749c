package k

import (
	"math"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f64"
)

type particle struct {
	pos, vel f64.Vec2
	mass     float64
	kind     int
}

//qd:kernel
func mixStructs(t qd.Thread, n int, ps []particle, x, y []float64) {
	i := t.ID()
	p := ps[i]
	for k := range ps {
		if k == i {
			continue
		}
		q := ps[k]
		if q.kind%3 == 0 {
			break
		}
		d := q.pos.Sub(p.pos)
		r := d.Norm() + 0.1
		p.vel = p.vel.Add(d.Scale(q.mass / (r * r * r) * 0.01))
		if r > 3 && k > n {
			ps[i] = p
			return
		}
	}
	p.pos = p.pos.Add(p.vel.Scale(x[i]))
	ps[i].vel = p.vel
	y[i] = p.pos.Dot(p.vel) * p.mass
}

//qd:kernel
func mixClosures(t qd.Thread, n int, x, y []float64) {
	i := t.ID()
	acc, count := 0.0, 0
	add := func(v float64) float64 {
		count++
		if count > n {
			acc *= 0.5
			return v
		}
		acc += v * x[count]
		return acc
	}
	s := 1.0
	for k := 0; k < 2*n; k++ {
		s = math.Sin(s + add(x[(i+k)%12]))
		if s < -0.95 {
			y[i] = s * acc
			return
		}
	}
	y[i] = s + acc*acc
}

//qd:kernel
func mixZeroTurns(t qd.Thread, n int, at []int, x, y []float64) {
	i := t.ID()
	p := x[i]
	for k := 0; k < at[i]-6; k++ {
		p *= x[k]
		for j := k; j < 2; j++ {
			p += math.Sqrt(p*p+1) * x[j]
			if p > 5 {
				p = 5 - p*0.1
				break
			}
		}
	}
	for k := n; k < 3; k++ {
		p = math.NaN()
	}
	y[i] = p
}

//qd:kernel
func mixInPlace(t qd.Thread, n int, at []int, x, y []float64) {
	i := t.ID()
	v := y[3*i : 3*i+3]
	for k := range n {
		a, b := k%3, at[k]%3
		v[a], v[b] = v[b]*x[k], v[a]+v[b]
		if v[a] > 2 {
			v[a] = math.Tanh(v[a]) * v[(a+b)%3]
		}
		copy(v[1:], v[:2])
	}
	v[0] *= v[2]
}

func rooty(x float64, n int) (r float64, turns int) {
	r = 1
	for turns = 0; turns < n; turns++ {
		r = (r + (x*x+1)/r) / 2
	}
	return r, turns
}

//qd:gradient rooty
func rootyGradient(x float64, n int, adj float64) float64 {
	r, _ := rooty(x, n)
	return adj * x / r
}

//qd:kernel
func mixOwn(t qd.Thread, n int, at []int, x, y []float64) {
	i := t.ID()
	a := x[i]
	var hist [6]float64
	for k := range n {
		r, turns := rooty(a*x[k], 30)
		hist[(at[k]+turns)%6] += r
		if r > 3 {
			a = -a
			continue
		}
		a += r * 0.1 * hist[k%6]
	}
	for _, h := range hist {
		y[i] = y[i]*0.5 + h*a
	}
}

func recursiveSum(v []float64) (s float64) {
	for k, e := range v {
		if e > 1 {
			return s * e
		}
		s += e * float64(k+1)
	}
	return s
}

//qd:kernel
func mixSlices(t qd.Thread, n int, at []int, x, y []float64) {
	i := t.ID()
	lo := at[i] % 4
	s := recursiveSum(x[lo : lo+n])
	var local [8]float64
	w := local[1:7]
	for k := range w {
		w[k] = x[(k+i)%12] * s
		if k > 2 {
			w[k-2] *= w[k]
		}
	}
	y[i] = recursiveSum(local[at[i+1]%3:]) + recursiveSum(w)
}

//qd:kernel
func mixSwitch(t qd.Thread, n int, at []int, x, y []float64) {
	i := t.ID()
	a, b := x[i], x[i+4]
outer:
	for k := 0; k < 8; k++ {
		switch c := (at[k] + i) % 5; {
		case c == 0:
			a *= b
			fallthrough
		case c == 1:
			b += a * 0.3
		case c == 2 && a > 0:
			continue outer
		case c == 3:
			for j := range n {
				b = math.Cos(b) + x[j]*a
				if b < 0 {
					continue outer
				}
				if b > 1.9 {
					break outer
				}
			}
		default:
			a = -a + b*b*0.1
		}
		y[i] += a * b * 0.1
	}
	y[i] *= b
}

type pairOf[T any] struct{ a, b T }

func swap[T any](p *pairOf[T]) { p.a, p.b = p.b, p.a }

//qd:kernel
func mixPointers(t qd.Thread, n int, x, y []float64) {
	i := t.ID()
	p := pairOf[f64.Vec2]{f64.Vec2{x[i], x[i+1]}, f64.Vec2{x[i+2], 1}}
	q := pairOf[pairOf[float64]]{pairOf[float64]{x[i], 2}, pairOf[float64]{x[i+3], x[i]}}
	for k := range n {
		swap(&p)
		swap(&q)
		swap(&q.a)
		p.a[k%2] *= q.a.b
		q.b.a += p.b.Dot(p.a) * 0.1
	}
	r := &q.a
	r.b *= p.a[0]
	y[i] = p.a.Dot(p.b) + q.a.a*q.b.b + q.a.b
}

//qd:kernel
func mixFloat32(t qd.Thread, n int, x []float32, y []float64) {
	i := t.ID()
	s := float32(0)
	for k := range n {
		s += x[k] * x[i]
		if int(s) > 2 {
			s -= float32(int(s))
		}
	}
	y[i] += float64(s) * float64(x[i])
}

//qd:kernel
func mixTwoLoops(t qd.Thread, n int, at []int, x, y []float64) {
	i := t.ID()
	s, c := x[i], 0
	for s*s < 30 && c < 40 {
		c++
		s = s*1.3 + 0.2*x[c%12]
	}
	for ; c > 3; c -= 2 {
		s = math.Sqrt(math.Abs(s)+1) * x[c%12]
	}
	for c < 6 {
		c++
		if c == at[i]%6 {
			continue
		}
		s = s*s*0.1 - x[c]
	}
	y[i] = s * float64(c)
}

type walk struct {
	w [3]float64
	k int
}

// An integer beside floats, in a variable with elements that are chosen as it runs, is no float's bits.
//
//qd:kernel
func mixedWalk(t qd.Thread, n int, x, y []float64) {
	i := t.ID()
	p := walk{w: [3]float64{x[0], x[1], 1}, k: 1}
	for j := range 5 {
		p.w[j%3] = p.w[(j+1)%3]*x[j%len(x)] + 0.1
		y[i] += p.w[p.k] * x[p.k]
		p.k = (p.k + j) % 3
		q := p
		q.w[p.k] *= 2
		y[i] *= q.w[q.k] + 0.2*p.w[0]
	}
}
