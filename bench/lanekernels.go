package main

import (
	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
)

// Kernels with loops, branches and functions of package math, which compilers run one thread at a time: see lanes.go.
// Beside them is native/lanes.cpp.

//qd:kernel
func mandelbrot32(t qd.Thread, x0, y0, pixel float32, limit int32, out []int32) {
	row, col := t.ID2()
	cx, cy := x0+float32(col)*pixel, y0+float32(row)*pixel
	var x, y float32
	var n int32
	for n < limit && x*x+y*y <= 4 {
		x, y = x*x-y*y+cx, 2*x*y+cy
		n++
	}
	out[row*t.Dim(1)+col] = n
}

// march draws balls on a floor, with shadows.
//
//qd:kernel
func march(t qd.Thread, height, width int, out []float32) {
	row, col := t.ID2()
	x := (2*float32(col) - float32(width)) / float32(height)
	y := (float32(height) - 2*float32(row)) / float32(height)
	eye, ray := f32.Vec3{0, 1, -3}, f32.Vec3{x, y - 0.2, 1.5}.Normalize()
	far := float32(0)
	hit := false
	for range qd.Dynamic(96) {
		d := marchScene(eye.Add(ray.Scale(far)))
		if d < 0.001 {
			hit = true
			break
		}
		far += d
		if far > 40 {
			break
		}
	}
	if !hit {
		out[row*width+col] = 0.5 + 0.5*ray.Y()
		return
	}
	p := eye.Add(ray.Scale(far))
	const eps = 0.01
	d := marchScene(p)
	n := f32.Vec3{
		marchScene(p.Add(f32.Vec3{eps, 0, 0})) - d,
		marchScene(p.Add(f32.Vec3{0, eps, 0})) - d,
		marchScene(p.Add(f32.Vec3{0, 0, eps})) - d,
	}.Normalize()
	sun := f32.Vec3{0.48, 0.6, -0.64}
	light := max(n.Dot(sun), 0)
	lit, along := float32(1), float32(0.02)
	for range qd.Dynamic(48) {
		d := marchScene(p.Add(sun.Scale(along)))
		lit = min(lit, 8*d/along)
		if lit < 0.01 || along > 10 {
			break
		}
		along += max(d, 0.01)
	}
	out[row*width+col] = 0.1 + 0.9*light*max(lit, 0)
}

func marchScene(p f32.Vec3) float32 {
	a := p.Sub(f32.Vec3{0, 0.5, 0}).Norm() - 0.8
	b := p.Sub(f32.Vec3{1.5, 0.3, 0.7}).Norm() - 0.6
	c := p.Sub(f32.Vec3{-1.4, 0.2, 1}).Norm() - 0.5
	return min(min(a, b), min(c, p.Y()+0.3))
}

//qd:kernel
func nbody(t qd.Thread, x, y, z, mass, ax, ay, az []float32) {
	i := t.ID()
	var sx, sy, sz float32
	for j := range x {
		dx, dy, dz := x[j]-x[i], y[j]-y[i], z[j]-z[i]
		r := dx*dx + dy*dy + dz*dz + 1e-4
		s := mass[j] / (r * qd.Sqrt(r))
		sx, sy, sz = sx+s*dx, sy+s*dy, sz+s*dz
	}
	ax[i], ay[i], az[i] = sx, sy, sz
}

// nbodyVec4 has the mass of a body in the fourth number of its place.
//
//qd:kernel
func nbodyVec4(t qd.Thread, bodies, a []f32.Vec4) {
	i := t.ID()
	at := bodies[i].XYZ()
	var sum f32.Vec3
	for _, b := range bodies {
		d := b.XYZ().Sub(at)
		r := d.NormSq() + 1e-4
		sum = sum.Add(d.Scale(b.W() / (r * qd.Sqrt(r))))
	}
	a[i] = sum.Extend(0)
}

//qd:kernel
func blackScholes(t qd.Thread, rate, volatility float32, price, strike, years, call, put []float32) {
	i := t.ID()
	s, k, y := price[i], strike[i], years[i]
	root := volatility * qd.Sqrt(y)
	d1 := (qd.Log(s/k) + (rate+0.5*volatility*volatility)*y) / root
	d2 := d1 - root
	n1, n2 := normal(d1), normal(d2)
	now := k * qd.Exp(-rate*y)
	call[i] = s*n1 - now*n2
	put[i] = now*(1-n2) - s*(1-n1)
}

// normal is the cumulative distribution function of the normal distribution: Abramowitz and Stegun, 26.2.17.
func normal(d float32) float32 {
	k := 1 / (1 + 0.2316419*qd.Abs(d))
	p := 0.39894228 * qd.Exp(-0.5*d*d) * (k * (0.319381530 + k*(-0.356563782+k*(1.781477937+k*(-1.821255978+k*1.330274429)))))
	if d > 0 {
		return 1 - p
	}
	return p
}
