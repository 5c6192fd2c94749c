// Package world is the scene of example raymarch, and how a pixel of it is computed.
package world

import (
	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
)

//go:generate go run github.com/qdgen/qd/cmd/qdgen gen

// A Renderer is the quality of a picture and its light: constants of the kernel, which
// is compiled for each that is used.
type Renderer struct {
	Samples int      // per pixel, along each axis
	Steps   int      // of a ray, at most
	Shadow  int      // of a ray to the sun
	Ambient int      // points that are asked how much is around
	Bounces int      // mirrors that follow each other
	Sun     f32.Vec3 // where it is: a direction
}

// A Camera is where a picture is taken from. The columns of Turn are its right, its up
// and the direction away from what it sees.
type Camera struct {
	Eye  f32.Vec3
	Turn f32.Mat3
	Zoom float32 // distance of a screen of height 2
}

// Render draws the pixels of some rows of a picture, from 0 to 1 each.
//
//qd:kernel
func (r Renderer) Render(t qd.Thread, cam Camera, width, height, firstRow int, out []f32.Vec3) {
	row, col := t.ID2()
	row += firstRow
	out[row*width+col] = r.Pixel(cam, width, height, row, col)
}

// Pixel is a pixel of a picture.
func (r Renderer) Pixel(cam Camera, width, height, row, col int) f32.Vec3 {
	var sum f32.Vec3
	for s := range qd.Dynamic(r.Samples * r.Samples) {
		// Turned a little, so that edges along the axes get more levels.
		at := f32.Vec2{float32(s % r.Samples), float32(s / r.Samples)}.AddScalar(0.5).Scale(1 / float32(r.Samples)).SubScalar(0.5)
		at = f32.Mat2{{0.89, -0.45}, {0.45, 0.89}}.MulVec(at)
		x := (2*(float32(col)+0.5+at.X()) - float32(width)) / float32(height)
		y := (float32(height) - 2*(float32(row)+0.5+at.Y())) / float32(height)
		ray := cam.Turn.MulVec(f32.Vec3{x, y, -cam.Zoom}).Normalize()
		// Each sample is brought into range before they are averaged: a bright edge stays
		// smooth.
		sum = sum.Add(tone(r.trace(cam.Eye, ray)))
	}
	color := sum.Scale(1 / float32(r.Samples*r.Samples))
	// Darker towards the corners, as lenses are; then the gamma of screens.
	corner := f32.Vec2{float32(col)/float32(width) - 0.5, float32(row)/float32(height) - 0.5}
	color = color.Scale(1 - 0.45*corner.NormSq())
	return color.Saturate().Pow(f32.Vec3Splat(1 / 2.2))
}

// trace is the light that comes to eye from where the ray goes.
func (r Renderer) trace(eye, ray f32.Vec3) f32.Vec3 {
	var light f32.Vec3
	share := f32.Vec3Splat(1)
	for bounce := range qd.Dynamic(r.Bounces + 1) {
		far, found := r.march(eye, ray)
		if !found {
			return light.Add(share.Mul(r.sky(ray, bounce == 0)))
		}
		p := eye.Add(ray.Scale(far))
		n := normal(distance, p, 0.0004*(1+far))
		m := materialAt(p)
		// Schlick's approximation of what is reflected: all colours towards grazing angles.
		facing := max(-ray.Dot(n), 0)
		base := f32.Vec3Splat(0.04).Lerp(m.color, m.metal)
		mirrored := base.Lerp(f32.Vec3Splat(1), qd.Pow(1-facing, 5)).Scale(m.polish)

		seen := r.shade(p, n, ray, m)
		fog := 1 - qd.Exp(-0.00035*far*far)
		light = light.Add(share.Mul(seen.Lerp(r.haze(ray), fog)))
		share = share.Mul(mirrored).Scale(1 - fog)
		if share.MaxElem() < 0.01 {
			break
		}
		eye, ray = p.Add(n.Scale(0.004)), ray.Reflect(n)
	}
	return light
}

// march goes along a ray in steps that the distance allows, and tells how far it is to
// what the ray meets.
func (r Renderer) march(eye, ray f32.Vec3) (far float32, found bool) {
	far = 0.01
	for range qd.Dynamic(r.Steps) {
		d := distance(eye.Add(ray.Scale(far)))
		if d < 0.0005*far {
			return far, true
		}
		far += d
		if far > 80 {
			return far, false
		}
	}
	return far, far < 40
}

// normal is the direction away from a surface: the gradient of a distance, by four
// points of a tetrahedron.
func normal(distance func(p f32.Vec3) float32, p f32.Vec3, eps float32) f32.Vec3 {
	var n f32.Vec3
	for i := range qd.Dynamic(4) {
		corner := f32.Vec3{float32((i+3)>>1&1)*2 - 1, float32(i>>1&1)*2 - 1, float32(i&1)*2 - 1}
		n = n.Add(corner.Scale(distance(p.Add(corner.Scale(eps)))))
	}
	return n.Normalize()
}

// shade is the light that a surface scatters towards the viewer: the sun's, the sky's
// and what the ground throws back.
func (r Renderer) shade(p, n, ray f32.Vec3, m material) f32.Vec3 {
	open := r.openness(p, n)
	sun := max(n.Dot(r.Sun), 0)
	if sun > 0 {
		sun *= r.sunlit(p.Add(n.Scale(0.004)))
	}
	half := r.Sun.Sub(ray).Normalize()
	shine := qd.Pow(max(n.Dot(half), 0), m.hardness) * (m.hardness + 8) / 25 * sun

	light := sunColor().Scale(sun)
	light = light.Add(f32.Vec3{0.36, 0.50, 0.85}.Scale((0.5 + 0.5*n.Y()) * open * 0.7))
	light = light.Add(f32.Vec3{0.42, 0.34, 0.28}.Scale((0.5 - 0.5*n.Y()) * open * 0.5))
	back := max(n.Dot(f32.Vec3{-r.Sun.X(), 0, -r.Sun.Z()}.Normalize()), 0)
	light = light.Add(f32.Vec3{0.35, 0.22, 0.25}.Scale(back * open * 0.5))

	scattered := m.color.Scale(1 - m.metal).Mul(light)
	highlight := f32.Vec3Splat(0.04).Lerp(m.color, m.metal).Mul(sunColor()).Scale(shine * m.polish)
	return scattered.Add(highlight).Add(m.glow)
}

// sunlit is the share of the sun that is seen from p: the narrowest gap between the ray
// and what it passes, seen from p, makes the half-shadow.
func (r Renderer) sunlit(p f32.Vec3) float32 {
	lit, far := float32(1), float32(0.02)
	for range qd.Dynamic(r.Shadow) {
		d := distance(p.Add(r.Sun.Scale(far)))
		lit = min(lit, 14*d/far)
		if lit < 0.004 || far > 14 {
			break
		}
		far += qd.Clamp(d, 0.015, 0.6)
	}
	lit = max(lit, 0)
	return lit * lit * (3 - 2*lit)
}

// openness is how much of the surroundings is seen from a surface: 1 where nothing is
// near, by the distances of a few points above it.
func (r Renderer) openness(p, n f32.Vec3) float32 {
	hidden, weight := float32(0), float32(1)
	for i := range qd.Dynamic(r.Ambient) {
		h := 0.02 + 0.5*float32(i)/float32(r.Ambient)
		hidden += (h - distance(p.Add(n.Scale(h)))) * weight
		weight *= 0.8
	}
	return qd.Saturate(1 - 1.6*hidden*4/float32(r.Ambient))
}

func sunColor() f32.Vec3 { return f32.Vec3{1, 0.76, 0.48}.Scale(4.2) }

// haze is the colour of the air in a direction.
func (r Renderer) haze(ray f32.Vec3) f32.Vec3 {
	toward := 0.5 + 0.5*f32.Vec3{ray.X(), 0, ray.Z()}.Normalize().Dot(r.Sun)
	return f32.Vec3{0.98, 0.66, 0.52}.Lerp(f32.Vec3{1.6, 1.0, 0.50}, toward*toward)
}

// sky is the air above the horizon, with the sun and clouds in it.
func (r Renderer) sky(ray f32.Vec3, detailed bool) f32.Vec3 {
	up := max(ray.Y(), 0)
	color := r.haze(ray).Lerp(f32.Vec3{0.06, 0.22, 0.60}, 1-qd.Exp(-5.5*up))
	toward := max(ray.Dot(r.Sun), 0)
	color = color.Add(sunColor().Scale(0.18 * qd.Pow(toward, 16)))
	if detailed {
		color = color.Add(sunColor().Scale(4 * qd.Smoothstep(0.9992, 0.9996, toward)))
	}
	if ray.Y() > 0.02 {
		at := ray.XZ().Scale(1 / (ray.Y() + 0.08))
		cover := qd.Smoothstep(0.42, 0.80, clouds(at.Scale(0.9).AddScalar(3.7), 5))
		lit := f32.Vec3{1.15, 0.95, 0.85}.Lerp(sunColor().Scale(0.6), 0.5*toward)
		color = color.Lerp(lit, cover*0.75*qd.Smoothstep(0.02, 0.25, ray.Y()))
	}
	return color
}

// tone brings light of any strength into the range of a screen: Narkowicz's fit of the
// film curve ACES.
func tone(light f32.Vec3) f32.Vec3 {
	x := light.Scale(0.62)
	top := x.Mul(x.Scale(2.51).AddScalar(0.03))
	bottom := x.Mul(x.Scale(2.43).AddScalar(0.59)).AddScalar(0.14)
	return top.Div(bottom).Saturate()
}
