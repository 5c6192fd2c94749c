package peers

import (
	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
	"github.com/qdgen/qd/i32"
	"github.com/qdgen/qd/internal/gentest/testdata/bigtypes/big64"
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
func frobenius[M qd.Matrix[M, R, T], R qd.Vector[R, T], T qd.Float](t qd.Thread, a, b []M, out []T) {
	out[0], out[1] = a[0].Frobenius(b[0]), a[0].Frobenius(a[0])
}

//qd:kernel
func matChain[A interface{ Mul(B) A }, B, C, M any](t qd.Thread, mul qd.Const[func(A, C) M], a []A, b []B, c []C, ab []A, chained, staged []M) {
	chained[0] = mul.V(a[0].Mul(b[0]), c[0])
	ab[0] = a[0].Mul(b[0])
	staged[0] = mul.V(ab[0], c[0])
}

//qd:kernel
func matChainLarge(t qd.Thread, a, b, c, out []big64.Mat12x12) {
	i := t.ID()
	out[i] = a[i].Mul(b[i]).Mul(c[i])
}

//qd:kernel
func transposesInPlace(t qd.Thread, m []f32.Mat3) { m[0] = m[0].Transpose() }

// A polar has a matrix's decomposition, with its product.
type polar[M any] struct{ R, S, Product M }

// A withPolar matrix has a polar decomposition.
type withPolar[M any] interface {
	Polar() (r, p M)
	Mul(M) M
}

//qd:kernel
func polars[M withPolar[M]](t qd.Thread, m []M, out []polar[M]) {
	i := t.ID()
	r, s := m[i].Polar()
	out[i] = polar[M]{r, s, r.Mul(s)}
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
func inverses[M qd.SquareMatrix[M, R, T], R qd.Vector[R, T], T qd.Float](t qd.Thread, m []M) {
	i := t.ID()
	m[i] = m[i].Inverse()
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

// A decomposable matrix has singular values, of type V.
type decomposable[M, V any, T qd.Float] interface {
	qd.SquareMatrix[M, V, T]
	SVD() (u M, s V, v M)
}

//qd:kernel
func svds[M decomposable[M, V, T], V qd.Vector[V, T], T qd.Float](t qd.Thread, diag qd.Const[func(V) M], a []M, out []svd[M, V]) {
	i := t.ID()
	u, s, v := a[i].SVD()
	out[i] = svd[M, V]{u, s, v, u.Mul(diag.V(s)).Mul(v.Transpose())}
}

// rotationOf is the rotation that is closest to a matrix: where the decomposition's u
// mirrors, its column of the least singular value is turned.
func rotationOf[M decomposable[M, V, T], V qd.Vector[V, T], T qd.Float](m M) M {
	u, _, v := m.SVD()
	r := u.Mul(v.Transpose())
	if r.Det() < 0 {
		last := len(m) - 1
		r = u.WithCol(last, u.Col(last).Neg()).Mul(v.Transpose())
	}
	return r
}

//qd:kernel
func closestRotations[M decomposable[M, V, T], V qd.Vector[V, T], T qd.Float](t qd.Thread, a, out []M) {
	i := t.ID()
	out[i] = rotationOf(a[i])
}

//qd:kernel
func solves[
	M2 interface {
		~[2]V2
		Solve(V2) (V2, bool)
	},
	V2 ~[2]T,
	M3 interface {
		~[3]V3
		Solve(V3) (V3, bool)
	},
	V3 ~[3]T, T qd.Float,
](t qd.Thread, m2 []M2, m3 []M3, x2 []V2, x3 []V3, ok []bool) {
	i := t.ID()
	a00 := T(i)
	m2[i], m3[i] = M2{{a00, 1}, {1, 1.001}}, M3{{a00, 2, -4}, {2, 3, 3}, {5, -3, 1}}
	x, ok2 := m2[i].Solve(V2{3, 15})
	y, ok3 := m3[i].Solve(V3{3, 15, 14})
	x2[i], x3[i], ok[i] = x, y, ok2 && ok3
}
