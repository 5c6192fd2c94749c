package f32_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/qdgen/qd/f32"
	"gonum.org/v1/gonum/num/quat"
)

func TestTransform(t *testing.T) {
	point, composed, back, matrix := within{name: "Point", bound: 32}, within{name: "Mul", bound: 64}, within{name: "Inverse", bound: 96}, within{name: "Mat4", bound: 64}
	vector := within{name: "Vector", bound: 48}
	rotations(5000, func(rng *rand.Rand, q f32.Quat) {
		vec := func() f32.Vec3 {
			v := f32.Vec3{float32(rng.NormFloat64()), float32(rng.NormFloat64()), float32(rng.NormFloat64())}
			return v.Scale(float32(math.Exp2(10 * rng.NormFloat64())))
		}
		a := f32.Transform{P: vec(), Q: q}
		b := f32.Transform{P: vec(), Q: quatOf(somewhere(rng))}
		v := vec()
		size := (quat.Abs(pure(a.P)) + quat.Abs(pure(b.P)) + quat.Abs(pure(v))) * u
		moved := func(a f32.Transform, v quat.Number) quat.Number {
			return quat.Add(pure(a.P), rotated(quat.Scale(1/quat.Abs(numberOf(a.Q)), numberOf(a.Q)), v))
		}
		off := func(got f32.Vec3, want quat.Number) float64 { return quat.Abs(quat.Sub(pure(got), want)) }
		point.check(t, off(a.Point(v), moved(a, pure(v))), size, a, v)
		ab := a.Mul(b)
		composed.check(t, off(ab.Point(v), moved(a, moved(b, pure(v)))), size, a, b, v)
		back.check(t, off(ab.Inverse().Point(ab.Point(v)), pure(v)), size, a, b, v)
		back.check(t, off(ab.InvPoint(ab.Point(v)), pure(v)), size, a, b, v)
		m := ab.Mat4()
		matrix.check(t, off(m.TransformPoint(v), pure(ab.Point(v))), size, ab, v)
		vector.check(t, off(m.TransformVector(v), pure(ab.Vector(v))), size, ab, v)
		vector.check(t, off(ab.InvVector(ab.Vector(v)), pure(v)), size, ab, v)
		if a.Mul(f32.TransformIdentity()) != a {
			t.Fatalf("%v times the identity is %v", a, a.Mul(f32.TransformIdentity()))
		}
	})
	for _, w := range []within{point, composed, back, matrix, vector} {
		w.log(t)
	}
}

// Rotation matrices against those of quaternions, and by what a quarter turn does.
func TestRotations(t *testing.T) {
	x, y, z := f32.Vec3{1, 0, 0}, f32.Vec3{0, 1, 0}, f32.Vec3{0, 0, 1}
	for _, c := range []struct {
		name       string
		m          func(float32) f32.Mat3
		m4         func(float32) f32.Mat4
		axis, a, b f32.Vec3 // a quarter turn takes a to b
	}{
		{"x", f32.Mat3RotationX, f32.Mat4RotationX, x, y, z},
		{"y", f32.Mat3RotationY, f32.Mat4RotationY, y, z, x},
		{"z", f32.Mat3RotationZ, f32.Mat4RotationZ, z, x, y},
	} {
		if d := c.m(math.Pi / 2).MulVec(c.a).Sub(c.b).Norm(); float64(d) > 2*u {
			t.Errorf("a quarter turn about %s is %v", c.name, c.m(math.Pi/2))
		}
		for angle := float32(-7); angle < 7; angle += 0.1 {
			m := c.m(angle)
			if d := m.Sub(f32.Mat3Rotation(c.axis.Scale(3), angle)).Norm(); float64(d) > 16*u {
				t.Errorf("about %s by %v: %v and %v", c.name, angle, m, f32.Mat3Rotation(c.axis.Scale(3), angle))
			}
			if m4 := c.m4(angle); m4 != f32.Mat4FromMat3(m) || f32.Mat4Rotation(c.axis, angle) != f32.Mat4FromMat3(f32.Mat3Rotation(c.axis, angle)) {
				t.Errorf("about %s by %v: %v", c.name, angle, m4)
			}
		}
	}
	if v := f32.Mat2Rotation(float32(math.Pi / 2)).MulVec(f32.Vec2{1, 0}); float64(v.Sub(f32.Vec2{0, 1}).Norm()) > 2*u {
		t.Errorf("a quarter turn of the plane takes x to %v", v)
	}
	if m := f32.Mat3Rotation(f32.Vec3{}, 1); m != f32.Mat3Identity() {
		t.Errorf("about 0: %v", m)
	}
}

func TestCompose(t *testing.T) {
	parts, scales, normals := within{name: "rotation", bound: 64}, within{name: "scale", bound: 32}, within{name: "TransformNormal", bound: 64}
	rotations(5000, func(rng *rand.Rand, q f32.Quat) {
		vec := func() f32.Vec3 {
			v := f32.Vec3{float32(rng.NormFloat64()), float32(rng.NormFloat64()), float32(rng.NormFloat64())}
			return v.Scale(float32(math.Exp2(4 * rng.NormFloat64())))
		}
		d, s := vec(), vec().Abs()
		if rng.IntN(2) == 0 {
			s[0] = -s[0] // a mirror
		}
		m := f32.Mat4Compose(d, q, s)
		d2, q2, s2 := f32.Mat4Decompose(m)
		if d2 != d {
			t.Fatalf("translation %v came back as %v", d, d2)
		}
		parts.check(t, apart(numberOf(q2), numberOf(q)), u, d, q, s)
		for i := range s {
			scales.check(t, math.Abs(float64(s2[i]-s[i])), math.Abs(float64(s[i]))*u, d, q, s)
		}
		p := f32.Mat4Translation(d).Mul(f32.Mat4FromMat3(q.Mat3())).Mul(f32.Mat4Scaling(s))
		if p != m {
			t.Fatalf("composed %v, multiplied %v", m, p)
		}
		// A normal stays at right angles to its plane, and on its side.
		a, b := vec().Normalize(), vec().Normalize()
		n := a.Cross(b).Normalize()
		ma, mb, mn := m.TransformVector(a).Normalize(), m.TransformVector(b).Normalize(), m.TransformNormal(n).Normalize()
		worst := float64(s.Abs().MaxElem() / s.Abs().MinElem()) // the condition of m
		if tangents := float64(a.Cross(b).Norm()); tangents > 0.1 && worst < 1e3 {
			normals.check(t, math.Abs(float64(mn.Dot(ma)))+math.Abs(float64(mn.Dot(mb))), worst/tangents*u, m, a, b)
		}
		if side := m.TransformVector(n).Dot(mn); worst < 1e3 && side <= 0 {
			t.Fatalf("the normal %v of %v is on the other side: %v", n, m, side)
		}
	})
	for _, w := range []within{parts, scales, normals} {
		w.log(t)
	}
	if _, q, s := f32.Mat4Decompose(f32.Mat4Scaling(f32.Vec3{1, 0, 2})); s != (f32.Vec3{1, 0, 2}) || q == q {
		t.Errorf("scales %v, rotation %v where one scale is 0", s, q)
	}
	// A surface that is flattened keeps its normal.
	if n := f32.Mat4Scaling(f32.Vec3{1, 1, 0}).TransformNormal(f32.Vec3{0, 0, 1}); n != (f32.Vec3{0, 0, 1}) {
		t.Errorf("normal %v of the flattened plane", n)
	}
}

func TestCamera(t *testing.T) {
	near := func(what string, got, want f32.Vec3, size float64) {
		t.Helper()
		if d := float64(got.Sub(want).Norm()); !(d <= 32*u*size) {
			t.Errorf("%s: %v, want %v (%g)", what, got, want, d)
		}
	}
	rng := rand.New(rand.NewPCG(8, 9))
	vec := func() f32.Vec3 {
		return f32.Vec3{float32(rng.NormFloat64()), float32(rng.NormFloat64()), float32(rng.NormFloat64())}.Scale(5)
	}
	for range 1000 {
		eye, target, up := vec(), vec(), f32.Vec3{0, 1, 0}
		m := f32.Mat4LookAt(eye, target, up)
		size := 10 * float64(1+eye.Norm()+target.Norm())
		near("eye", m.TransformPoint(eye), f32.Vec3{}, size)
		near("target", m.TransformPoint(target), f32.Vec3{0, 0, -target.Distance(eye)}, size)
		if v := m.TransformVector(up); math.Abs(float64(v[0])) > 16*u || v[1] <= 0 {
			t.Errorf("up of %v to %v is %v", eye, target, v)
		}
		if d := m.Det(); math.Abs(float64(d)-1) > 64*u {
			t.Errorf("the view mirrors or scales: %v", d)
		}
	}
	const fov, aspect, front, back = 1.2, 1.5, 0.25, 100
	half := float32(math.Tan(fov / 2))
	for _, far := range []float32{back, float32(math.Inf(1))} {
		p := f32.Mat4Perspective(fov, aspect, front, far)
		for _, x := range []float32{-1, 0, 1} {
			for _, y := range []float32{-1, 0, 1} {
				near("near plane", p.TransformPoint(f32.Vec3{x * half * aspect * front, y * half * front, -front}), f32.Vec3{x, y, 0}, 4)
				if far == back {
					near("far plane", p.TransformPoint(f32.Vec3{x * half * aspect * far, y * half * far, -far}), f32.Vec3{x, y, 1}, 4)
				}
			}
		}
		if v := p.TransformPoint(f32.Vec3{0, 0, -1e6}); far != back && (v[2] <= 0.999 || v[2] > 1) {
			t.Errorf("without a far plane the depth far away is %v", v)
		}
	}
	o := f32.Mat4Orthographic(-2, 6, -1, 3, 1, 9)
	near("near corner", o.TransformPoint(f32.Vec3{-2, -1, -1}), f32.Vec3{-1, -1, 0}, 1)
	near("far corner", o.TransformPoint(f32.Vec3{6, 3, -9}), f32.Vec3{1, 1, 1}, 1)
	near("middle", o.TransformPoint(f32.Vec3{2, 1, -5}), f32.Vec3{0, 0, 0.5}, 1)
}
