package f32_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
)

// exactQuats are results that only + - * / and roots make.
type exactQuats struct {
	Mul, Inverse, Normal, Mat, Between, Nlerp f32.Quat
	Rotated, Back, Normals                    f32.Vec3
	Composed, Inverted                        f32.Transform
	Affine, View                              f32.Mat4
	Scale                                     f32.Vec3
}

// angleQuats are results with sines, logarithms and the like.
type angleQuats struct {
	Slerp, Exp, Log, Turn f32.Quat
	Euler                 f32.Mat3
	Axis                  f32.Vec3
	Angle                 float32
}

//qd:kernel
func quatMethods(t qd.Thread, p, q []f32.Quat, exact []exactQuats, angles []angleQuats) {
	i := t.ID()
	a, b := p[i], q[i]
	u, w := a.Normalize(), b.Normalize()
	e := &exact[i]
	e.Mul, e.Inverse, e.Normal = a.Mul(b), a.Inverse(), u
	e.Mat, e.Between, e.Nlerp = f32.QuatFromMat(u.Mat3()), f32.QuatBetween(a.Vec(), b.Vec()), u.Nlerp(w, 0.375)
	e.Rotated, e.Back = u.Rotate(b.Vec()), u.RotateInv(b.Vec())
	m := f32.Transform{P: a.Vec(), Q: u}
	e.Composed = m.Mul(f32.Transform{P: b.Vec(), Q: w})
	e.Inverted = e.Composed.Inverse()
	e.Affine = f32.Mat4Compose(a.Vec(), u, b.Vec()).Mul(m.Mat4())
	e.Normals = e.Affine.TransformNormal(a.Vec())
	e.View = f32.Mat4LookAt(a.Vec(), b.Vec(), f32.Vec3{0, 1, 0})
	_, _, e.Scale = f32.Mat4Decompose(e.Affine)

	angles[i].Slerp, angles[i].Exp, angles[i].Log = u.Slerp(w, 0.375), w.Exp(), u.Log()
	angles[i].Axis, angles[i].Angle = u.AxisAngle()
	angles[i].Turn = f32.QuatFromAxisAngle(a.Vec(), b[3])
	angles[i].Euler = f32.QuatFromEuler(u.Euler()).Mat3()
}

// All devices agree with Go: to the bit, where Go fixes the result.
func TestQuatDevices(t *testing.T) {
	var p, q []f32.Quat
	rotations(4000, func(rng *rand.Rand, r f32.Quat) {
		scale := float32(rng.NormFloat64())
		p = append(p, r.Scale(scale))
		q = append(q, f32.Quat{float32(rng.NormFloat64()), float32(rng.NormFloat64()), float32(rng.NormFloat64()), float32(rng.NormFloat64())})
	})
	p, q = append(p, f32.Quat{}, f32.Quat{qd.NaN[float32]()}), append(q, f32.Quat{}, f32.Quat{qd.Inf[float32](1)})
	var exact []exactQuats
	var angles []angleQuats
	for _, dev := range devices(t) {
		e, a := make([]exactQuats, len(p)), make([]angleQuats, len(p))
		if err := dev.Launch(quatMethods, qd.Dim(len(p)), p, q, e, a); err != nil {
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
