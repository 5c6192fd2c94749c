package main

import (
	"math"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
)

// Kernels whose backward kernels are timed: see backward.go. native/gradients_warp.py has the same ones.

//qd:kernel
func backSaxpy(t qd.Thread, a float32, x, y, loss []float32) {
	d := a*x[t.ID()] + y[t.ID()]
	qd.AtomicAdd(&loss[0], d*d)
}

//qd:kernel
func backHeat(t qd.Thread, r float32, u, next []float32) {
	i, j := t.ID2()
	n, m := t.Dim(0), t.Dim(1)
	c := u[i*m+j]
	up, down := u[max(i-1, 0)*m+j], u[min(i+1, n-1)*m+j]
	left, right := u[i*m+max(j-1, 0)], u[i*m+min(j+1, m-1)]
	next[i*m+j] = c + r*(up+down+left+right-4*c)
}

//qd:kernel
func backBodies(t qd.Thread, dt float32, p, v, vNext, pNext []f32.Vec3) {
	i := t.ID()
	var a f32.Vec3
	for j := range p {
		d := p[j].Sub(p[i])
		r := d.Dot(d) + 0.01
		a = a.Add(d.Scale(1 / (r * qd.Sqrt(r))))
	}
	to := v[i].Add(a.Scale(dt))
	vNext[i], pNext[i] = to, p[i].Add(to.Scale(dt))
}

// A step of the material point method, of a liquid: see Taichi's mpm88.

//qd:kernel
func backScatter(t qd.Thread, n int, dt float32, x, v []f32.Vec2, c []f32.Mat2, j []float32, grid []f32.Vec3) {
	p := t.ID()
	dx, inv := 1/float32(n), float32(n)
	volume := dx * dx * 0.25
	baseX, baseY := int(x[p][0]*inv-0.5), int(x[p][1]*inv-0.5)
	w := backWeights(x[p], baseX, baseY, inv)
	stress := -dt * 4 * 400 * volume * (j[p] - 1) * inv * inv
	affine := c[p].Scale(volume).Add(f32.Mat2Diag(f32.Vec2{stress, stress}))
	for a := range 3 {
		for b := range 3 {
			d := f32.Vec2{float32(baseX+a) - x[p][0]*inv, float32(baseY+b) - x[p][1]*inv}.Scale(dx)
			weight := w[a][0] * w[b][1]
			momentum := v[p].Scale(volume).Add(affine.MulVec(d)).Scale(weight)
			node := &grid[(baseX+a)*n+baseY+b]
			qd.AtomicAdd(&node[0], momentum[0])
			qd.AtomicAdd(&node[1], momentum[1])
			qd.AtomicAdd(&node[2], weight*volume)
		}
	}
}

func backWeights(x f32.Vec2, baseX, baseY int, inv float32) [3]f32.Vec2 {
	f := f32.Vec2{x[0]*inv - float32(baseX), x[1]*inv - float32(baseY)}
	a, b, c := f.Neg().AddScalar(1.5), f.SubScalar(1), f.SubScalar(0.5)
	return [3]f32.Vec2{a.Mul(a).Scale(0.5), b.Mul(b).Neg().AddScalar(0.75), c.Mul(c).Scale(0.5)}
}

//qd:kernel
func backNodes(t qd.Thread, n int, dt float32, grid []f32.Vec3, speed []f32.Vec2) {
	i, j := t.ID2()
	g := grid[i*n+j]
	var v f32.Vec2
	if g[2] > 0 {
		v = f32.Vec2{g[0] / g[2], g[1]/g[2] - dt*9.8}
		if i < 3 && v[0] < 0 || i > n-3 && v[0] > 0 {
			v[0] = 0
		}
		if j < 3 && v[1] < 0 || j > n-3 && v[1] > 0 {
			v[1] = 0
		}
	}
	speed[i*n+j] = v
}

//qd:kernel
func backCollect(t qd.Thread, n int, dt float32, speed, x []f32.Vec2, j []float32, xNext, vNext []f32.Vec2, cNext []f32.Mat2, jNext []float32) {
	p := t.ID()
	dx, inv := 1/float32(n), float32(n)
	baseX, baseY := int(x[p][0]*inv-0.5), int(x[p][1]*inv-0.5)
	w := backWeights(x[p], baseX, baseY, inv)
	var v f32.Vec2
	var c f32.Mat2
	for a := range 3 {
		for b := range 3 {
			d := f32.Vec2{float32(baseX+a) - x[p][0]*inv, float32(baseY+b) - x[p][1]*inv}.Scale(dx)
			there := speed[(baseX+a)*n+baseY+b].Scale(w[a][0] * w[b][1])
			v = v.Add(there)
			c = c.Add(f32.Mat2Outer(there, d).Scale(4 * inv * inv))
		}
	}
	xNext[p], vNext[p], cNext[p] = x[p].Add(v.Scale(dt)), v, c
	jNext[p] = j[p] * (1 + dt*(c[0][0]+c[1][1]))
}

// Each thread has a sample of a small network: 8 inputs, 16 neurons, a result.
//
//qd:kernel
func backNetwork(t qd.Thread, x, w, b, v, loss []float32) {
	i := t.ID()
	sum := float32(0)
	for h := range 16 {
		s := b[h]
		for k := range 8 {
			s += w[h*8+k] * x[i*8+k]
		}
		sum += v[h] * qd.Tanh(s)
	}
	qd.AtomicAdd(&loss[0], sum*sum)
}

//qd:kernel
func backSVD(t qd.Thread, m []f32.Mat3, loss []float32) {
	_, s, _ := m[t.ID()].SVD()
	d := s.SubScalar(1)
	qd.AtomicAdd(&loss[0], d.Dot(d)*float32(math.Pi))
}
