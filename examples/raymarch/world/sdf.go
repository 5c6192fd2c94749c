package world

import (
	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
)

// Signed distance fields: how far a point is from a shape, negative inside of it. The
// shapes stand at the origin. Formulas are those of Inigo Quilez,
// https://iquilezles.org/articles/distfunctions/ .

func sphere(p f32.Vec3, radius float32) float32 { return p.Norm() - radius }

// ellipsoid is a bound, exact at the surface: the distance in the space where it is the
// unit sphere, divided by the gradient there.
func ellipsoid(p, radii f32.Vec3) float32 {
	k := p.Div(radii)
	along := k.Div(radii).Norm()
	return k.Norm() * (k.Norm() - 1) / max(along, 1e-6)
}

// box has edges rounded with a radius, which its half sides include.
func box(p, half f32.Vec3, radius float32) float32 {
	q := p.Abs().Sub(half).AddScalar(radius)
	return q.MaxScalar(0).Norm() + min(q.MaxElem(), 0) - radius
}

func torus(p f32.Vec3, radius, tube float32) float32 {
	return f32.Vec2{p.XZ().Norm() - radius, p.Y()}.Norm() - tube
}

// capsule is the points that are near the line from a to b.
func capsule(p, a, b f32.Vec3, radius float32) float32 {
	pa, ba := p.Sub(a), b.Sub(a)
	h := qd.Saturate(pa.Dot(ba) / ba.NormSq())
	return pa.Sub(ba.Scale(h)).Norm() - radius
}

// roundCone is the hull of two spheres on the y axis: one of radius r1 at the origin, and
// one of radius r2 at height h.
func roundCone(p f32.Vec3, r1, r2, h float32) float32 {
	q := f32.Vec2{p.XZ().Norm(), p.Y()}
	b := (r1 - r2) / h
	a := qd.Sqrt(1 - b*b)
	k := q.Dot(f32.Vec2{-b, a})
	switch {
	case k < 0:
		return q.Norm() - r1
	case k > a*h:
		return q.Sub(f32.Vec2{0, h}).Norm() - r2
	}
	return q.Dot(f32.Vec2{a, b}) - r1
}

// smoothUnion joins two shapes with a fillet of about the size k, by a polynomial.
func smoothUnion(a, b, k float32) float32 {
	h := max(k-qd.Abs(a-b), 0) / k
	return min(a, b) - h*h*k/4
}

// subtract takes shape b away from shape a, with an edge rounded by k.
func subtract(a, b, k float32) float32 { return -smoothUnion(-a, b, k) }

// intersect is what two shapes have in common.
func intersect(a, b, k float32) float32 { return -smoothUnion(-a, -b, k) }

// mirror folds space at the plane x = 0: what is modelled once stands on both sides.
func mirror(p f32.Vec3) f32.Vec3 { return f32.Vec3{qd.Abs(p.X()), p.Y(), p.Z()} }

// hash is a number from 0 to 1 for a pair of integers.
func hash(i, j int32) float32 {
	h := uint32(i)*0x9e3779b1 ^ uint32(j)*0x85ebca77
	h = (h ^ h>>15) * 0x2c1b3c6d
	h = (h ^ h>>12) * 0x297a2d39
	return float32((h^h>>15)>>8) / (1 << 24)
}

// noise is smooth and random, from 0 to 1.
func noise(p f32.Vec2) float32 {
	cell := p.Floor()
	f := p.Sub(cell)
	u := f.Mul(f).Mul(f.Scale(-2).AddScalar(3))
	i, j := int32(cell.X()), int32(cell.Y())
	low := hash(i, j) + (hash(i+1, j)-hash(i, j))*u.X()
	high := hash(i, j+1) + (hash(i+1, j+1)-hash(i, j+1))*u.X()
	return low + (high-low)*u.Y()
}

// clouds is noise with detail: octaves, each turned against the one before.
func clouds(p f32.Vec2, octaves int) float32 {
	turn := f32.Mat2{{1.6, 1.2}, {-1.2, 1.6}}
	sum, share := float32(0), float32(0.5)
	for range qd.Dynamic(octaves) {
		sum += share * noise(p)
		p = turn.MulVec(p)
		share /= 2
	}
	return sum
}
