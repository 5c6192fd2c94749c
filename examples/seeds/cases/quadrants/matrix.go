package quadrants

import (
	"fmt"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
	"github.com/qdgen/qd/f64"
	"github.com/qdgen/qd/i32"
)

//qd:kernel
func literals(t qd.Thread, vs []f32.Vec4, ms []f64.Mat2x3) {
	v := f32.Vec4{1, 2, 3}
	v[3] = v[0] + v[2]
	m := f64.Mat2x3{{1, 2, 3}, {4, 5, 6}}
	m[1][0], m[0] = m[0][2], f64.Vec3{7, 8, 9}
	vs[0], ms[0] = v, m
}

// Literals makes a vector and a rectangular matrix in a kernel, and reads and writes elements and rows.
func Literals() {
	vs, ms := make([]f32.Vec4, 1), make([]f64.Mat2x3, 1)
	check(qd.Launch(literals, qd.Dim(1), vs, ms))
	fmt.Println(vs, ms)
	// Output:
	// [[1 2 3 4]] [[[7 8 9] [3 5 6]]]
}

//qd:kernel
func column(t qd.Thread, m f32.Mat3, out []f32.Vec3) {
	out[0] = m.Col(1)
	out[1] = m.MulVec(f32.Vec3Unit(1)) // a vector is what a matrix of one column is
}

// ColumnMatrix reads the column of a matrix, which is a vector.
func ColumnMatrix() {
	out := make([]f32.Vec3, 2)
	check(qd.Launch(column, qd.Dim(1), f32.Mat3{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, out))
	fmt.Println(out)
	// Output:
	// [[2 5 8] [2 5 8]]
}

// twist is a function with vectors and matrices for its parameters and results.
func twist(m f32.Mat2, v f32.Vec2) (f32.Vec2, f32.Mat2) { return m.MulVec(v), m.Transpose() }

//qd:kernel
func parameters(t qd.Thread, m f32.Mat2, vs []f32.Vec2, ms qd.View2[f32.Mat2]) {
	i, j := t.ID2()
	v, n := twist(m, vs[i])
	vs[i] = v
	ms.Set(i, j, n)
}

// Parameters has vectors and matrices as parameters of kernels and functions, alone and in arrays of one and
// two dimensions.
func Parameters() {
	vs := qd.From(device(), []f32.Vec2{{1, 2}, {3, 4}})
	ms := qd.Zeros[f32.Mat2](device(), 2, 1)
	check(qd.Launch(parameters, qd.Dim(2, 1), f32.Mat2{{0, 1}, {2, 0}}, vs, ms))
	fmt.Println(vs.Slice(), ms.Slice())
	// Output:
	// [[2 2] [4 6]] [[[0 2] [1 0]] [[0 2] [1 0]]]
}

//qd:kernel
func elementwise(t qd.Thread, a, b f32.Vec3, m f32.Mat2, out []f32.Vec3, outM []f32.Mat2, outI []i32.Vec2) {
	out[0], out[1], out[2], out[3] = a.Add(b), a.Sub(b), a.Mul(b), a.Div(b)
	out[4], out[5] = a.Scale(2).Neg(), a.Max(b).AddScalar(0.5)
	outM[0], outM[1] = m.MulElem(m), m.Add(m).Scale(0.5)
	outI[0] = i32.Vec2{7, -7}.Div(i32.Vec2{2, 2})
}

// Elementwise has the arithmetic of elements.
func Elementwise() {
	out, outM, outI := make([]f32.Vec3, 6), make([]f32.Mat2, 2), make([]i32.Vec2, 1)
	check(qd.Launch(elementwise, qd.Dim(1), f32.Vec3{1, 2, 3}, f32.Vec3{4, 1, 2}, f32.Mat2{{1, 2}, {3, 4}}, out, outM, outI))
	fmt.Println(out)
	fmt.Println(outM, outI)
	// Output:
	// [[5 3 5] [-3 1 1] [4 2 6] [0.25 2 1.5] [-2 -4 -6] [4.5 2.5 3.5]]
	// [[[1 4] [9 16]] [[1 2] [3 4]]] [[3 -3]]
}

//qd:kernel
func products(t qd.Thread, a, b f32.Vec3, m f32.Mat3, out []f32.Vec3, outM []f32.Mat3, numbers []float32) {
	numbers[0], numbers[1] = a.Dot(b), m.Frobenius(m)
	out[0], out[1], out[2] = a.Cross(b), m.MulVec(a), m.TMulVec(a)
	outM[0], outM[1], outM[2] = f32.Mat3Outer(a, b), m.Mul(m), m.Transpose()
}

// Products has the products of vectors and matrices.
func Products() {
	out, outM, numbers := make([]f32.Vec3, 3), make([]f32.Mat3, 3), make([]float32, 2)
	m := f32.Mat3{{1, 2, 0}, {0, 1, 0}, {3, 0, 1}}
	check(qd.Launch(products, qd.Dim(1), f32.Vec3{1, 2, 3}, f32.Vec3{4, 5, 6}, m, out, outM, numbers))
	fmt.Println(numbers, out)
	fmt.Println(outM)
	// Output:
	// [32 16] [[-3 6 -3] [5 2 6] [10 4 3]]
	// [[[4 5 6] [8 10 12] [12 15 18]] [[1 4 0] [0 1 0] [6 6 1]] [[1 0 3] [2 1 0] [0 0 1]]]
}

//qd:kernel
func scalars(t qd.Thread, v f64.Vec2, m f64.Mat3, out []float64) {
	out[0], out[1], out[2] = v.Norm(), v.NormSq(), v.Normalize().X()
	out[3], out[4] = m.Det(), m.Trace()
	out[5] = m.Inverse()[1][1]
	out[6], out[7] = v.Sum(), v.MaxElem()
}

// Scalars has norms, the determinant, the trace, and an inverse.
func Scalars() {
	out := make([]float64, 8)
	check(qd.Launch(scalars, qd.Dim(1), f64.Vec2{3, 4}, f64.Mat3{{2, 0, 0}, {0, 4, 0}, {1, 0, 1}}, out))
	fmt.Println(out)
	// Output:
	// [5 25 0.6000000000000001 8 7 0.25 7 4]
}

//qd:kernel
func solve(t qd.Thread, m f64.Mat2, b []f64.Vec2, ok []bool) {
	i := t.ID()
	b[i], ok[i] = m.Solve(b[i])
}

// Solve solves systems of equations, one in each thread, and says where there is no solution.
func Solve() {
	for _, m := range []f64.Mat2{{{0, 2}, {1, 0}}, {{1, 2}, {2, 4}}} {
		b, ok := []f64.Vec2{{4, 3}, {1, 0}}, make([]bool, 2)
		check(qd.Launch(solve, qd.Dim(2), m, b, ok))
		if ok[0] {
			fmt.Println(b)
		}
		fmt.Println(ok)
	}
	// Output:
	// [[3 2] [0 0.5]]
	// [true true]
	// [false false]
}

//qd:kernel
func decompose(t qd.Thread, m f64.Mat3, s f64.Mat2, out []float64, singular []f64.Vec3, eigen []f64.Vec2) {
	u, sigma, v := m.SVD()
	singular[0] = sigma
	out[0] = u.Mul(f64.Mat3Diag(sigma)).Mul(v.Transpose()).Sub(m).Frobenius(f64.Mat3Splat(1))
	r, p := m.Polar()
	out[1] = r.Mul(p).Sub(m).Frobenius(f64.Mat3Splat(1))
	w, q := s.SymEig()
	eigen[0] = w
	out[2] = q.Mul(f64.Mat2Diag(w)).Mul(q.Transpose()).Sub(s).Frobenius(f64.Mat2Splat(1))
}

// Decompositions has the singular values of a matrix, its polar decomposition, and the eigenvalues of a symmetric
// matrix; the factors multiply to the matrix again.
func Decompositions() {
	out, singular, eigen := make([]float64, 3), make([]f64.Vec3, 1), make([]f64.Vec2, 1)
	check(qd.Launch(decompose, qd.Dim(1), f64.Mat3{{0, -3, 0}, {2, 0, 0}, {0, 0, 1}}, f64.Mat2{{2, 1}, {1, 2}}, out, singular, eigen))
	for _, rest := range out {
		fmt.Print(qd.Abs(rest) < 1e-12, " ")
	}
	fmt.Printf("%.6f %.6f\n", singular, eigen)
	// Output:
	// true true true [[3.000000 2.000000 1.000000]] [[1.000000 3.000000]]
}
