package peers

import (
	"math"

	"github.com/qdgen/qd"
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

// launchDeterminants launches the kernel over the operands of a type.
func launchDeterminants[T qd.Number](c *check) (m []matrices[T], out [][3]T) {
	c.Helper()
	m, _, _ = matOperands[T]()
	out = make([][3]T, len(m))
	c.launch(determinants[T], len(m), m, out)
	return m, out
}

// intDeterminants compares determinants of integers, which wrap.
func intDeterminants[T qd.Int](c *check) {
	c.Helper()
	m, out := launchDeterminants[T](c)
	for i := range out {
		for k := range 3 {
			equal(c, out[i][k], detOf(m[i].each()[k]))
		}
	}
}

func floatDeterminants[T qd.Float](c *check) {
	c.Helper()
	m, out := launchDeterminants[T](c)
	for i := range out {
		for k, n := range []int{2, 3, 4} {
			g := gridOf(n, n, func(r, s int) float64 { return float64(m[i].each()[k][r][s]) })
			if diff, tol := math.Abs(float64(out[i][k])-detOf(g)), 64*epsilon[T]()*math.Pow(math.Sqrt(float64(n))*largest(g), float64(n)); !(diff <= tol) {
				c.Errorf("the determinant of %v is %v, want %v", g, out[i][k], detOf(g))
			}
		}
	}
}

func qrsOf[T qd.Float](c *check) {
	c.Helper()
	in := inputsOf[qd.Mat3x3[T]](3)
	out := make([]qr[qd.Mat3x3[T]], len(in))
	c.launch(qrs[T], len(in), in, out)
	for i, f := range out {
		m := gridFrom(in[i])
		nearUnit(c, "q", gridFrom(f.Q), 16*epsilon[T]())
		nearGrid(c, "q r", times(gridFrom(f.Q), gridFrom(f.R)), m, bound[T](16, m))
		equal(c, [3]T{f.R[1][0], f.R[2][0], f.R[2][1]}, [3]T{})
	}
}

func eigensOf[T qd.Float](c *check) {
	c.Helper()
	in := inputsOf[qd.Mat3x3[T]](3)
	out := make([]eigen[qd.Mat3x3[T], qd.Vec3[T]], len(in))
	c.launch(eigens[T], len(in), in, out)
	for i, e := range out {
		m := gridFrom(in[i].Add(in[i].Transpose()))
		q := gridFrom(e.Q)
		nearUnit(c, "the eigenvectors", q, 32*epsilon[T]())
		nearGrid(c, "q w qᵀ", times(times(q, diagonal(numbers(e.W[:])...)), transposed(q)), m, bound[T](32, m))
		if !(e.W[0] <= e.W[1] && e.W[1] <= e.W[2]) {
			c.Errorf("the eigenvalues are %v", e.W)
		}
	}
}

func svd2Edges[T qd.Float](c *check) {
	c.Helper()
	tol := T(epsilon[T]())
	in := append(inputsOf[qd.Mat2x2[T]](2),
		qd.Mat2x2[T]{{1, 0}, {0, 0}}, qd.Mat2x2[T]{{0, 0}, {0, 2}}, qd.Mat2x2[T]{{1, 1}, {-1, -1}}, qd.Mat2x2[T]{{3, 0}, {4, 5}}, qd.Mat2x2[T]{{1 + tol, tol}, {-tol, 1 - tol}})
	out := make([]svd[qd.Mat2x2[T], qd.Vec2[T]], len(in))
	c.launch(svds2[T], len(in), in, out)
	for i, r := range out {
		decomposed[T](c, gridFrom(in[i]), gridFrom(r.U), numbers(r.S[:]), gridFrom(r.V), gridFrom(r.Product))
	}
}

func transformsOf[T qd.Float](c *check) {
	c.Helper()
	for _, m := range []qd.Mat4x4[T]{
		{{1, 2, 3, 4}, {-5, 6, 7, 8}, {9, -10, 11, 12}, {0, 0, 0, 1}},
		{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, -2}, {0, 0, 0.5, 2}},
	} {
		v := []qd.Vec3[T]{{1, 2, 3}, {-0.5, 0, 4}}
		points, vectors := make([]qd.Vec3[T], 2), make([]qd.Vec3[T], 2)
		c.launch(transforms[T], 2, m, v, points, vectors)
		for i := range v {
			point := times(gridFrom(m), column([]float64{float64(v[i][0]), float64(v[i][1]), float64(v[i][2]), 1}))
			vector := times(gridFrom(m), column([]float64{float64(v[i][0]), float64(v[i][1]), float64(v[i][2]), 0}))
			for k := range 3 {
				near(c, points[i][k], point[k][0]/point[3][0], 8*epsilon[T]())
				near(c, vectors[i][k], vector[k][0], 8*epsilon[T]())
			}
		}
	}
}

func composesOf[T qd.Float](c *check) {
	c.Helper()
	out := make([]qd.Mat4x4[T], 2)
	r := qd.QuatFromAxisAngle(qd.Vec3[T]{1, -2, 0.5}, 1.1)
	c.launch(composes[T], 1, qd.Vec3[T]{1, 2, 3}, r, qd.Vec3[T]{0.5, 2, 3}, out)
	nearGrid(c, "the composition", gridFrom(out[0]), gridFrom(out[1]), 16*epsilon[T]())
}

// warpMatLinalg are the rest of test_mat.py.
var warpMatLinalg = []peerCase{
	{"test_mat.py: test_determinant", "determinants of 2x2 to 4x4", "of integers exactly, where they wrap too", func(c *check) {
		intDeterminants[int8](c)
		intDeterminants[uint64](c)
		intDeterminants[int32](c)
		floatDeterminants[float32](c)
		floatDeterminants[float64](c)
	}},
	{"test_mat.py: test_inverse", "inverses of 2x2 to 4x4", "", func(c *check) { invertsSizes[float32](c); invertsSizes[float64](c) }},
	{"test_mat.py: test_svd", "decompositions of 3x3", "singular, mirrored, tiny and huge matrices too", func(c *check) { svds3Of[float32](c); svds3Of[float64](c) }},
	{"test_mat.py: test_svd_2D", "decompositions of 2x2 at the edges", "", func(c *check) { svd2Edges[float32](c); svd2Edges[float64](c) }},
	{"test_mat.py: test_qr", "orthogonal and triangular factors", "", func(c *check) { qrsOf[float32](c); qrsOf[float64](c) }},
	{"test_mat.py: test_eig", "eigenvalues and eigenvectors of symmetric matrices", "the eigenvalues ascend", func(c *check) { eigensOf[float32](c); eigensOf[float64](c) }},
	{"test_mat.py: test_transform_point, test_transform_vector", "points and directions, transformed by a 4x4 matrix", "of a projection the point is divided by its last component", func(c *check) {
		transformsOf[float32](c)
		transformsOf[float64](c)
	}},
	{"test_mat_constructors.py: test_quat_constructor", "a matrix of a translation, a rotation and scales", "Mat4x4Compose", func(c *check) { composesOf[float32](c); composesOf[float64](c) }},
}
