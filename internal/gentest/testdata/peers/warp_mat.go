package peers

import (
	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
	"github.com/qdgen/qd/i32"
	"github.com/qdgen/qd/internal/gentest/testdata/bigtypes/int8s"
)

// Kernels for Warp's test_mat.py and test_mat_*.py: the algebra. What solves and
// decomposes is in warp_mat_linalg.go.

// mat2 to mat5 are the square matrices of a size with their rows, mat23 and mat32 two
// oblong shapes, each with the matrices that it is a product with.
type (
	mat2[M, R any, T qd.Number] interface {
		~[2]R
		qd.NumberSquareMatrix[M, R, T]
		withDet[T]
	}
	mat3[M, R any, T qd.Number] interface {
		~[3]R
		qd.NumberSquareMatrix[M, R, T]
		withDet[T]
	}
	mat4[M, R any, T qd.Number] interface {
		~[4]R
		qd.NumberSquareMatrix[M, R, T]
		withDet[T]
	}
	mat5[M, R any, T qd.Number] interface {
		~[5]R
		qd.NumberSquareMatrix[M, R, T]
	}
	mat23[M, R, M32, M3 any, T qd.Number] interface {
		~[2]R
		qd.NumberMatrix[M, R, T]
		Transpose() M32
		Mul(M3) M
	}
	mat32[M, R, M23, M2, V3 any, T qd.Number] interface {
		~[3]R
		qd.NumberMatrix[M, R, T]
		Transpose() M23
		Mul(M2) M
		MulVec(R) V3
		TMulVec(V3) R
	}
)

// matrices are of the shapes that Warp's tests take.
type matrices[M2, M3, M4, M5, M23, M32 any] struct {
	M2  M2
	M3  M3
	M4  M4
	M5  M5
	M23 M23
	M32 M32
}

// matMakers are the functions that make matrices, and multiply oblong ones.
type matMakers[V2, V3, V4, V5, M2, M3, M4, M5, M23, M32, T any] struct {
	Splat2    func(T) M2
	Splat3    func(T) M3
	Splat4    func(T) M4
	Splat5    func(T) M5
	Splat23   func(T) M23
	Splat32   func(T) M32
	Identity2 func() M2
	Identity3 func() M3
	Identity4 func() M4
	Identity5 func() M5
	Diag5     func(V5) M5
	Rows3     func(V3, V3, V3) M3
	Rows23    func(V3, V3) M23
	Cols2     func(V2, V2) M2
	Cols3     func(V3, V3, V3) M3
	Cols32    func(V3, V3) M32
	Outer2    func(V2, V2) M2
	Outer3    func(V3, V3) M3
	Outer4    func(V4, V4) M4
	Outer5    func(V5, V5) M5
	Outer23   func(V2, V3) M23
	Outer32   func(V3, V2) M32
	Mul23x32  func(M23, M32) M2
	Mul32x23  func(M32, M23) M3
}

// A matResult has what operations on matrices give, with the others and with vectors.
type matResult[M, V, V2, V3, T any] struct {
	Neg, Add, Sub, MulElem, DivElem, Scale, DivScalar M
	Transposed                                        M // M23 is that of M32
	Products                                          M // M2 of M23 and M32, M3 of M32 and M23
	MulVec                                            V
	TMulVec                                           V // vectors times matrices
	MulVec32                                          V3
	TMulVec32                                         V2
	Frobenius, Trace                                  [4]T
	Same, Other                                       bool
}

//qd:kernel
func matOperations[
	V2 vec2[V2, T], V3 vec3[V3, T], V4 vec4[V4, T], V5 vec5[V5, T],
	M2 mat2[M2, V2, T], M3 mat3[M3, V3, T], M4 mat4[M4, V4, T], M5 mat5[M5, V5, T],
	M23 mat23[M23, V3, M32, M3, T], M32 mat32[M32, V2, M23, M2, V3, T], T qd.Number,
](
	t qd.Thread, f qd.Const[matMakers[V2, V3, V4, V5, M2, M3, M4, M5, M23, M32, T]],
	a, b []matrices[M2, M3, M4, M5, M23, M32], v []vectors[V2, V3, V4, V5], s T,
	out []matResult[matrices[M2, M3, M4, M5, M23, M32], vectors[V2, V3, V4, V5], V2, V3, T],
) {
	type (
		mats = matrices[M2, M3, M4, M5, M23, M32]
		vecs = vectors[V2, V3, V4, V5]
	)
	i := t.ID()
	m, n, w := a[i], b[i], v[i]
	out[i] = matResult[mats, vecs, V2, V3, T]{
		Neg:        mats{m.M2.Neg(), m.M3.Neg(), m.M4.Neg(), m.M5.Neg(), m.M23.Neg(), m.M32.Neg()},
		Add:        mats{m.M2.Add(n.M2), m.M3.Add(n.M3), m.M4.Add(n.M4), m.M5.Add(n.M5), m.M23.Add(n.M23), m.M32.Add(n.M32)},
		Sub:        mats{m.M2.Sub(n.M2), m.M3.Sub(n.M3), m.M4.Sub(n.M4), m.M5.Sub(n.M5), m.M23.Sub(n.M23), m.M32.Sub(n.M32)},
		MulElem:    mats{m.M2.MulElem(n.M2), m.M3.MulElem(n.M3), m.M4.MulElem(n.M4), m.M5.MulElem(n.M5), m.M23.MulElem(n.M23), m.M32.MulElem(n.M32)},
		DivElem:    mats{m.M2.DivElem(n.M2), m.M3.DivElem(n.M3), m.M4.DivElem(n.M4), m.M5.DivElem(n.M5), m.M23.DivElem(n.M23), m.M32.DivElem(n.M32)},
		Scale:      mats{m.M2.Scale(s), m.M3.Scale(s), m.M4.Scale(s), m.M5.Scale(s), m.M23.Scale(s), m.M32.Scale(s)},
		DivScalar:  mats{m.M2.DivScalar(s), m.M3.DivScalar(s), m.M4.DivScalar(s), m.M5.DivScalar(s), m.M23.DivScalar(s), m.M32.DivScalar(s)},
		Transposed: mats{m.M2.Transpose(), m.M3.Transpose(), m.M4.Transpose(), m.M5.Transpose(), m.M32.Transpose(), m.M23.Transpose()},
		Products:   mats{f.V.Mul23x32(m.M23, n.M32), f.V.Mul32x23(m.M32, n.M23), m.M4.Mul(n.M4), m.M5.Mul(n.M5), m.M23.Mul(n.M3), m.M32.Mul(n.M2)},
		MulVec:     vecs{m.M2.MulVec(w.V2), m.M3.MulVec(w.V3), m.M4.MulVec(w.V4), m.M5.MulVec(w.V5)},
		TMulVec:    vecs{m.M2.TMulVec(w.V2), m.M3.TMulVec(w.V3), m.M4.TMulVec(w.V4), m.M5.TMulVec(w.V5)},
		MulVec32:   m.M32.MulVec(w.V2),
		TMulVec32:  m.M32.TMulVec(w.V3),
		Frobenius:  [4]T{m.M2.Frobenius(n.M2), m.M3.Frobenius(n.M3), m.M4.Frobenius(n.M4), m.M23.Frobenius(n.M23)},
		Trace:      [4]T{m.M2.Trace(), m.M3.Trace(), m.M4.Trace(), m.M5.Trace()},
		Same:       m == a[i],
		Other:      m.M2 == n.M2 || m.M3 == n.M3 || m.M32 == n.M32,
	}
}

//qd:kernel
func matMutation(t qd.Thread, out []Mat10x3) {
	var m Mat10x3
	m[0][0] = 1
	m[0][1] = 2
	m[0][2] = 3
	for i := 1; i < 10; i++ {
		m[i] = m[i-1].Add(f32.Vec3{1, 2, 3})
	}
	out[0] = m
}

//qd:kernel
func matLen(t qd.Thread, m1 f32.Mat2, m2 f32.Mat3, m3 f32.Mat4, m4 int8s.Mat2x3, out []int) {
	var foo f32.Mat2
	out[0], out[1], out[2], out[3], out[4] = len(m1), qd.Static(len(m2)), len(m3), qd.Static(len(m4)), len(foo)
	out[5] = len(m4[0])
}

//qd:kernel
func matExtract(t qd.Thread, x []f32.Mat2, elements []float32, rows []f32.Vec2) {
	i := t.ID()
	a := x[i]
	elements[i] = a[0][0] + 2*a[0][1] + 3*a[1][0] + 4*a[1][1]
	rows[i] = a[0].Add(a[1].Scale(2))
}

//qd:kernel
func matAssign(t qd.Thread, x []float32, v []f32.Vec2, y []f32.Mat2) {
	var a, b f32.Mat2
	a[0][0] = 1 * x[0]
	a[0][1] = 2 * x[0]
	a[1][0] = 3 * x[0]
	a[1][1] = 4 * x[0]
	b[0] = v[0]
	b[1] = v[0].Scale(2)
	y[0], y[1] = a, b
}

//qd:kernel
func matArrayExtract(t qd.Thread, x qd.View2[f32.Mat2], elements qd.View2[float32], rows qd.View2[f32.Vec2]) {
	i, j := t.ID2()
	elements.Set(i, j, x.At(i, j)[0][0]+2*x.At(i, j)[0][1]+3*x.Ptr(i, j)[1][0]+4*x.Ptr(i, j)[1][1])
	rows.Set(i, j, x.At(i, j)[0].Add(x.At(i, j).Row(1).Scale(2)))
}

//qd:kernel
func matArrayAssign(t qd.Thread, x qd.View2[float32], v []f32.Vec3, elements qd.View2[f32.Mat2], rows qd.View2[f32.Mat2x3]) {
	i, j := t.ID2()
	for r := range 2 {
		for c := range 2 {
			elements.Ptr(i, j)[r][c] = float32(2*r+c+1) * x.At(i, j)
		}
	}
	m := rows.Ptr(i, j)
	m[0] = v[0]
	m[1] = v[0].Scale(2)
}

//qd:kernel
func matInPlace(t qd.Thread, x, y []f32.Mat2) {
	var a, s, r f32.Mat2
	b := x[0]
	a[0][0] += b[0][0]
	a[0][1] += 2 * b[0][1]
	a[1][0] += 3 * b[1][0]
	a[1][1] += 4 * b[1][1]
	s[0][0] -= b[0][0]
	s[0][1] -= 2 * b[0][1]
	s[1][0] -= 3 * b[1][0]
	s[1][1] -= 4 * b[1][1]
	r[0] = r[0].Add(b[0])
	r[1] = r[1].Sub(b[1].Scale(2))
	y[0], y[1], y[2] = a, s, r
}

//qd:kernel
func matArrayInPlace(t qd.Thread, x, sum, difference []f32.Mat2) {
	i := t.ID()
	sum[i] = sum[i].Add(x[i])
	difference[i] = difference[i].Sub(x[i])
}

//qd:kernel
func scalarMatDiv(t qd.Thread, x, y []f32.Mat2) {
	i := t.ID()
	y[i] = f32.Mat2Splat(1).DivElem(x[i])
}

//qd:kernel
func matRowsAssigned(t qd.Thread, out []f32.Mat3x2) {
	m := f32.Mat3x2FromRows(f32.Vec2{1, 2}, f32.Vec2{3, 4}, f32.Vec2{5, 6})
	m[0] = f32.Vec2{123, 234}
	m[1] = m[1].Scale(2)
	out[0] = m
	m[len(m)-1] = f32.Vec2{123, 234}
	m[len(m)-2] = m[1].Scale(2)
	out[1] = m
	m[0][0] = 345
	m[1][0] *= 2
	m[len(m)-1][len(m[0])-1] = 345
	m[len(m)-2][len(m[0])-1] *= 2
	out[2] = m
}

//qd:kernel
func matColsAssigned(t qd.Thread, out []f32.Mat2x3) {
	m := f32.Mat2x3FromCols(f32.Vec2{1, 2}, f32.Vec2{3, 4}, f32.Vec2{5, 6})
	m[0] = f32.Vec3{123, 234, 345}
	m[1] = m[1].Scale(2)
	out[0] = m
	out[1] = m.WithCol(0, f32.Vec2{456, 246}).WithRow(1, f32.Vec3{246, 234, 345})
}

// A matSlices has parts of a matrix.
type matSlices struct {
	TopLeft, BottomRight, Crossed f32.Mat2
	Tail                          f32.Mat3x4
	Right                         f32.Mat4x2
	Head, Back                    f32.Vec3
	Column                        f32.Vec2
	Reversed                      f32.Vec4
}

//qd:kernel
func matSlicing(t qd.Thread, out []matSlices) {
	m := f32.Mat4{{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}, {13, 14, 15, 16}}
	var right f32.Mat4x2
	for i := range m {
		right[i] = m[i].ZW()
	}
	out[0] = matSlices{
		TopLeft:     f32.Mat2{m[0].XY(), m[1].XY()},
		BottomRight: f32.Mat2{m[2].ZW(), m[3].ZW()},
		Crossed:     f32.Mat2{m[3].ZX(), m[1].ZX()},
		Tail:        f32.Mat3x4{m[1], m[2], m[3]},
		Right:       right,
		Head:        m[0].XYZ(),
		Back:        m[3].ZYX(),
		Column:      m.Col(0).XY(),
		Reversed:    m[0].WZYX(),
	}
}

//qd:kernel
func matSlicingAssigned(t qd.Thread, x []f32.Vec2, y []f32.Mat2x3, out []f32.Mat4) {
	i := t.ID()
	z := out[i]
	z[0][0], z[0][1] = x[i][0], x[i][1]
	for r := range 2 {
		for c := range 3 {
			z[r][1+c] = y[i][r][c]
		}
	}
	z = z.WithCol(3, z.Col(3).Add(f32.Vec4{x[i][0], x[i][1], 0, 0}))
	for r := range 2 {
		for c := range 2 {
			z[1+r][c] += y[i][1-r][c]
		}
	}
	z = z.WithCol(3, z.Col(3).Sub(f32.Vec4{0, 0, x[i][0], x[i][1]}))
	z[3][3] -= y[i][0][0]
	out[i] = z
}

//qd:kernel
func matAssignCopy(t qd.Thread, y []f32.Vec2, out []f32.Mat2, rest []f32.Vec2) {
	var a f32.Mat2
	row := y[0]
	a[0] = row
	a[0][1] = 3
	out[0], rest[0] = a, row
}

//qd:kernel
func matConstruct[
	V2 vec2[V2, T], V3 vec3[V3, T], V4 vec4[V4, T], V5 vec5[V5, T],
	M2 mat2[M2, V2, T], M3 mat3[M3, V3, T], M4 mat4[M4, V4, T], M5 mat5[M5, V5, T],
	M23 mat23[M23, V3, M32, M3, T], M32 mat32[M32, V2, M23, M2, V3, T], T qd.Number,
](t qd.Thread, f qd.Const[matMakers[V2, V3, V4, V5, M2, M3, M4, M5, M23, M32, T]], in []T, out []matrices[M2, M3, M4, M5, M23, M32]) {
	type mats = matrices[M2, M3, M4, M5, M23, M32]
	var zero mats
	out[0] = zero
	out[1] = mats{f.V.Splat2(in[0]), f.V.Splat3(in[0]), f.V.Splat4(in[0]), f.V.Splat5(in[0]), f.V.Splat23(in[0]), f.V.Splat32(in[0])}
	out[2] = mats{f.V.Identity2(), f.V.Identity3(), f.V.Identity4(), f.V.Identity5(), M23{}, M32{}}
	a, b, c := V3{in[0], in[1], in[2]}, V3{in[3], in[4], in[5]}, V3{in[6], in[7], in[8]}
	out[3] = mats{
		M2:  M2{{in[0], in[1]}, {in[2], in[3]}},
		M3:  f.V.Rows3(a, b, c),
		M23: f.V.Rows23(a, b),
		M32: f.V.Cols32(a, b),
		M5:  f.V.Diag5(V5{in[0], in[1], in[2], in[3], in[4]}),
	}
	out[4] = mats{
		M2: f.V.Cols2(V2{in[0], in[1]}, V2{in[2], in[3]}),
		M3: f.V.Cols3(a, b, c),
	}
}

//qd:kernel
func matIndexed[V2 ~[2]T, V4 ~[4]T, M2 ~[2]V2, M3 any, M4 ~[4]V4, M5, M23, M32 any, T qd.Number](t qd.Thread, m []matrices[M2, M3, M4, M5, M23, M32], out []T) {
	n := 0
	for i := range qd.Dynamic(2) {
		for j := range qd.Dynamic(2) {
			out[n] = 2 * m[0].M2[i][j]
			n++
		}
	}
	a := m[0].M4
	for i := range qd.Dynamic(4) {
		for j := range qd.Dynamic(4) {
			out[n] = 2 * a[i][j]
			n++
		}
	}
}

//qd:kernel
func matEquivalent(t qd.Thread, a f32.Mat2, b f32.Mat2, c [2][2]float32, d f32.Mat2, out []bool) {
	out[0] = a == b
	out[1] = a == f32.Mat2{f32.Vec2(c[0]), f32.Vec2(c[1])}
	out[2] = a == d
	out[3] = a == f32.Mat2From(i32.Mat2{{1, 2}, {3, 4}})
}

// skew is the matrix that multiplies by a vector as the cross product does.
func skew[M ~[3]V, V ~[3]T, T qd.Number](v V) M {
	return M{{0, -v[2], v[1]}, {v[2], 0, -v[0]}, {-v[1], v[0], 0}}
}

//qd:kernel
func skewed(t qd.Thread, v, w []f32.Vec3, out []f32.Vec3) {
	i := t.ID()
	out[i] = skew[f32.Mat3](v[i]).MulVec(w[i]).Sub(v[i].Cross(w[i]))
}

//qd:kernel
func outerProducts[V2, V3, V4, V5, M2, M3, M4, M5, M23, M32, T any](
	t qd.Thread, f qd.Const[matMakers[V2, V3, V4, V5, M2, M3, M4, M5, M23, M32, T]],
	a, b []vectors[V2, V3, V4, V5], out []matrices[M2, M3, M4, M5, M23, M32],
) {
	i := t.ID()
	v, w := a[i], b[i]
	out[i] = matrices[M2, M3, M4, M5, M23, M32]{
		f.V.Outer2(v.V2, w.V2), f.V.Outer3(v.V3, w.V3), f.V.Outer4(v.V4, w.V4), f.V.Outer5(v.V5, w.V5),
		f.V.Outer23(v.V2, w.V3), f.V.Outer32(v.V3, w.V2),
	}
}
