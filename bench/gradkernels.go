package main

import (
	"math"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f64"
	"github.com/qdgen/qd/tile"
)

// Kernels whose gradients are compared with those of JAX: see gradoracle.go. native/gradients_jax.py says the same in
// Python.

//qd:kernel
func gradGather(t qd.Thread, at []int, x, w, y, z []float64) {
	i := t.ID()
	v := x[at[2*i]] * math.Sin(w[i])
	y[i] = v * x[at[2*i+1]]
	qd.AtomicAdd(&z[at[2*i+1]], v*w[i])
}

//qd:kernel
func gradStencil(t qd.Thread, u, k, next qd.View2[float64]) {
	i, j := t.ID2()
	n, m := t.Dim(0), t.Dim(1)
	c := u.At(i, j)
	sum := u.At(max(i-1, 0), j) + u.At(min(i+1, n-1), j) + u.At(i, max(j-1, 0)) + u.At(i, min(j+1, m-1))
	next.Set(i, j, c+k.At(i, j)*(sum-4*c)*c)
}

//qd:kernel
func gradLoop(t qd.Thread, turns int, p, x, y []float64) {
	i := t.ID()
	v, s := x[i], 0.5
	for k := range turns {
		v = v*math.Cos(s) + p[k]
		s = s*0.9 + math.Tanh(v)*p[(k+i)%turns]
	}
	y[i] = v * s
}

// It leaves a loop, goes on with the next turn, and does different things to numbers of different sizes.
//
//qd:kernel
func gradBranches(t qd.Thread, turns int, x, y []float64) {
	i := t.ID()
	v := x[i]
	for k := range turns {
		if v > 3 {
			v = math.Log(v)
			continue
		}
		if v < 0.2 {
			break
		}
		if k%2 == 0 {
			v *= 1.7 - 0.1*x[i]
		} else {
			v = v*v*0.8 + 0.05
		}
	}
	if x[i] > 1 {
		v = math.Sqrt(v*v + 1)
	}
	y[i] = v
}

//qd:kernel
func gradAtomics(t qd.Thread, bins int, x, sums, most []float64) {
	i := t.ID()
	for b := range bins {
		d := x[i] - float64(b)/4
		qd.AtomicAdd(&sums[b], math.Exp(-d*d)*x[i])
	}
	qd.AtomicMax(&most[i%3], x[i]*x[i])
}

//qd:kernel
func gradProduct(b qd.Block, x, y, z qd.View2[float64]) {
	const n = 4
	i, j := b.ID2()
	sum := tile.Zeros2[float64](b, n, n)
	for k := 0; k < x.Dim(1); k += n {
		sum = tile.Dot(tile.Load2(b, x, i*n, k, n, n), tile.Load2(b, y, k, j*n, n, n), sum)
	}
	sum.Store2(z, i*n, j*n)
}

// What does not depend on the signs of singular vectors, and the solution of a system.
//
//qd:kernel
func gradDecompose(t qd.Thread, m []f64.Mat3, b []f64.Vec3, stretch []f64.Mat3, s, x []f64.Vec3) {
	i := t.ID()
	u, d, v := m[i].SVD()
	stretch[i] = u.Mul(f64.Mat3Diag(d.Mul(d).Mul(d))).Mul(v.Transpose())
	s[i] = d
	x[i], _ = m[i].Solve(b[i])
}

//qd:kernel
func gradAttention(b qd.Block, q, k, v, out qd.View2[float64]) {
	const queries, keys, depth = 4, 4, 8
	first := b.ID() * queries
	query := tile.Load2(b, q, first, 0, queries, depth)
	most := tile.Full(b, queries, qd.Inf[float64](-1))
	sum := tile.Zeros[float64](b, queries)
	acc := tile.Zeros2[float64](b, queries, depth)
	for at := 0; at < k.Dim(0); at += keys {
		s := tile.Dot(query, tile.Load2(b, k, at, 0, keys, depth).T(), tile.Zeros2[float64](b, queries, keys))
		next := most.Maximum(s.MaxAxis(1))
		p := tile.Exp(s.Sub(next.Column()))
		scale := tile.Exp(most.Sub(next))
		sum = sum.Mul(scale).Add(p.SumAxis(1))
		acc = tile.Dot(p, tile.Load2(b, v, at, 0, keys, depth), acc.Mul(scale.Column()))
		most = next
	}
	acc.Div(sum.Column()).Store2(out, first, 0)
}

//qd:kernel
func gradBodies(t qd.Thread, mass []float64, p, v, next []f64.Vec3) {
	i := t.ID()
	var a f64.Vec3
	for j := range p {
		d := p[j].Sub(p[i])
		r := d.Dot(d) + 0.01
		a = a.Add(d.Scale(mass[j] / (r * math.Sqrt(r))))
	}
	next[i] = p[i].Add(v[i].Add(a.Scale(0.01)).Scale(0.01))
}

// A step of the material point method: particles to a grid, which moves them back. The index of a node depends on where
// the particle is.
//
//qd:kernel
func gradScatter(t qd.Thread, n int, x, v []f64.Vec2, f []f64.Mat2, grid []f64.Vec3) {
	i := t.ID()
	base, w := gradWeights(x[i], n)
	j := f[i].Det()
	inverse := f[i].Inverse().Transpose()
	stress := f[i].Sub(inverse).Add(inverse.Scale(math.Log(j))).Mul(f[i].Transpose()).Scale(0.1)
	for a := range 3 {
		for b := range 3 {
			d := f64.Vec2{float64(base[0] + a), float64(base[1] + b)}.Sub(x[i].Scale(float64(n)))
			momentum := v[i].Sub(stress.MulVec(d)).Scale(w[a][0] * w[b][1])
			node := &grid[(base[0]+a)*n+base[1]+b]
			qd.AtomicAdd(&node[0], momentum[0])
			qd.AtomicAdd(&node[1], momentum[1])
			qd.AtomicAdd(&node[2], w[a][0]*w[b][1])
		}
	}
}

func gradWeights(x f64.Vec2, n int) (base [2]int, w [3]f64.Vec2) {
	y := x.Scale(float64(n))
	base = [2]int{int(y[0] - 0.5), int(y[1] - 0.5)}
	f := y.Sub(f64.Vec2{float64(base[0]), float64(base[1])})
	a, b, c := f.Neg().AddScalar(1.5), f.SubScalar(1), f.SubScalar(0.5)
	return base, [3]f64.Vec2{a.Mul(a).Scale(0.5), b.Mul(b).Neg().AddScalar(0.75), c.Mul(c).Scale(0.5)}
}

//qd:kernel
func gradNodes(t qd.Thread, grid []f64.Vec3, speed []f64.Vec2) {
	i := t.ID()
	if m := grid[i][2]; m > 0 {
		speed[i] = f64.Vec2{grid[i][0] / m, grid[i][1]/m - 0.05}
	}
}

//qd:kernel
func gradCollect(t qd.Thread, n int, x []f64.Vec2, f []f64.Mat2, speed []f64.Vec2, xNext []f64.Vec2, fNext []f64.Mat2) {
	i := t.ID()
	base, w := gradWeights(x[i], n)
	var v f64.Vec2
	var c f64.Mat2
	for a := range 3 {
		for b := range 3 {
			d := f64.Vec2{float64(base[0] + a), float64(base[1] + b)}.Sub(x[i].Scale(float64(n)))
			there := speed[(base[0]+a)*n+base[1]+b].Scale(w[a][0] * w[b][1])
			v = v.Add(there)
			c = c.Add(f64.Mat2Outer(there, d))
		}
	}
	xNext[i] = x[i].Add(v.Scale(0.01))
	fNext[i] = f[i].Add(c.Mul(f[i]).Scale(0.04))
}
