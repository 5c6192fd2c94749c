package main

import (
	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
	"github.com/qdgen/qd/i32"
)

// What peers' own examples do, in Go, as literally as it can be said: see peers.go.

// A snowParticle is a particle of Taichi's examples/simulation/mpm99.py.
type snowParticle struct {
	X, V     f32.Vec2
	C, F     f32.Mat2
	Jp       float32
	Material int32 // 0: liquid, 1: jelly, 2: snow
}

// mpm99 is the kernel substep of Taichi's mpm99.py, steps times. A node is its momentum,
// later its velocity, and its mass.
//
//qd:kernel
func mpm99(g qd.Grid, steps, n int, dt float32, ps []snowParticle, grid []f32.Vec3) {
	for range steps {
		g.For(len(grid), func(i int) { grid[i] = f32.Vec3{} })
		g.For(len(ps), func(i int) { mpm99Scatter(&ps[i], n, dt, grid) })
		g.For2(n, n, func(i, j int) { grid[i*n+j] = mpm99Node(i, j, n, dt, grid[i*n+j]) })
		g.For(len(ps), func(i int) { mpm99Gather(&ps[i], n, dt, grid) })
	}
}

// mpm99Weights is where a particle is from its first node, and the weights of three nodes.
func mpm99Weights(p *snowParticle, n int) (base i32.Vec2, fx f32.Vec2, w [3]f32.Vec2) {
	x := p.X.Scale(float32(n))
	base = i32.Vec2From(x.SubScalar(0.5))
	fx = x.Sub(f32.Vec2From(base))
	a, b, c := fx.Neg().AddScalar(1.5), fx.SubScalar(1), fx.SubScalar(0.5)
	w = [3]f32.Vec2{a.Mul(a).Scale(0.5), b.Mul(b).Neg().AddScalar(0.75), c.Mul(c).Scale(0.5)}
	return base, fx, w
}

func mpm99Scatter(p *snowParticle, n int, dt float32, grid []f32.Vec3) {
	const young, poisson = 0.1e4, 0.2
	const mu0, lambda0 = young / (2 * (1 + poisson)), young * poisson / ((1 + poisson) * (1 - 2*poisson))
	dx := 1 / float32(n)
	volume := dx * 0.5 * dx * 0.5
	mass := volume
	base, fx, w := mpm99Weights(p, n)
	one := f32.Mat2Identity()

	p.F = one.Add(p.C.Scale(dt)).Mul(p.F)
	h := qd.Exp(10 * (1 - p.Jp))
	if p.Material == 1 {
		h = 0.3
	}
	mu, lambda := mu0*h, lambda0*h
	if p.Material == 0 {
		mu = 0
	}
	u, sig, v := p.F.SVD()
	sig = sig.MaxScalar(1e-6)
	kept := sig
	if p.Material == 2 {
		kept = sig.ClampScalar(1-2.5e-2, 1+4.5e-3)
	}
	p.Jp *= sig.Div(kept).Product()
	j := kept.Product()
	switch p.Material {
	case 0:
		p.F = one.Scale(qd.Sqrt(j))
	case 2:
		p.F = u.Mul(f32.Mat2Diag(kept)).Mul(v.Transpose())
	}
	stress := p.F.Sub(u.Mul(v.Transpose())).Scale(2 * mu).Mul(p.F.Transpose()).Add(one.Scale(lambda * j * (j - 1)))
	affine := stress.Scale(-dt * volume * 4 * float32(n) * float32(n)).Add(p.C.Scale(mass))

	for i := range 3 {
		for j := range 3 {
			dpos := f32.Vec2{float32(i), float32(j)}.Sub(fx).Scale(dx)
			weight := w[i].X() * w[j].Y()
			add := p.V.Scale(mass).Add(affine.MulVec(dpos)).Scale(weight)
			node := &grid[(int(base.X())+i)*n+int(base.Y())+j]
			qd.AtomicAdd(&node[0], add.X())
			qd.AtomicAdd(&node[1], add.Y())
			qd.AtomicAdd(&node[2], weight*mass)
		}
	}
}

func mpm99Node(i, j, n int, dt float32, node f32.Vec3) f32.Vec3 {
	mass := node.Z()
	if mass <= 0 {
		return node
	}
	v := node.XY().Scale(1 / mass)
	v[1] -= dt * 50
	if i < 3 && v[0] < 0 || i > n-3 && v[0] > 0 {
		v[0] = 0
	}
	if j < 3 && v[1] < 0 || j > n-3 && v[1] > 0 {
		v[1] = 0
	}
	return v.Extend(mass)
}

func mpm99Gather(p *snowParticle, n int, dt float32, grid []f32.Vec3) {
	base, fx, w := mpm99Weights(p, n)
	var v f32.Vec2
	var c f32.Mat2
	for i := range 3 {
		for j := range 3 {
			dpos := f32.Vec2{float32(i), float32(j)}.Sub(fx)
			there := grid[(int(base.X())+i)*n+int(base.Y())+j].XY()
			weight := w[i].X() * w[j].Y()
			v = v.Add(there.Scale(weight))
			c = c.Add(f32.Mat2Outer(there, dpos).Scale(4 * float32(n) * weight))
		}
	}
	p.V, p.C = v, c
	p.X = p.X.Add(v.Scale(dt))
}

// What follows is Warp's examples/core/example_raymarch.py.

func warpBox(upper, p f32.Vec3) float32 {
	q := p.Abs().Sub(upper)
	return q.MaxScalar(0).Norm() + min(q.MaxElem(), 0)
}

func warpScene(p f32.Vec3) float32 {
	ball := p.Sub(f32.Vec3{0, 0.75, 0}).Norm() - 0.75
	d := max(-ball, warpBox(f32.Vec3{1, 0.5, 0.5}, p))
	return min(d, p.Y()+1)
}

func warpNormal(p f32.Vec3) f32.Vec3 {
	const eps = 1e-5
	var n f32.Vec3
	for axis := range 3 {
		var step f32.Vec3
		step[axis] = eps
		n[axis] = warpScene(p.Add(step)) - warpScene(p.Sub(step))
	}
	return n.Normalize()
}

func warpShadow(from, ray f32.Vec3) float32 {
	t, s := float32(0), float32(1)
	for range qd.Dynamic(64) {
		d := warpScene(from.Add(ray.Scale(t)))
		t += min(max(d, 0.0001), 2)
		h := min(max(4*d/t, 0), 1)
		s = min(s, h*h*(3-2*h))
		if t > 8 {
			return 1
		}
	}
	return s
}

// warpDraw is its kernel draw.
//
//qd:kernel
func warpDraw(t qd.Thread, eye f32.Vec3, turn f32.Quat, width, height int, pixels []f32.Vec3) {
	id := t.ID()
	sx := (2*float32(id%width) - float32(width)) / float32(height)
	sy := (2*float32(id/width) - float32(height)) / float32(height)
	ray := turn.Rotate(f32.Vec3{sx, sy, -2}.Normalize())
	far, d := float32(0), float32(0)
	for range qd.Dynamic(128) {
		d = warpScene(eye.Add(ray.Scale(far)))
		far += d
	}
	if d >= 0.01 {
		pixels[id] = f32.Vec3{0.4, 0.45, 0.5}.Scale(1.5)
		return
	}
	p := eye.Add(ray.Scale(far))
	n := warpNormal(p)
	l := f32.Vec3{0.6, 0.4, 0.5}.Normalize()
	h := l.Sub(ray).Normalize()
	diffuse := n.Dot(l)
	specular := qd.Pow(min(max(n.Dot(h), 0), 1), 80)
	fresnel := 0.04 + 0.96*qd.Pow(min(max(1-h.Dot(l), 0), 1), 5)
	light := f32.Vec3{0.85, 0.9, 0.95}.Scale((diffuse*(1-fresnel) + specular*fresnel*10) * warpShadow(p, l) * 2)
	pixels[id] = light.Pow(f32.Vec3Splat(2.2)).Saturate()
}
