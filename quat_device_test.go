package qd_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/qdgen/qd"
)

// exactQuats are results that only + - * / and roots make.
type exactQuats[T qd.Float] struct {
	Mul, Inverse, Normal, Mat, Between, Nlerp qd.Quat[T]
	Rotated, Back, Normals                    qd.Vec3[T]
	Composed, Inverted                        qd.Transform[T]
	Affine, View                              qd.Mat4x4[T]
	Scale                                     qd.Vec3[T]
}

// angleQuats are results with sines, logarithms and the like.
type angleQuats[T qd.Float] struct {
	Slerp, Exp, Log, Turn qd.Quat[T]
	Euler                 qd.Mat3x3[T]
	Axis                  qd.Vec3[T]
	Angle                 T
}

//qd:kernel
func quatMethods[T qd.Float](t qd.Thread, p, q []qd.Quat[T], exact []exactQuats[T], angles []angleQuats[T]) {
	i := t.ID()
	a, b := p[i], q[i]
	u, w := a.Normalize(), b.Normalize()
	e := &exact[i]
	e.Mul, e.Inverse, e.Normal = a.Mul(b), a.Inverse(), u
	e.Mat, e.Between, e.Nlerp = qd.QuatFromMat(u.Mat3()), qd.QuatBetween(a.Vec(), b.Vec()), u.Nlerp(w, 0.375)
	e.Rotated, e.Back = u.Rotate(b.Vec()), u.RotateInv(b.Vec())
	m := qd.Transform[T]{P: a.Vec(), Q: u}
	e.Composed = m.Mul(qd.Transform[T]{P: b.Vec(), Q: w})
	e.Inverted = e.Composed.Inverse()
	e.Affine = qd.Mat4x4Compose(a.Vec(), u, b.Vec()).Mul(m.Mat4())
	e.Normals = e.Affine.TransformNormal(a.Vec())
	e.View = qd.Mat4x4LookAt(a.Vec(), b.Vec(), qd.Vec3[T]{0, 1, 0})
	_, _, e.Scale = qd.Mat4x4Decompose(e.Affine)

	angles[i].Slerp, angles[i].Exp, angles[i].Log = u.Slerp(w, 0.375), w.Exp(), u.Log()
	angles[i].Axis, angles[i].Angle = u.AxisAngle()
	angles[i].Turn = qd.QuatFromAxisAngle(a.Vec(), b[3])
	angles[i].Euler = qd.QuatFromEuler(u.Euler()).Mat3()
}

// All devices agree with Go: to the bit, where Go fixes the result.
func TestQuatDevices(t *testing.T) {
	forFloats(t, testQuatDevices[float32], testQuatDevices[float64])
}

func testQuatDevices[T qd.Float](t *testing.T, u float64) {
	var p, q []qd.Quat[T]
	rotations(4000, func(rng *rand.Rand, r qd.Quat[T]) {
		scale := T(rng.NormFloat64())
		p = append(p, r.Scale(scale))
		q = append(q, qd.Quat[T]{T(rng.NormFloat64()), T(rng.NormFloat64()), T(rng.NormFloat64()), T(rng.NormFloat64())})
	})
	p, q = append(p, qd.Quat[T]{}, qd.Quat[T]{qd.NaN[T]()}), append(q, qd.Quat[T]{}, qd.Quat[T]{qd.Inf[T](1)})
	var exact []exactQuats[T]
	var angles []angleQuats[T]
	for _, dev := range devices(t) {
		e, a := make([]exactQuats[T], len(p)), make([]angleQuats[T], len(p))
		if err := dev.Launch(quatMethods[T], qd.Dim(len(p)), p, q, e, a); err != nil {
			t.Fatal(err)
		}
		if dev.String() == "go" {
			exact, angles = e, a
		}
		for i := range p {
			if field, ok := near(reflect.ValueOf(e[i]), reflect.ValueOf(exact[i]), 0); !ok {
				t.Fatalf("%s of %v and %v: on %s %v, in Go %v", field, p[i], q[i], dev, e[i], exact[i])
			}
			if field, ok := near(reflect.ValueOf(a[i]), reflect.ValueOf(angles[i]), 32*u); !ok {
				t.Fatalf("%s of %v and %v: on %s %v, in Go %v", field, p[i], q[i], dev, a[i], angles[i])
			}
		}
	}
}

// near reports whether the floats of two structs are the same, one NaN like another, or not
// further apart than times the larger one or 1; if not, in which field.
func near(a, b reflect.Value, times float64) (field string, ok bool) {
	switch a.Kind() {
	case reflect.Struct:
		for i := range a.NumField() {
			if _, ok := near(a.Field(i), b.Field(i), times); !ok {
				return a.Type().Field(i).Name, false
			}
		}
	case reflect.Array:
		for i := range a.Len() {
			if _, ok := near(a.Index(i), b.Index(i), times); !ok {
				return "", false
			}
		}
	default:
		x, y := a.Float(), b.Float()
		return "", math.Float64bits(x) == math.Float64bits(y) || x != x && y != y || times > 0 && max(x-y, y-x) <= times*max(x, -x, 1)
	}
	return "", true
}
