package k

import (
	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f64"
)

func dot[V [3]float64 | [20]float64](a V, x []float64, from int) (s float64) {
	for i := range len(a) {
		s += a[i] * a[i] * x[(from+i)%12]
	}
	return s
}

//qd:kernel
func elemShort(t qd.Thread, x, y []float64, a [][3]float64) {
	y[t.ID()] += dot(a[t.ID()], x, t.ID())
}

//qd:kernel
func elemLong(t qd.Thread, x, y []float64, a [][20]float64) {
	y[t.ID()] += dot(a[t.ID()], x, t.ID())
}

//qd:kernel
func elemCopied(t qd.Thread, n int, x, y []float64) {
	var h [7]float64
	var g [18]float64
	for i := range h {
		h[i] = x[(t.ID()+i)%12] * x[i]
		g[2*i] = h[i] * x[0]
	}
	for i, v := range h {
		h[(i+n)%7] += v * x[i]
	}
	for i, v := range g {
		g[(i+n)%18] *= v + h[i%7]
	}
	for i, v := range h {
		y[t.ID()] += v * v * x[i] * g[i]
	}
}

// The array is used as a whole too, and at an index that is known.
//
//qd:kernel
func elemWhole(t qd.Thread, n int, a, b [][4]float64, y []float64) {
	v := a[t.ID()]
	b[t.ID()] = v
	y[t.ID()] = v[1] * v[n&3]
	for i := range n & 3 {
		y[t.ID()] += v[i] * v[2] * b[t.ID()][i]
	}
	b[t.ID()][3] *= v[3]
}

type weights struct {
	bias, scale float64
	w           [5]float64
	v           [2]f64.Vec3
	deep        [3]struct {
		c float64
		u [3]float64
	}
}

func (w weights) at(x []float64) (s float64) {
	for i := range w.w {
		s += w.w[i]*x[i]*w.scale + w.bias
		if x[i] > 0 {
			s *= w.v[i&1].X() * w.w[4-i]
		}
	}
	for i := range w.deep {
		for j := range w.deep[i].u {
			s += w.deep[i].u[j] * x[i*3+j] * w.deep[j].c
		}
	}
	return s + w.deep[1].u[2]*w.w[0]
}

//qd:kernel
func elemFields(t qd.Thread, x, y []float64, ws []weights) {
	y[t.ID()] = ws[t.ID()].at(x)
}

func times[V [4][3]float64 | [17][3]float64](m V, x []float64) (y [3]float64) {
	for i := range len(m) {
		for j := range 3 {
			y[j] += m[i][j] * x[(i+j)%12]
		}
	}
	return y
}

//qd:kernel
func elemMatrix(t qd.Thread, x []float64, m [][4][3]float64, y [][3]float64) {
	y[t.ID()] = times(m[t.ID()], x)
}

//qd:kernel
func elemLongMatrix(t qd.Thread, x []float64, m [][17][3]float64, y [][3]float64) {
	y[t.ID()] = times(m[t.ID()], x)
}

func choose(c bool, a, b [4]float64) [4]float64 {
	if c {
		return a
	}
	return [4]float64{b[1], a[0] * b[0], b[3], a[2]}
}

//qd:kernel
func elemChosen(t qd.Thread, n int, x, y []float64, a [][4]float64) {
	i := t.ID()
	v := choose(x[i] > 0, a[i], a[(i+1)%4])
	for k, e := range v {
		if k < n && x[k] > 0 {
			y[i] += e * x[k] * v[(k+n)&3]
		}
		w := choose(x[k] > 1, v, a[k])
		y[i] *= w[(n+k)&3] * w[0]
	}
}

// The array is a variable of a loop, and one that is left early.
//
//qd:kernel
func elemCarried(t qd.Thread, n int, x, y []float64, a [][4]float64) {
	v := a[t.ID()]
	for k := range n {
		s := 0.0
		for i, e := range v {
			if e > 3 {
				break
			}
			s += e * v[(i+k)&3]
		}
		v = [4]float64{v[1], s, v[3] * x[k], v[0]}
		if s < -4 {
			return
		}
	}
	y[t.ID()] = v[0] + v[n&3]*v[1]
}

//qd:kernel
func elemSteady(t qd.Thread, n int, x, y []float64, a [][4]float64) {
	for k := range n {
		for i, e := range a[t.ID()] {
			y[t.ID()] += e * x[(i+k)%12]
		}
	}
}
