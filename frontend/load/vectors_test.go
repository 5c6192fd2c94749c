package load

import (
	"errors"
	"testing"

	"github.com/qdgen/qd/frontend/diag"
)

// TestVectorHints checks what is advised where vectors, matrices and quaternions are used as
// elsewhere: with operators, fields, conversions and other names.
func TestVectorHints(t *testing.T) {
	const methods = "operators are methods of vectors, matrices and quaternions: "
	src := realOwn(t)
	for _, c := range []struct{ body, want string }{
		// Operators.
		{"v = v + w", methods + "v.Add(w)"},
		{"v = v - w", "operators are methods: v.Sub(w), or v.Neg() for one operand"},
		{"v = -v", "operators are methods: v.Sub(w), or v.Neg() for one operand"},
		{"v = v * w", "operators are methods of vectors: v.Mul(w) multiplies the elements, v.Dot(w) is the inner product"},
		{"v = v / w", methods + "v.Div(w)"},
		{"v = v % w", methods + "v.Mod(w)"},
		{"n = n % n", methods + "n.Rem(w)"},
		{"n = n & n", methods + "n.And(w)"},
		{"v += w", methods + "v.Add(w)"},
		{"v *= 2", methods + "v.Scale(2)"},
		{"v = v * s", methods + "v.Scale(s)"},
		{"v = v + 1", methods + "v.AddScalar(1)"},
		{"v = v / (s + 1)", methods + "v.DivScalar(w)"},
		{"v = 2 * v", "multiplication by a number is a method: v.Scale(2)"},
		{"v = s + v", "operators are methods of vectors and matrices: v.AddScalar(s)"},
		{"v = 1 - v", "operators are methods of vectors and matrices, such as v.Neg() and v.AddScalar(1)"},
		{"v++", "v = v.AddScalar(1)"},
		{"v--", "v = v.SubScalar(1)"},
		{"v = m * v", "the product of a matrix and a vector is m.MulVec(v)"},
		{"v = v * m", "the product of a transposed matrix and a vector is m.TMulVec(v)"},
		{"m = m * m", "operators are methods of matrices: m.Mul(w) is the product, m.MulElem(w) that of the elements"},
		{"m = m / m", "operators are methods of matrices: m.DivElem(w), element by element"},
		{"q = q * q", methods + "q.Mul(w)"},
		{"v = q * v", "a quaternion rotates a vector with q.Rotate(v)"},
		{"v = v + d", "Go has no implicit conversions: convert one side, as in f32.Vec3From(d)"},
		{"v = v + v2", ""},
		{"v = v * f32.Vec3{1, 2, 3}", "operators are methods of vectors: v.Mul(w) multiplies the elements, v.Dot(w) is the inner product"},
		// Comparisons.
		{"if v < w { s = 1 }", "for vectors and matrices, v.Less(w) compares element by element: use .All() or .Any() of the result"},
		{"if v == nil { s = 1 }", "it is an array and never nil: compare it with f32.Vec3{}"},
		{"if v.Less(w) { s = 1 }", "it has one bool for each element: use v.Less(w).All() or v.Less(w).Any()"},
		{"b := true; b = v.Less(w); _ = b", "it has one bool for each element: use v.Less(w).All() or v.Less(w).Any()"},
		{"v = max(v, w)", "for vectors and matrices, use the methods Min and Max: v.Min(w)"},
		// Values of other types.
		{"v = d", "convert it: f32.Vec3From(d)"},
		{"v = v.Add(d)", "convert it: f32.Vec3From(d)"},
		{"v = f32.Vec3(d)", "convert it: f32.Vec3From(d)"},
		{"v = v2", "make it longer: v2.Extend(z)"},
		{"v2 = v", "choose the elements: v.XY()"},
		{"v = v.Add(1)", "with a number it is v.AddScalar(1)"},
		{"v = v.Mul(s)", "with a number it is v.Scale(s)"},
		{"v = 1", "to make one with the number in each element: f32.Vec3Splat(1)"},
		{"v = f32.Vec3(1)", "to make one with the number in each element: f32.Vec3Splat(1)"},
		{"v = f32.Vec3(1, 2, 3)", "write a literal: f32.Vec3{...}"},
		{"v = f32.Vec3{v2, 1}", "write its elements one by one, v2[0], v2[1]; a method makes a vector longer: v2.Extend(z)"},
		{"v = f32.Vec3{X: 1}", "it is an array: write the elements in their order, f32.Vec3{...}; those of a quaternion are x, y, z, w"},
		{"b := qd.Bool3{true}; _ = b", "it is bools.Vec3, of package github.com/qdgen/qd/bools"},
		{"b := qd.Bool2x2{}; _ = b", "it is bools.Mat2, of package github.com/qdgen/qd/bools"},
		{"b := bools.Vec5{}; _ = b", "masks up to 4x4 are in package bools: qdgen types --elem float32 Vec5 writes Bool5 into your package too"},
		{"b := bools.Mat6{}; _ = b", "masks up to 4x4 are in package bools: qdgen types --elem float32 Mat6 writes Bool6x6 into your package too"},
		{"b := qd.Bool5x6{}; _ = b", "masks up to 4x4 are in package bools: qdgen types --elem float32 Mat5x6 writes Bool5x6 into your package too"},
		{"b := !v.Less(w); _ = b", "operators are methods of masks: v.Less(w).Not()"},
		{"b := v.Less(w) && v.Less(v); _ = b", "operators are methods of masks: v.Less(w).And(v.Less(v))"},
		{"b := v.Less(w) | v.Less(v); _ = b", "operators are methods of masks: v.Less(w).Or(v.Less(v))"},
		{"b := v.Less(w) + v.Less(v); _ = b", ""},
		{"b := -v.Less(w); _ = b", ""},
		{"v = v.Less(w)", ""},
		{"s = math.Gamma(s)", "mathx.Gamma takes float32 as well as float64"},
		{"s = qd.Gamma(s)", "it is mathx.Gamma, of package github.com/qdgen/qd/mathx"},
		{"v = qd.Vec3{1, 2, 3}", "vectors and matrices are in other packages: write f32.Vec3, of package github.com/qdgen/qd/f32"},
		{"var u qd.Vec3d; _ = u", "vectors and matrices are in other packages: write f64.Vec3, of package github.com/qdgen/qd/f64"},
		{"var u f32.Vec3f; _ = u", "vectors and matrices are in other packages: write f32.Vec3, of package github.com/qdgen/qd/f32"},
		{"var u f64.Mat3x3; _ = u", "vectors and matrices are in other packages: write f64.Mat3, of package github.com/qdgen/qd/f64"},
		{"m = qd.Mat3x3Identity[float32]()", "it is f32.Mat3Identity, of package github.com/qdgen/qd/f32"},
		{"v = qd.Vec3As[float32](d)", "convert to the vectors of a package: f32.Vec3From(v)"},
		{"q = qd.QuatFromAxisAngle(v, 1)", "it is f32.QuatFromAxisAngle, of package github.com/qdgen/qd/f32"},
		{"f32.Sine(s)", "package f32 does not have it"},
		{"s = v", "choose an element: v[0], v[1], ..."},
		{"s = qd.Sqrt(v)", "functions of vectors and matrices are methods, which work element by element: v.Sqrt()"},
		{"d[0] = math.Sqrt(d)", "functions of vectors and matrices are methods, which work element by element: d.Sqrt()"},
		{"a, b, c := v; s = a + b + c", "name the elements: v[0], v[1], ..."},
		{"m = 1", "to make one with the number in each element: f32.Mat3Splat(1); the identity: f32.Mat3Identity()"},
		{"m.Mul(v)", "the product of a matrix and a vector is m.MulVec(v)"},
		{"q.Mul(v)", "a quaternion rotates a vector with q.Rotate(v)"},
		{"m.Mul(f32.Mat3x2{})", "Mul needs a square matrix on the right; other products are functions, such as f32.Mat2x3Mul3x2(m, n)"},
		{"f32.Mat4{}.MulVec(v)", "make it longer: v.Extend(1) for a point, v.Extend(0) for a direction; or call f32.Mat4{}.TransformPoint(v) or f32.Mat4{}.TransformVector(v)"},
		{"v = c", "read the value of the constant: c.V"},
		{"s = n.Norm()", "only floats have this method, and the elements are integers: convert them, as in f32.Vec3From(n).Norm(...)"},
		{"qd.AtomicAdd(&v, w)", "update the elements one by one: &x[i][0], &x[i][1], ..."},
		{"h.At(0, 1)[2] = 1", "At returns a copy: write through h.Ptr(0, 1), or with h.Set"},
		{"h[0][1] = v", "an element of a view is read with h.At(...), and written with h.Set(..., value)"},
		// Members.
		{"v.X = 1", "X is a method and returns a copy: assign to the element, v[0] = ..."},
		{"v.Z() = 1", "Z is a method and returns a copy: assign to the element, v[2] = ..."},
		{"v2 = v.xy", "it is the method v.XY()"},
		{"v.SetXY(v2)", "methods return new values: assign to the elements, v[0] = ..."},
		{"s = v.Length()", "here it is called Norm"},
		{"v = v.Normalized()", "here it is called Normalize"},
		{"s = m.At(0, 1)", "it is an array of rows: m[i][j]"},
		{"s = v.At(0)", "it is an array: v[i]"},
		{"v = q.MulVec(v)", "a quaternion rotates a vector with q.Rotate(v)"},
		{"_ = f32.Mat2x3{}.Inverse()", "only square matrices have it"},
		{"v = v.Splat(1)", "it is a function: f32.Vec3Splat"},
		{"v.Foo()", ""},
		// Names.
		{"s = qd.Dot(v, w)", "it is a method of vectors, as in v.Dot(...)"},
		{"v = qd.Normalized(v)", "it is a method of vectors, as in v.Normalize(...)"},
		{"m = qd.Transpose(m)", "it is a method of matrices, as in m.Transpose(...)"},
		{"q = qd.Slerp(q, q, 1)", "it is a method of quaternions, as in q.Slerp(...)"},
		{"v = qd.NewVec3(1, 2, 3)", "write a literal: f32.Vec3{...}"},
		{"var u f64.Vec5; _ = u", "vectors and matrices up to 4x4 are in packages f32, f64, i32 and u32: qdgen types --elem float32 Vec5 writes this one into your package"},
		// Types that only look alike.
		{"var a, b Vec3; _ = a + b", ""},
		{"var a Vec3; a.Length()", ""},
	} {
		src["k"] = &Package{Path: "k", Files: []File{{Name: "k/k.go", Src: []byte(`package k

import (
	"math"

	"` + QDPath + `"
	"` + QDPath + `/bools"
	"` + QDPath + `/f32"
	"` + QDPath + `/f64"
	"` + QDPath + `/i32"
)

var _ = math.Pi

var _ bools.Vec3

type Vec3 [3]float32

func k(t qd.Thread, v, w f32.Vec3, d f64.Vec3, n i32.Vec3, v2 f32.Vec2, m f32.Mat3, q f32.Quat, s float32, c qd.Const[f32.Vec3], h qd.View2[f32.Vec3]) {
	` + c.body + `
}
`)}}}
		_, err := Check(src, Ref{Pkg: "k", Name: "k"})
		var ds *diag.Diagnostics
		if !errors.As(err, &ds) {
			t.Errorf("%s: %v", c.body, err)
			continue
		}
		found := false
		for _, d := range ds.List {
			found = found || d.Hint == c.want
		}
		if !found {
			t.Errorf("%s: %v\nwant %s", c.body, err, c.want)
		}
	}
}
