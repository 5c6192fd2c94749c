package k

import (
	"math"

	"github.com/qdgen/qd"
)

// Kernels whose threads read elements of their neighbours. The values are exact for integers, except in those whose names say so.

//qd:kernel
func clamped(t qd.Thread, n int, x, y []float64) {
	i := t.ID()
	y[i] = x[max(i-1, 0)] - 2*x[i] + 3*x[min(i+1, n-1)]
}

//qd:kernel
func inner(t qd.Thread, n int, x, y []float64) {
	i := t.ID()
	if i < 1 || i >= n-1 {
		return
	}
	y[i] = x[i-1]*x[i] + 5*x[i+1]
}

//qd:kernel
func shifted(t qd.Thread, n int, x, y []float64) {
	i := t.ID() + 2
	y[i] = x[i-2] + 3*x[i-1]*x[i] - x[i+1]
}

//qd:kernel
func heat(t qd.Thread, h, w int, u, v []float64) {
	i, j := t.ID2()
	if i >= h || j >= w {
		return
	}
	if i == 0 || j == 0 || i == h-1 || j == w-1 {
		v[i*w+j] = u[i*w+j]
		return
	}
	v[i*w+j] = u[i*w+j] + 2*(u[(i-1)*w+j]+u[(i+1)*w+j]+u[i*w+j-1]+u[i*w+j+1]-4*u[i*w+j])
}

//qd:kernel
func insulated(t qd.Thread, u, v []float64) {
	i, j := t.ID2()
	n, m := t.Dim(0), t.Dim(1)
	c := u[i*m+j]
	v[i*m+j] = c + 2*(u[max(i-1, 0)*m+j]+u[min(i+1, n-1)*m+j]+u[i*m+max(j-1, 0)]+u[i*m+min(j+1, m-1)]-4*c)
}

// interior is launched over the interior only.
//
//qd:kernel
func interior(t qd.Thread, w int, u, v []float64) {
	i, j := t.ID2()
	at := (i+1)*w + j + 1
	v[at] = u[at]*u[at-1] + u[at+1] + 3*u[at-w] - u[at+w]
}

//qd:kernel
func blur(t qd.Thread, x, y qd.View2[float64]) {
	i, j := t.ID2()
	if i < 1 || j < 1 || i >= x.Dim(0)-1 || j >= x.Dim(1)-1 {
		return
	}
	s := 0.0
	for a := range 3 {
		for b := range 3 {
			s += float64(a+2*b+1) * x.At(i+a-1, j+b-1)
		}
	}
	y.Set(i, j, s)
}

//qd:kernel
func wave(t qd.Thread, h, w int, now, before, next []float64) {
	i, j := t.ID2()
	if i > 0 && i < h-1 && j > 0 && j < w-1 {
		at := i*w + j
		c := now[at]
		next[at] = 2*c - before[at] + 3*(now[at-w]+now[at+w]+now[at-1]+now[at+1]-4*c)
	}
}

//qd:kernel
func volume(t qd.Thread, d, h, w int, u, v []float64) {
	i, j, k := t.ID3()
	if i < 1 || i > d-2 || j < 1 || j > h-2 || k < 1 || k > w-2 {
		return
	}
	at := (i*h+j)*w + k
	v[at] = u[at]*u[at-1] + 2*u[at+1] + u[at-w] - u[at+w] + 3*u[at-h*w] + u[at+h*w]
}

// coarse reads every second element and its neighbours.
//
//qd:kernel
func coarse(t qd.Thread, n int, x, y []float64) {
	i := t.ID()
	if 2*i+1 < n && i > 0 {
		y[i] = x[2*i-1] + 2*x[2*i] + 3*x[2*i+1]
	}
}

//qd:kernel
func reversed(t qd.Thread, n int, x, y []float64) {
	i := t.ID()
	if i < n-1 {
		y[i] = x[n-1-i] + 2*x[n-2-i]
	}
}

// columns reads the first elements of rows.
//
//qd:kernel
func columns(t qd.Thread, w int, x, y []float64) {
	i := t.ID()
	y[i] = x[i*w] + 2*x[(i+1)*w] + 3*x[i*w+1]
}

// overflows has the same element for several threads, if i*w wraps.
//
//qd:kernel
func overflows(t qd.Thread, w int, x, y []float64) {
	i := t.ID()
	if i%4 == 0 {
		y[i] = x[i*w]
	}
}

// wraps goes on in the next row behind the end of a row.
//
//qd:kernel
func wraps(t qd.Thread, w int, u, v []float64) {
	i, j := t.ID2()
	at := i*w + j
	if at+1 < len(u) {
		v[at] = u[at] + 2*u[at+1]
	}
}

//qd:kernel
func chosen(t qd.Thread, at []int, x, y []float64) {
	i := t.ID()
	y[i] = x[at[i]] + x[i]
}

// periodic is a ring: its ends are neighbours.
//
//qd:kernel
func periodic(t qd.Thread, n int, x, y []float64) {
	i := t.ID()
	y[i] = x[(i+n-1)%n] + 2*x[(i+1)%n]
}

//qd:kernel
func weighted(t qd.Thread, n int, w, x, y []float64) {
	i := t.ID()
	if i < 1 || i >= n-1 {
		return
	}
	y[i] = w[0]*x[i-1] + w[1]*x[i] + w[2]*x[i+1]
}

// twice writes two elements, and reads one that it has written.
//
//qd:kernel
func twice(t qd.Thread, n int, x, y []float64) {
	i := t.ID()
	if i < 1 || i >= n-1 {
		return
	}
	y[2*i] = x[i-1] + x[i]
	y[2*i+1] = 3 * x[i+1]
	y[2*i] += 2 * x[i+1]
}

//qd:kernel
func interleaved(t qd.Thread, n int, x, y []float64) {
	i := t.ID()
	if i < 1 || i >= n-1 {
		y[2*i] = x[i]
		return
	}
	y[2*i] = x[i-1] + x[i]
	y[2*i+1] = 3 * x[i+1]
}

//qd:kernel
func pairs(t qd.Thread, n int, x, y [][2]float64) {
	i := t.ID()
	if i > 0 && i < n-1 {
		y[i][0] = x[i-1][1] + 2*x[i][0]
		y[i][1] = x[i+1][0] * x[i][1]
	}
}

//qd:kernel
func pointwise(t qd.Thread, w int, x, y []float64) {
	i, j := t.ID2()
	y[i*w+j] = x[i*w+j] * x[i*w+j]
}

// roundedTurns goes around in a loop.
//
//qd:kernel
func roundedTurns(t qd.Thread, n int, x, y []float64) {
	i := t.ID()
	if i < 1 || i >= n-1 {
		return
	}
	s := x[i-1]
	for range 3 {
		s = 0.5*s*s + x[i+1]
	}
	y[i] = s
}

//qd:kernel
func roundedSines(t qd.Thread, n int, x, y []float64) {
	i := t.ID()
	if i >= n {
		return
	}
	l := x[max(i-2, 0)]
	if l > 0 {
		y[i] = math.Sin(l) * x[i]
	} else {
		y[i] = x[min(i+1, n-1)] / 3
	}
}

// dear has one neighbour, and costs much.
//
//qd:kernel
func roundedDear(t qd.Thread, n int, x, y []float64) {
	i := t.ID()
	if i < 1 || i >= n {
		return
	}
	s := x[i-1]
	for range 4 {
		s += math.Sin(s*x[i]) * math.Exp(math.Cos(s)) * math.Tanh(s)
	}
	y[i] = s
}
