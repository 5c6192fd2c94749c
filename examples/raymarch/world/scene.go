package world

import (
	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
)

// The scene: the Go gopher (designed by Renée French, CC BY 4.0) on a field of blocks,
// one for each thread of a launch, which rises around it; a ball of chrome and a piece of
// gold. y is up; the gopher looks along z.

// A material is what a surface does to light.
type material struct {
	color    f32.Vec3 // of what it scatters; of what it reflects, if it is metal
	glow     f32.Vec3 // what it emits
	metal    float32  // 1 for metal
	polish   float32  // the share of a mirror that its reflection has
	hardness float32  // exponent of the highlight
}

var (
	chromeAt = f32.Vec3{-2.05, 0.72, -0.25}
	goldAt   = f32.Vec3{2.1, 0.78, -0.3}
	ringAt   = f32.Vec3{1.25, 0.12, 1.55}

	gopherBlue = f32.Vec3{0.10, 0.50, 0.72}
	skin       = f32.Vec3{0.80, 0.58, 0.38}
)

// distance is how far a point is from the scene, or less where only a bound is needed to
// walk past something.
func distance(p f32.Vec3) float32 {
	d := field(p)
	d = min(d, sphere(p.Sub(chromeAt), 0.72))
	d = min(d, bounded(p, goldAt, 1.2, d, gold))
	d = min(d, bounded(p, ringAt, 0.6, d, ring))
	return min(d, bounded(p, f32.Vec3{0, 1.3, 0}, 1.75, d, gopher))
}

// bounded is the distance to a shape, whose formula is asked only near the ball around
// it, and only where it could be nearer than the rest.
func bounded(p, center f32.Vec3, radius, rest float32, shape func(p f32.Vec3) float32) float32 {
	ball := sphere(p.Sub(center), radius)
	if ball > min(rest, 0.4) {
		return ball
	}
	return shape(p)
}

// gopher is the gopher's outside, parts and all.
func gopher(p f32.Vec3) float32 {
	return min(fur(p), min(min(eyes(p), limbs(p)), min(face(p), teeth(p))))
}

// fur is what is blue: body, ears, arms.
func fur(p f32.Vec3) float32 {
	m := mirror(p)
	d := roundCone(p.Sub(f32.Vec3{0, 0.86, 0}), 0.84, 0.76, 0.92)
	ear := subtract(sphere(m.Sub(f32.Vec3{0.62, 2.36, -0.02}), 0.19), sphere(m.Sub(f32.Vec3{0.66, 2.40, 0.16}), 0.11), 0.04)
	d = smoothUnion(d, ear, 0.10)
	arm := capsule(p, f32.Vec3{-0.70, 1.05, 0.20}, f32.Vec3{-0.98, 0.78, 0.42}, 0.13)
	wave := capsule(p, f32.Vec3{0.70, 1.25, 0.15}, f32.Vec3{1.08, 1.66, 0.32}, 0.13)
	return smoothUnion(d, min(arm, wave), 0.16)
}

func eyes(p f32.Vec3) float32 {
	return sphere(mirror(p).Sub(f32.Vec3{0.34, 1.90, 0.53}), 0.31)
}

// limbs are the hands and the feet, and the tail.
func limbs(p f32.Vec3) float32 {
	m := mirror(p)
	d := ellipsoid(m.Sub(f32.Vec3{0.40, 0.09, 0.56}), f32.Vec3{0.20, 0.11, 0.30})
	d = min(d, sphere(p.Sub(f32.Vec3{-1.02, 0.74, 0.46}), 0.155))
	d = min(d, hand(p.Sub(f32.Vec3{1.14, 1.76, 0.36})))
	return min(d, sphere(p.Sub(f32.Vec3{0, 0.45, -0.85}), 0.16))
}

// hand is a palm with fingers that point up, and a thumb.
func hand(p f32.Vec3) float32 {
	d := ellipsoid(p, f32.Vec3{0.135, 0.13, 0.10})
	for i := range qd.Dynamic(3) {
		x := 0.085 * float32(i-1)
		d = smoothUnion(d, capsule(p, f32.Vec3{x, 0.06, 0.02}, f32.Vec3{1.5 * x, 0.21 - 3*x*x, 0.03}, 0.042), 0.035)
	}
	return smoothUnion(d, capsule(p, f32.Vec3{-0.05, 0, 0.04}, f32.Vec3{-0.19, 0.05, 0.07}, 0.042), 0.04)
}

// face is the snout with its two cheeks, and the nose.
func face(p f32.Vec3) float32 {
	m := mirror(p)
	d := ellipsoid(m.Sub(f32.Vec3{0.11, 1.53, 0.80}), f32.Vec3{0.16, 0.12, 0.12})
	d = smoothUnion(d, ellipsoid(p.Sub(f32.Vec3{0, 1.56, 0.76}), f32.Vec3{0.20, 0.12, 0.12}), 0.06)
	return min(d, nose(p))
}

func nose(p f32.Vec3) float32 {
	return ellipsoid(p.Sub(f32.Vec3{0, 1.645, 0.885}), f32.Vec3{0.125, 0.085, 0.08})
}

func teeth(p f32.Vec3) float32 {
	return box(mirror(p).Sub(f32.Vec3{0.055, 1.375, 0.82}), f32.Vec3{0.052, 0.11, 0.03}, 0.02)
}

// gold is a cube that is rounded by a ball and pierced along its axes.
func gold(p f32.Vec3) float32 {
	q := turned(p.Sub(goldAt))
	d := intersect(box(q, f32.Vec3{0.62, 0.62, 0.62}, 0.05), sphere(q, 0.82), 0.04)
	holes := min(q.XY().Norm(), min(q.YZ().Norm(), q.ZX().Norm())) - 0.36
	d = subtract(d, holes, 0.05)
	return min(d, sphere(q, 0.30))
}

// turned stands the gold upon one of its edges.
func turned(p f32.Vec3) f32.Vec3 {
	return f32.Mat3RotationX(float32(0.42)).Mul(f32.Mat3RotationY(float32(-0.62))).MulVec(p)
}

// ring is a red ring that leans on nothing.
func ring(p f32.Vec3) float32 {
	return torus(p.Sub(ringAt), 0.30, 0.115)
}

// The field repeats one block without end. cell is the distance from one to the next.
const (
	cell    = 0.5
	highest = 4.6 // no block is higher
)

// field is the distance to the four blocks around a point, or to where the next ones can
// begin.
func field(p f32.Vec3) float32 {
	if p.Y() > highest+0.5 {
		return p.Y() - highest
	}
	corner := p.XZ().Scale(1 / cell).Floor()
	nearest := float32(cell - 0.235)
	for k := range 4 {
		at := corner.Add(f32.Vec2{float32(k % 2), float32(k / 2)})
		q := p.Sub(f32.Vec3{at.X() * cell, height(at) - 2, at.Y() * cell})
		nearest = min(nearest, box(q, f32.Vec3{0.235, 2, 0.235}, 0.03))
	}
	return nearest
}

// height is that of the top of a block: flat in the middle, waves around it.
func height(at f32.Vec2) float32 {
	r := at.Norm() * cell
	if r < 3.6 {
		return 0
	}
	dice := hash(int32(at.X()), int32(at.Y()))
	wave := qd.Sin(at.X()*cell*0.55) * qd.Cos(at.Y()*cell*0.43+0.6)
	hills := qd.Smoothstep(3.6, 10, r) * (0.55 + 0.45*wave + 0.2*dice)
	towers := qd.Smoothstep(6, 16, r) * dice * dice * dice * dice * 2.8
	return hills + towers
}

// materialAt is what the surface near p is made of: that of the nearest part.
func materialAt(p f32.Vec3) material {
	best := field(p)
	m := blockMaterial(p)
	if d := sphere(p.Sub(chromeAt), 0.72); d < best {
		best, m = d, material{color: f32.Vec3{0.92, 0.93, 0.95}, metal: 1, polish: 1, hardness: 900}
	}
	if d := gold(p); d < best {
		best, m = d, material{color: f32.Vec3{1, 0.71, 0.25}, metal: 1, polish: 0.85, hardness: 120}
	}
	if d := ring(p); d < best {
		best, m = d, material{color: f32.Vec3{0.80, 0.06, 0.16}, polish: 1, hardness: 400}
	}
	if d := gopher(p); d < best {
		m = gopherMaterial(p)
	}
	return m
}

// blockMaterial is that of the block under p: pale stone, here and there a colour, or a
// light.
func blockMaterial(p f32.Vec3) material {
	at := p.XZ().Scale(1 / cell).Round()
	dice := hash(int32(at.X())+77, int32(at.Y())-31)
	shade := 0.15 + 0.15*hash(int32(at.Y()), int32(at.X()))
	rim := p.XZ().Scale(1 / cell).Sub(at).Abs().MaxElem()
	middle := 0.25 + 0.75*qd.Smoothstep(0.5, 0.2, rim)
	m := material{color: f32.Vec3{0.84, 0.94, 1.1}.Scale(shade), polish: 1, hardness: 90}
	switch {
	case dice < 0.022:
		m.color, m.glow = f32.Vec3{0, 0.45, 0.60}, f32.Vec3{0.05, 1.1, 1.6}.Scale(middle)
	case dice < 0.032:
		m.color, m.glow = f32.Vec3{0.75, 0.07, 0.25}, f32.Vec3{1.2, 0.06, 0.35}.Scale(middle)
	case dice < 0.045:
		m.color = f32.Vec3{0.95, 0.62, 0.08}
	case dice < 0.20:
		m.color = f32.Vec3{0.04, 0.05, 0.07}
	}
	return m
}

func gopherMaterial(p f32.Vec3) material {
	best := fur(p)
	m := material{color: gopherBlue, polish: 0.35, hardness: 30}
	if q := mirror(p).Sub(f32.Vec3{0.66, 2.40, 0.16}); q.Norm() < 0.15 {
		m.color = f32.Vec3{0.03, 0.16, 0.26} // inside the ear
	}
	if d := limbs(p); d < best {
		best, m = d, material{color: skin, polish: 0.3, hardness: 20}
	}
	if d := face(p); d < best {
		best, m = d, material{color: skin, polish: 0.3, hardness: 20}
		if nose(p) < d+0.001 {
			m = material{color: f32.Vec3{0.012, 0.010, 0.012}, polish: 1, hardness: 200}
		}
	}
	if d := teeth(p); d < best {
		best, m = d, material{color: f32.Vec3{0.9, 0.9, 0.88}, polish: 0.6, hardness: 100}
	}
	if d := eyes(p); d < best {
		m = material{color: f32.Vec3{0.92, 0.93, 0.94}, polish: 0.9, hardness: 600}
		// The pupils look at the hand that waves.
		look := f32.Vec3{0.14, -0.02, 0.99}.Normalize()
		spark := f32.Vec3{0.02, 0.22, 0.97}.Normalize()
		for i := range 2 {
			eye := f32.Vec3{0.34 - 0.68*float32(i), 1.90, 0.53}
			toward := p.Sub(eye).Scale(1 / 0.31)
			if toward.NormSq() > 1.1 || toward.Dot(look) < 0.91 {
				continue // the other eye, or the white
			}
			m.color = f32.Vec3{0.008, 0.008, 0.010}
			if toward.Dot(spark) > 0.992 {
				m.glow = f32.Vec3{1.5, 1.5, 1.5}
			}
		}
	}
	return m
}
