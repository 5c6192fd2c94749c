package peers

import (
	"math"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
	"github.com/qdgen/qd/f64"
)

// detOf is a determinant by the first column's minors.
func detOf[T qd.Number](g grid[T]) (sum T) {
	if len(g) == 1 {
		return g[0][0]
	}
	for i := range g {
		minor := make(grid[T], 0, len(g)-1)
		for k := range g {
			if k != i {
				minor = append(minor, g[k][1:])
			}
		}
		if term := T(g[i][0] * detOf(minor)); i%2 == 0 {
			sum += term
		} else {
			sum -= term
		}
	}
	return sum
}

// launchDeterminants launches the kernel over the operands.
func (f algebra[V2, V3, V4, V5, M2, M3, M4, M5, M23, M32, T]) launchDeterminants(c *check) (m []matrices[M2, M3, M4, M5, M23, M32], out [][3]T) {
	c.Helper()
	m, _, _ = f.matOperands()
	out = make([][3]T, len(m))
	c.launch(determinants[M2, M3, M4, M5, M23, M32, T], len(m), m, out)
	return m, out
}

// intDeterminants compares determinants of integers, which wrap.
func (f algebra[V2, V3, V4, V5, M2, M3, M4, M5, M23, M32, T]) intDeterminants(c *check) {
	c.Helper()
	m, out := f.launchDeterminants(c)
	for i := range out {
		for k := range 3 {
			equal(c, out[i][k], detOf(f.grids(m[i])[k]))
		}
	}
}

// floatDeterminants compares determinants of floats, where eps is the distance from 1 to the
// next number.
func (f algebra[V2, V3, V4, V5, M2, M3, M4, M5, M23, M32, T]) floatDeterminants(c *check, eps float64) {
	c.Helper()
	m, out := f.launchDeterminants(c)
	for i := range out {
		for k, n := range []int{2, 3, 4} {
			g := gridOf(n, n, func(r, s int) float64 { return float64(f.grids(m[i])[k][r][s]) })
			if diff, tol := math.Abs(float64(out[i][k])-detOf(g)), 64*eps*math.Pow(math.Sqrt(float64(n))*largest(g), float64(n)); !(diff <= tol) {
				c.Errorf("the determinant of %v is %v, want %v", g, out[i][k], detOf(g))
			}
		}
	}
}

func qrsOf[M interface{ QR() (q, r M) }, T qd.Float](c *check) {
	c.Helper()
	in := inputsOf[M](3)
	out := make([]qr[M], len(in))
	c.launch(qrs[M], len(in), in, out)
	for i, f := range out {
		m, r := gridFrom(in[i]), gridFrom(f.R)
		nearUnit(c, "q", gridFrom(f.Q), 16*epsilon[T]())
		nearGrid(c, "q r", times(gridFrom(f.Q), r), m, bound[T](16, m))
		equal(c, [3]float64{r[1][0], r[2][0], r[2][1]}, [3]float64{})
	}
}

func eigensOf[M diagonalizable[M, V, T], V qd.Vector[V, T], T qd.Float](c *check) {
	c.Helper()
	in := inputsOf[M](3)
	out := make([]eigen[M, V], len(in))
	c.launch(eigens[M, V, T], len(in), in, out)
	for i, e := range out {
		m := gridFrom(in[i].Add(in[i].Transpose()))
		q, w := gridFrom(e.Q), gridFrom([1]V{e.W})[0]
		nearUnit(c, "the eigenvectors", q, 32*epsilon[T]())
		nearGrid(c, "q w qᵀ", times(times(q, diagonal(w...)), transposed(q)), m, bound[T](32, m))
		if !(w[0] <= w[1] && w[1] <= w[2]) {
			c.Errorf("the eigenvalues are %v", w)
		}
	}
}

func svd2Edges[M decomposable[M, V, T], V qd.Vector[V, T], T qd.Float](c *check, diag func(V) M) {
	c.Helper()
	tol := T(epsilon[T]())
	svdsOf(c, diag, grid[float64]{{1, 0}, {0, 0}}, grid[float64]{{0, 0}, {0, 2}}, grid[float64]{{1, 1}, {-1, -1}}, grid[float64]{{3, 0}, {4, 5}},
		grid[float64]{{float64(1 + tol), float64(tol)}, {float64(-tol), float64(1 - tol)}})
}

func transformsOf[M transformer[V], V ~[3]T, T qd.Float](c *check) {
	c.Helper()
	for _, g := range []grid[float64]{
		{{1, 2, 3, 4}, {-5, 6, 7, 8}, {9, -10, 11, 12}, {0, 0, 0, 1}},
		{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, -2}, {0, 0, 0.5, 2}},
	} {
		v := []V{{1, 2, 3}, {-0.5, 0, 4}}
		points, vectors := make([]V, 2), make([]V, 2)
		c.launch(transforms[M, V], 2, matrixFrom[M](g), v, points, vectors)
		for i := range v {
			point := times(g, column([]float64{float64(v[i][0]), float64(v[i][1]), float64(v[i][2]), 1}))
			vector := times(g, column([]float64{float64(v[i][0]), float64(v[i][1]), float64(v[i][2]), 0}))
			for k := range 3 {
				near(c, points[i][k], point[k][0]/point[3][0], 8*epsilon[T]())
				near(c, vectors[i][k], vector[k][0], 8*epsilon[T]())
			}
		}
	}
}

func composesOf[V3 ~[3]T, V4, Q, M3, M4 any, T qd.Float](c *check, kernel any, turned func(axis V3, angle T) Q, f composers[V3, V4, Q, M3, M4]) {
	c.Helper()
	out := make([]M4, 2)
	c.launch(kernel, 1, qd.C(f), V3{1, 2, 3}, turned(V3{1, -2, 0.5}, 1.1), V3{0.5, 2, 3}, out)
	nearGrid(c, "the composition", gridFrom(out[0]), gridFrom(out[1]), 16*epsilon[T]())
}

// warpMatLinalg are the rest of test_mat.py.
var warpMatLinalg = []peerCase{
	{"test_mat.py: test_determinant", "determinants of 2x2 to 4x4", "of integers exactly, where they wrap too", func(c *check) {
		int8Algebra.intDeterminants(c)
		uint64Algebra.intDeterminants(c)
		int32Algebra.intDeterminants(c)
		float32Algebra.floatDeterminants(c, epsilon[float32]())
		float64Algebra.floatDeterminants(c, epsilon[float64]())
	}},
	{"test_mat.py: test_inverse", "inverses of 2x2 to 4x4", "", invertsSizes},
	{"test_mat.py: test_svd", "decompositions of 3x3", "singular, mirrored, tiny and huge matrices too", svds3},
	{"test_mat.py: test_svd_2D", "decompositions of 2x2 at the edges", "", func(c *check) { svd2Edges(c, f32.Mat2Diag); svd2Edges(c, f64.Mat2Diag) }},
	{"test_mat.py: test_qr", "orthogonal and triangular factors", "", func(c *check) { qrsOf[f32.Mat3, float32](c); qrsOf[f64.Mat3, float64](c) }},
	{"test_mat.py: test_eig", "eigenvalues and eigenvectors of symmetric matrices", "the eigenvalues ascend", func(c *check) { eigensOf[f32.Mat3](c); eigensOf[f64.Mat3](c) }},
	{"test_mat.py: test_transform_point, test_transform_vector", "points and directions, transformed by a 4x4 matrix", "of a projection the point is divided by its last component", func(c *check) {
		transformsOf[f32.Mat4, f32.Vec3](c)
		transformsOf[f64.Mat4, f64.Vec3](c)
	}},
	{"test_mat_constructors.py: test_quat_constructor", "a matrix of a translation, a rotation and scales", "Mat4Compose", func(c *check) {
		composesOf(c, composes[f32.Vec3, f32.Vec4, f32.Mat3, f32.Quat, f32.Mat4], f32.QuatFromAxisAngle, composers[f32.Vec3, f32.Vec4, f32.Quat, f32.Mat3, f32.Mat4]{f32.Quat.Mat3, f32.Mat4Compose, f32.Mat4FromCols})
		composesOf(c, composes[f64.Vec3, f64.Vec4, f64.Mat3, f64.Quat, f64.Mat4], f64.QuatFromAxisAngle, composers[f64.Vec3, f64.Vec4, f64.Quat, f64.Mat3, f64.Mat4]{f64.Quat.Mat3, f64.Mat4Compose, f64.Mat4FromCols})
	}},
}
