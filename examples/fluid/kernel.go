package main

import "github.com/qdgen/qd"

// step takes one time step of smoke in a box of n x n cells: Stam's "Stable Fluids"
// (1999), with buoyancy. u and v are the velocity to the right and down, p the
// pressure, smoke the smoke's density; those whose names end in 2 are of the
// same size and hold what is computed on the way.
//
//qd:kernel
func step(g qd.Grid, n, sweeps int, dt, lift, wind float32, u, v, p, smoke, u2, v2, p2, smoke2, div []float32) {
	// Smoke comes in at the bottom, and what there is rises.
	g.For2(n, n, func(i, j int) {
		at := i*n + j
		if inside(i, j, n) {
			smoke[at] = min(smoke[at]+0.5*dt, 1)
			u[at] += wind * dt
		}
		v[at] -= lift * smoke[at] * dt
	})

	// Everything moves along with the flow: what comes to a cell is found upstream.
	g.For2(n, n, func(i, j int) {
		at := i*n + j
		x, y := float32(j)-dt*u[at], float32(i)-dt*v[at]
		u2[at] = sample(u, x, y, n)
		v2[at] = sample(v, x, y, n)
		smoke2[at] = 0.9985 * sample(smoke, x, y, n)
	})

	// The pressure that makes the flow free of divergence, by Jacobi's iteration
	// from the one of the step before.
	g.For2(n, n, func(i, j int) {
		div[i*n+j] = (cell(u2, i, j+1, n) - cell(u2, i, j-1, n) + cell(v2, i+1, j, n) - cell(v2, i-1, j, n)) / 2
	})
	from, to := p, p2
	for range 2 * sweeps {
		g.For2(n, n, func(i, j int) {
			around := cell(from, i, j+1, n) + cell(from, i, j-1, n) + cell(from, i+1, j, n) + cell(from, i-1, j, n)
			to[i*n+j] = (around - div[i*n+j]) / 4
		})
		from, to = to, from
	}

	g.For2(n, n, func(i, j int) {
		at := i*n + j
		wall := i == 0 || j == 0 || i == n-1 || j == n-1
		u[at], v[at] = 0, 0
		if !wall {
			u[at] = u2[at] - (cell(p, i, j+1, n)-cell(p, i, j-1, n))/2
			v[at] = v2[at] - (cell(p, i+1, j, n)-cell(p, i-1, j, n))/2
		}
		smoke[at] = smoke2[at]
	})
}

// inside reports whether a cell is where the smoke comes from.
func inside(i, j, n int) bool {
	di, dj := i-n*9/10, j-n/2
	return di*di+dj*dj < n*n/700
}

// cell is an element of a field; past the border it is that of the border.
func cell(f []float32, i, j, n int) float32 {
	return f[qd.Clamp(i, 0, n-1)*n+qd.Clamp(j, 0, n-1)]
}

// sample is a field between its cells, by bilinear interpolation.
func sample(f []float32, x, y float32, n int) float32 {
	x, y = qd.Clamp(x, 0, float32(n-1)), qd.Clamp(y, 0, float32(n-1))
	i, j := int(y), int(x)
	s, t := x-float32(j), y-float32(i)
	top := qd.Lerp(cell(f, i, j, n), cell(f, i, j+1, n), s)
	bottom := qd.Lerp(cell(f, i+1, j, n), cell(f, i+1, j+1, n), s)
	return qd.Lerp(top, bottom, t)
}
