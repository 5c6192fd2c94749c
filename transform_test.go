package qd_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/qdgen/qd"
	"gonum.org/v1/gonum/num/quat"
)

func TestTransform(t *testing.T) {
	forFloats(t, testTransform[float32], testTransform[float64])
}

func testTransform[T qd.Float](t *testing.T, u float64) {
	point, composed, back, matrix := within{name: "Point", bound: 32}, within{name: "Mul", bound: 64}, within{name: "Inverse", bound: 96}, within{name: "Mat4", bound: 64}
	vector := within{name: "Vector", bound: 48}
	rotations(5000, func(rng *rand.Rand, q qd.Quat[T]) {
		vec := func() qd.Vec3[T] {
			v := qd.Vec3[T]{T(rng.NormFloat64()), T(rng.NormFloat64()), T(rng.NormFloat64())}
			return v.Scale(T(math.Exp2(10 * rng.NormFloat64())))
		}
		a := qd.Transform[T]{P: vec(), Q: q}
		b := qd.Transform[T]{P: vec(), Q: quatOf[T](somewhere(rng))}
		v := vec()
		size := (quat.Abs(pure(a.P)) + quat.Abs(pure(b.P)) + quat.Abs(pure(v))) * u
		moved := func(a qd.Transform[T], v quat.Number) quat.Number {
			return quat.Add(pure(a.P), rotated(quat.Scale(1/quat.Abs(numberOf(a.Q)), numberOf(a.Q)), v))
		}
		off := func(got qd.Vec3[T], want quat.Number) float64 { return quat.Abs(quat.Sub(pure(got), want)) }
		point.check(t, off(a.Point(v), moved(a, pure(v))), size, a, v)
		ab := a.Mul(b)
		composed.check(t, off(ab.Point(v), moved(a, moved(b, pure(v)))), size, a, b, v)
		back.check(t, off(ab.Inverse().Point(ab.Point(v)), pure(v)), size, a, b, v)
		back.check(t, off(ab.InvPoint(ab.Point(v)), pure(v)), size, a, b, v)
		m := ab.Mat4()
		matrix.check(t, off(m.TransformPoint(v), pure(ab.Point(v))), size, ab, v)
		vector.check(t, off(m.TransformVector(v), pure(ab.Vector(v))), size, ab, v)
		vector.check(t, off(ab.InvVector(ab.Vector(v)), pure(v)), size, ab, v)
		if a.Mul(qd.TransformIdentity[T]()) != a {
			t.Fatalf("%v times the identity is %v", a, a.Mul(qd.TransformIdentity[T]()))
		}
	})
	for _, w := range []within{point, composed, back, matrix, vector} {
		w.log(t)
	}
}

// Rotation matrices against those of quaternions, and by what a quarter turn does.
func TestRotations(t *testing.T) {
	forFloats(t, testRotations[float32], testRotations[float64])
}

func testRotations[T qd.Float](t *testing.T, u float64) {
	x, y, z := qd.Vec3[T]{1, 0, 0}, qd.Vec3[T]{0, 1, 0}, qd.Vec3[T]{0, 0, 1}
	for _, c := range []struct {
		name       string
		m          func(T) qd.Mat3x3[T]
		m4         func(T) qd.Mat4x4[T]
		axis, a, b qd.Vec3[T] // a quarter turn takes a to b
	}{
		{"x", qd.Mat3x3RotationX[T], qd.Mat4x4RotationX[T], x, y, z},
		{"y", qd.Mat3x3RotationY[T], qd.Mat4x4RotationY[T], y, z, x},
		{"z", qd.Mat3x3RotationZ[T], qd.Mat4x4RotationZ[T], z, x, y},
	} {
		if d := c.m(math.Pi / 2).MulVec(c.a).Sub(c.b).Norm(); float64(d) > 2*u {
			t.Errorf("a quarter turn about %s is %v", c.name, c.m(math.Pi/2))
		}
		for angle := T(-7); angle < 7; angle += 0.1 {
			m := c.m(angle)
			if d := m.Sub(qd.Mat3x3Rotation(c.axis.Scale(3), angle)).Norm(); float64(d) > 16*u {
				t.Errorf("about %s by %v: %v and %v", c.name, angle, m, qd.Mat3x3Rotation(c.axis.Scale(3), angle))
			}
			if m4 := c.m4(angle); m4 != qd.Mat4x4FromMat3(m) || qd.Mat4x4Rotation(c.axis, angle) != qd.Mat4x4FromMat3(qd.Mat3x3Rotation(c.axis, angle)) {
				t.Errorf("about %s by %v: %v", c.name, angle, m4)
			}
		}
	}
	if v := qd.Mat2x2Rotation(T(math.Pi / 2)).MulVec(qd.Vec2[T]{1, 0}); float64(v.Sub(qd.Vec2[T]{0, 1}).Norm()) > 2*u {
		t.Errorf("a quarter turn of the plane takes x to %v", v)
	}
	if m := qd.Mat3x3Rotation(qd.Vec3[T]{}, 1); m != qd.Mat3x3Identity[T]() {
		t.Errorf("about 0: %v", m)
	}
}

func TestCompose(t *testing.T) {
	forFloats(t, testCompose[float32], testCompose[float64])
}

func testCompose[T qd.Float](t *testing.T, u float64) {
	parts, scales, normals := within{name: "rotation", bound: 64}, within{name: "scale", bound: 32}, within{name: "TransformNormal", bound: 64}
	rotations(5000, func(rng *rand.Rand, q qd.Quat[T]) {
		vec := func() qd.Vec3[T] {
			v := qd.Vec3[T]{T(rng.NormFloat64()), T(rng.NormFloat64()), T(rng.NormFloat64())}
			return v.Scale(T(math.Exp2(4 * rng.NormFloat64())))
		}
		d, s := vec(), vec().Abs()
		if rng.IntN(2) == 0 {
			s[0] = -s[0] // a mirror
		}
		m := qd.Mat4x4Compose(d, q, s)
		d2, q2, s2 := qd.Mat4x4Decompose(m)
		if d2 != d {
			t.Fatalf("translation %v came back as %v", d, d2)
		}
		parts.check(t, apart(numberOf(q2), numberOf(q)), u, d, q, s)
		for i := range s {
			scales.check(t, math.Abs(float64(s2[i]-s[i])), math.Abs(float64(s[i]))*u, d, q, s)
		}
		p := qd.Mat4x4Translation(d).Mul(qd.Mat4x4FromMat3(q.Mat3())).Mul(qd.Mat4x4Scaling(s))
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
	if _, q, s := qd.Mat4x4Decompose(qd.Mat4x4Scaling(qd.Vec3[T]{1, 0, 2})); s != (qd.Vec3[T]{1, 0, 2}) || q == q {
		t.Errorf("scales %v, rotation %v where one scale is 0", s, q)
	}
	// A surface that is flattened keeps its normal.
	if n := qd.Mat4x4Scaling(qd.Vec3[T]{1, 1, 0}).TransformNormal(qd.Vec3[T]{0, 0, 1}); n != (qd.Vec3[T]{0, 0, 1}) {
		t.Errorf("normal %v of the flattened plane", n)
	}
}

func TestCamera(t *testing.T) {
	forFloats(t, testCamera[float32], testCamera[float64])
}

func testCamera[T qd.Float](t *testing.T, u float64) {
	near := func(what string, got, want qd.Vec3[T], size float64) {
		t.Helper()
		if d := float64(got.Sub(want).Norm()); !(d <= 32*u*size) {
			t.Errorf("%s: %v, want %v (%g)", what, got, want, d)
		}
	}
	rng := rand.New(rand.NewPCG(8, 9))
	vec := func() qd.Vec3[T] {
		return qd.Vec3[T]{T(rng.NormFloat64()), T(rng.NormFloat64()), T(rng.NormFloat64())}.Scale(5)
	}
	for range 1000 {
		eye, target, up := vec(), vec(), qd.Vec3[T]{0, 1, 0}
		m := qd.Mat4x4LookAt(eye, target, up)
		size := 10 * float64(1+eye.Norm()+target.Norm())
		near("eye", m.TransformPoint(eye), qd.Vec3[T]{}, size)
		near("target", m.TransformPoint(target), qd.Vec3[T]{0, 0, -target.Distance(eye)}, size)
		if v := m.TransformVector(up); math.Abs(float64(v[0])) > 16*u || v[1] <= 0 {
			t.Errorf("up of %v to %v is %v", eye, target, v)
		}
		if d := m.Det(); math.Abs(float64(d)-1) > 64*u {
			t.Errorf("the view mirrors or scales: %v", d)
		}
	}
	const fov, aspect, front, back = 1.2, 1.5, 0.25, 100
	half := T(math.Tan(fov / 2))
	for _, far := range []T{back, T(math.Inf(1))} {
		p := qd.Mat4x4Perspective[T](fov, aspect, front, far)
		for _, x := range []T{-1, 0, 1} {
			for _, y := range []T{-1, 0, 1} {
				near("near plane", p.TransformPoint(qd.Vec3[T]{x * half * aspect * front, y * half * front, -front}), qd.Vec3[T]{x, y, 0}, 4)
				if far == back {
					near("far plane", p.TransformPoint(qd.Vec3[T]{x * half * aspect * far, y * half * far, -far}), qd.Vec3[T]{x, y, 1}, 4)
				}
			}
		}
		if v := p.TransformPoint(qd.Vec3[T]{0, 0, -1e6}); far != back && (v[2] <= 0.999 || v[2] > 1) {
			t.Errorf("without a far plane the depth far away is %v", v)
		}
	}
	o := qd.Mat4x4Orthographic[T](-2, 6, -1, 3, 1, 9)
	near("near corner", o.TransformPoint(qd.Vec3[T]{-2, -1, -1}), qd.Vec3[T]{-1, -1, 0}, 1)
	near("far corner", o.TransformPoint(qd.Vec3[T]{6, 3, -9}), qd.Vec3[T]{1, 1, 1}, 1)
	near("middle", o.TransformPoint(qd.Vec3[T]{2, 1, -5}), qd.Vec3[T]{0, 0, 0.5}, 1)
}
