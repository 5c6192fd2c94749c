package main

import "github.com/qdgen/qd"

// step takes one time step of smoke in a box of n x n cells: Stam's "Stable Fluids" (1999), without any force. u and v are
// the velocity to the right and down, in cells a step, smoke the smoke's density; the fields whose names end in Next have them after the step.
// The others hold what is computed on the way.
//
//qd:kernel
func step(g qd.Grid, n, sweeps int, u, v, smoke, uNext, vNext, smokeNext, uFree, vFree, div, p, q []float32) {
	// The pressure that makes the flow free of divergence, by Jacobi's iteration.
	g.For2(n, n, func(i, j int) {
		div[i*n+j] = (cell(u, i, j+1, n) - cell(u, i, j-1, n) + cell(v, i+1, j, n) - cell(v, i-1, j, n)) / 2
		p[i*n+j] = 0
	})
	from, to := p, q
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
		uFree[at], vFree[at] = 0, 0
		if !wall {
			uFree[at] = u[at] - (cell(p, i, j+1, n)-cell(p, i, j-1, n))/2
			vFree[at] = v[at] - (cell(p, i+1, j, n)-cell(p, i-1, j, n))/2
		}
	})

	// Everything moves along with the flow: what comes to a cell is found upstream.
	g.For2(n, n, func(i, j int) {
		at := i*n + j
		x, y := float32(j)-uFree[at], float32(i)-vFree[at]
		uNext[at] = sample(uFree, x, y, n)
		vNext[at] = sample(vFree, x, y, n)
		smokeNext[at] = sample(smoke, x, y, n)
	})
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

// distance adds up how far the rows of a field are from what they should be.
//
//qd:kernel
func distance(t qd.Thread, smoke, target, loss []float32) {
	n := t.Dim(0)
	sum := float32(0)
	for k := t.ID() * n; k < (t.ID()+1)*n; k++ {
		d := smoke[k] - target[k]
		sum += d * d
	}
	qd.AtomicAdd(&loss[0], sum/float32(len(smoke)))
}
