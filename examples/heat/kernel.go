package main

import "github.com/qdgen/qd"

// diffuse takes one step of the heat equation, du/dt = alpha * (d2u/dx2 +
// d2u/dy2), on a grid of n x m cells: explicit Euler in time, the five-point
// stencil in space, stable for alpha*dt/dx^2 = r <= 1/4. The border is insulated.
//
//qd:kernel
func diffuse(t qd.Thread, r float32, u, next []float32) {
	i, j := t.ID2()
	n, m := t.Dim(0), t.Dim(1)
	c := u[i*m+j]
	up := u[max(i-1, 0)*m+j]
	down := u[min(i+1, n-1)*m+j]
	left := u[i*m+max(j-1, 0)]
	right := u[i*m+min(j+1, m-1)]
	next[i*m+j] = c + r*(up+down+left+right-4*c)
}

// burn holds the sources at their temperature: cells whose source is not zero.
//
//qd:kernel
func burn(t qd.Thread, source, u []float32) {
	i := t.ID()
	if source[i] > 0 {
		u[i] = source[i]
	}
}
