package peers

import (
	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
	"github.com/qdgen/qd/i32"
)

// Kernels for test_linalg.py, test_svd.py and test_matrix_solve.py of Quadrants and
// Taichi.

//qd:kernel
func constInit(t qd.Thread, a []i32.Mat2x3, b []i32.Vec3) {
	a[0] = i32.Mat2x3{{0, 1, 2}, {3, 4, 5}}
	b[0] = i32.Vec3{0, 1, 2}
}

// A basics has what test_basic_utils computes.
type basics struct {
	Outer              f32.Mat3x2
	Norm, NormSq, Inv  float32
	Normalized         f32.Vec3
	Cross3             f32.Vec3
	Cross2, Dot3, Dot2 float32
}

//qd:kernel
func basicUtils(t qd.Thread, a []f32.Vec3, b []f32.Vec2, a3, b3 f32.Vec3, a2, b2 f32.Vec2, out []basics) {
	out[0] = basics{
		Outer:      f32.Mat3x2Outer(a[0], b[0]),
		Norm:       a[0].Norm(),
		NormSq:     a[0].NormSq(),
		Inv:        1 / a[0].Norm(),
		Normalized: a[0].Normalize(),
		Cross3:     a3.Cross(b3),
		Cross2:     a2.Cross(b2),
		Dot3:       a3.Dot(b3),
		Dot2:       a2.Dot(b2),
	}
}

//qd:kernel
func frobenius[T qd.Float](t qd.Thread, a3, b3 []qd.Mat3x3[T], a24, b24 []qd.Mat2x4[T], a12, b12 []Mat12x12[T], out []T) {
	out[0], out[1] = a3[0].Frobenius(b3[0]), a3[0].Frobenius(a3[0])
	out[2], out[3] = a24[0].Frobenius(b24[0]), a12[0].Frobenius(b12[0])
}

//qd:kernel
func matChain[T qd.Float](t qd.Thread, a []qd.Mat3x4[T], b []qd.Mat4x4[T], c []qd.Mat4x3[T], ab []qd.Mat3x4[T], chained, staged []qd.Mat3x3[T]) {
	chained[0] = qd.Mat3x4Mul4x3(a[0].Mul(b[0]), c[0])
	ab[0] = a[0].Mul(b[0])
	staged[0] = qd.Mat3x4Mul4x3(ab[0], c[0])
}

//qd:kernel
func matChainLarge(t qd.Thread, a, b, c, out []Mat12x12[float64]) {
	i := t.ID()
	out[i] = a[i].Mul(b[i]).Mul(c[i])
}

//qd:kernel
func transposesInPlace(t qd.Thread, m []f32.Mat3) { m[0] = m[0].Transpose() }

// A polar has a matrix's decomposition, with its product.
type polar[M any] struct{ R, S, Product M }

//qd:kernel
func polars[T qd.Float](t qd.Thread, m2 []qd.Mat2x2[T], m3 []qd.Mat3x3[T], out2 []polar[qd.Mat2x2[T]], out3 []polar[qd.Mat3x3[T]]) {
	i := t.ID()
	r2, s2 := m2[i].Polar()
	out2[i] = polar[qd.Mat2x2[T]]{r2, s2, r2.Mul(s2)}
	r3, s3 := m3[i].Polar()
	out3[i] = polar[qd.Mat3x3[T]]{r3, s3, r3.Mul(s3)}
}

//qd:kernel
func matIncrements(g qd.Grid, x []i32.Mat2) {
	g.For(len(x), func(i int) {
		delta := i32.Mat2{{3, 0}, {0, 0}}
		x[i][1][1] = x[i][0][0] + 1
		x[i] = x[i].Add(delta)
		x[i] = x[i].Add(delta)
	})
}

//qd:kernel
func inverses[T qd.Float](t qd.Thread, m2 []qd.Mat2x2[T], m3 []qd.Mat3x3[T], m4 []qd.Mat4x4[T]) {
	i := t.ID()
	m2[i] = m2[i].Inverse()
	m3[i] = m3[i].Inverse()
	m4[i] = m4[i].Inverse()
}

//qd:kernel
func inverses5[T qd.Float](t qd.Thread, m, out []Mat5x5[T]) {
	i := t.ID()
	out[i] = m[i].Inverse()
}

//qd:kernel
func inverses12[T qd.Float](t qd.Thread, m, out []Mat12x12[T]) {
	i := t.ID()
	out[i] = m[i].Inverse()
}

//qd:kernel
func matFactories(t qd.Thread, a []i32.Vec3, b []f32.Mat2, c []f32.Mat2x3) {
	b[0] = f32.Mat2Identity()
	b[1] = f32.Mat2Rotation(3.14159265358979 / 3)
	c[0] = f32.Mat2x3{}
	c[1] = f32.Mat2x3Splat(1)
	for i := range qd.Static(3) {
		a[i] = i32.Vec3Unit(i)
	}
}

//qd:kernel
func matFromVectors(t qd.Thread, out []f32.Mat3) {
	a, b, c := f32.Vec3{1, 4, 7}, f32.Vec3{2, 5, 8}, f32.Vec3{3, 6, 9}
	out[0], out[1] = f32.Mat3FromRows(a, b, c), f32.Mat3FromCols(a, b, c)
	out[2] = f32.Mat3{{1, 4, 7}, {2, 5, 8}, {3, 6, 9}}
}

//qd:kernel
func anyAll(t qd.Thread, a []i32.Mat2, anyOf, allOf []bool, most, least []int32) {
	i := t.ID()
	mask := a[i].NotEqual(i32.Mat2{})
	anyOf[i], allOf[i] = mask.Any(), mask.All()
	most[i], least[i] = a[i].MaxElem(), a[i].MinElem()
}

//qd:kernel
func listAssign(t qd.Thread, m qd.View3[i32.Mat2], v qd.View3[i32.Vec2]) {
	m.Set(1, 0, 0, i32.Mat2{{1, 2}, {3, 4}})
	v.Set(1, 0, 0, i32.Vec2{5, 6})
	m.Set(1, 0, 0, m.At(1, 0, 0).Add(i32.Mat2{{1, 2}, {3, 4}}))
	v.Set(1, 0, 0, v.At(1, 0, 0).Add(i32.Vec2{5, 6}))
}

//qd:kernel
func accessors(t qd.Thread, u []i32.Vec2, v []i32.Vec4) {
	u[1][0] = 8 * u[1].Y()
	v[1][2] = 1 - v[1].W()
	v[1][0] = 6
}

//qd:kernel
func diagonals(t qd.Thread, x float32, out []f32.Mat3) {
	out[0] = f32.Mat3Diag(f32.Vec3Splat(x))
	out[1] = f32.Mat3Identity().Scale(x)
}

//qd:kernel
func precision(t qd.Thread, u float64, out []float64) {
	out[0] = qd.Sqrt(u + 3.25)
	out[1] = (u + 7) / (u + 3)
}

// An svd has a decomposition and its product.
type svd[M, V any] struct {
	U       M
	S       V
	V       M
	Product M
}

//qd:kernel
func svds2[T qd.Float](t qd.Thread, a []qd.Mat2x2[T], out []svd[qd.Mat2x2[T], qd.Vec2[T]]) {
	i := t.ID()
	u, s, v := a[i].SVD()
	out[i] = svd[qd.Mat2x2[T], qd.Vec2[T]]{u, s, v, u.Mul(qd.Mat2x2Diag(s)).Mul(v.Transpose())}
}

//qd:kernel
func svds3[T qd.Float](t qd.Thread, a []qd.Mat3x3[T], out []svd[qd.Mat3x3[T], qd.Vec3[T]]) {
	i := t.ID()
	u, s, v := a[i].SVD()
	out[i] = svd[qd.Mat3x3[T], qd.Vec3[T]]{u, s, v, u.Mul(qd.Mat3x3Diag(s)).Mul(v.Transpose())}
}

// rotationOf is the rotation that is closest to a matrix: where the decomposition's u
// mirrors, its column of the least singular value is turned.
func rotationOf[T qd.Float](m qd.Mat3x3[T]) qd.Mat3x3[T] {
	u, _, v := m.SVD()
	r := u.Mul(v.Transpose())
	if r.Det() < 0 {
		r = u.WithCol(2, u.Col(2).Neg()).Mul(v.Transpose())
	}
	return r
}

//qd:kernel
func closestRotations[T qd.Float](t qd.Thread, a, out []qd.Mat3x3[T]) {
	i := t.ID()
	out[i] = rotationOf(a[i])
}

//qd:kernel
func solves[T qd.Float](t qd.Thread, x2 []qd.Vec2[T], x3 []qd.Vec3[T], ok []bool) {
	i := t.ID()
	a00 := T(i)
	m2, m3 := qd.Mat2x2[T]{{a00, 1}, {1, 1.001}}, qd.Mat3x3[T]{{a00, 2, -4}, {2, 3, 3}, {5, -3, 1}}
	x, ok2 := m2.Solve(qd.Vec2[T]{3, 15})
	y, ok3 := m3.Solve(qd.Vec3[T]{3, 15, 14})
	x2[i], x3[i], ok[i] = x, y, ok2 && ok3
}
