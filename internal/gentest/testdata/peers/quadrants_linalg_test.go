package peers

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
	"github.com/qdgen/qd/f64"
	"github.com/qdgen/qd/i32"
	"github.com/qdgen/qd/internal/gentest/testdata/bigtypes/big32"
	"github.com/qdgen/qd/internal/gentest/testdata/bigtypes/big64"
)

func frobeniusProducts[M qd.Matrix[M, R, T], R qd.Vector[R, T], T qd.Float](c *check) {
	c.Helper()
	var zero M
	rnd := rand.New(rand.NewPCG(0xF20B, 1))
	shape := gridFrom(zero)
	a, b := matrixFrom[M](randomGrid(rnd, len(shape), len(shape[0]))), matrixFrom[M](randomGrid(rnd, len(shape), len(shape[0])))
	out := make([]T, 2)
	c.launch(frobenius[M, R, T], 1, []M{a}, []M{b}, out)
	var product, square float64
	for i, row := range gridFrom(a) {
		square += sumSq(row)
		for j, x := range row {
			product += x * gridFrom(b)[i][j]
		}
	}
	nearEach(c, out, 100*epsilon[T](), product, square)
}

func matChainOf[A interface{ Mul(B) A }, B, C, M any, T qd.Float](c *check, mul func(A, C) M) {
	c.Helper()
	rnd := rand.New(rand.NewPCG(0xCA70, 1))
	a, b, m := randomGrid(rnd, 3, 4), randomGrid(rnd, 4, 4), randomGrid(rnd, 4, 3)
	ab, chained, staged := make([]A, 1), make([]M, 1), make([]M, 1)
	c.launch(matChain[A, B, C, M], 1, qd.C(mul), []A{matrixFrom[A](a)}, []B{matrixFrom[B](b)}, []C{matrixFrom[C](m)}, ab, chained, staged)
	tol := 100 * epsilon[T]()
	nearGrid(c, "a b", gridFrom(ab[0]), times(a, b), tol)
	nearGrid(c, "a b c", gridFrom(chained[0]), times(times(a, b), m), tol)
	equal(c, staged[0], chained[0])
}

func polarsOf[M withPolar[M], T qd.Float](c *check) {
	c.Helper()
	var zero M
	in := inputsOf[M](len(gridFrom(zero)))
	out := make([]polar[M], len(in))
	c.launch(polars[M], len(in), in, out)
	for i := range in {
		m, r, s := gridFrom(in[i]), gridFrom(out[i].R), gridFrom(out[i].S)
		nearGrid(c, "the product", gridFrom(out[i].Product), m, bound[T](16, m))
		nearUnit(c, "r", r, 32*epsilon[T]())
		nearGrid(c, "s, transposed", transposed(s), s, bound[T](16, m))
	}
}

// Well-conditioned matrices, positive-definite ones, and ones with a zero where the
// elimination begins.
func inversionInputs(n int) []grid[float64] {
	rnd := rand.New(rand.NewPCG(0xD0B7, uint64(n)))
	a := randomGrid(rnd, n, n)
	upper := gridOf(n, n, func(i, j int) float64 {
		switch row := n - 1 - i; {
		case j == row:
			return float64(row + 1)
		case j > row:
			return rnd.NormFloat64()
		}
		return 0
	})
	return []grid[float64]{randomGrid(rnd, n, n).plus(float64(n + 1)), times(a, transposed(a)).plus(2), upper}
}

// inverted fails the case unless a matrix and its inverse have the identity as their
// product, within the bound of elimination with pivots.
func inverted[T qd.Float](c *check, m, inverse grid[float64]) {
	c.Helper()
	n := float64(len(m))
	tol := 8 * n * n * epsilon[T]() * max(1, largest(m)*largest(inverse))
	nearGrid(c, "the inverse times the matrix", times(inverse, m), unit(len(m)), tol)
	nearGrid(c, "the matrix times the inverse", times(m, inverse), unit(len(m)), tol)
}

// inverts compares the inverses of matrices.
func inverts[M qd.SquareMatrix[M, R, T], R qd.Vector[R, T], T qd.Float](c *check, inputs ...grid[float64]) {
	c.Helper()
	var in []M
	for _, g := range inputs {
		in = append(in, matrixFrom[M](g))
	}
	out := slices.Clone(in)
	c.launch(inverses[M, R, T], len(out), out)
	for i := range out {
		inverted[T](c, gridFrom(in[i]), gridFrom(out[i]))
	}
}

// invertsSizes inverts matrices of the sizes of packages f32 and f64.
func invertsSizes(c *check) {
	c.Helper()
	input := func(n int) grid[float64] {
		return gridOf(n, n, func(i, j int) float64 { return float64(i*j + i*3 + j + 1) }).plus(4)
	}
	inverts[f32.Mat2](c, input(2))
	inverts[f32.Mat3](c, input(3))
	inverts[f32.Mat4](c, input(4))
	inverts[f64.Mat2](c, input(2))
	inverts[f64.Mat3](c, input(3))
	inverts[f64.Mat4](c, input(4))
}

// decomposed fails the case unless a decomposition has what is promised of it.
func decomposed[T qd.Float](c *check, m, u grid[float64], s []float64, v, product grid[float64]) {
	c.Helper()
	nearUnit(c, "u", u, 32*epsilon[T]())
	nearUnit(c, "v", v, 32*epsilon[T]())
	nearGrid(c, "u s vᵀ", times(times(u, diagonal(s...)), transposed(v)), m, bound[T](16, m))
	nearGrid(c, "u s vᵀ in the kernel", product, m, bound[T](32, m))
	for i, x := range s {
		if !(x >= 0) || i > 0 && x > s[i-1] {
			c.Errorf("the singular values of %v are %v", m, s)
		}
	}
}

// svdsOf decomposes the hard inputs and more.
func svdsOf[M decomposable[M, V, T], V qd.Vector[V, T], T qd.Float](c *check, diag func(V) M, more ...grid[float64]) {
	c.Helper()
	var zero M
	in := inputsOf[M](len(gridFrom(zero)))
	for _, g := range more {
		in = append(in, matrixFrom[M](g))
	}
	out := make([]svd[M, V], len(in))
	c.launch(svds[M, V, T], len(in), qd.C(diag), in, out)
	for i, r := range out {
		decomposed[T](c, gridFrom(in[i]), gridFrom(r.U), gridFrom([1]V{r.S})[0], gridFrom(r.V), gridFrom(r.Product))
	}
}

func svds2(c *check) {
	c.Helper()
	svdsOf(c, f32.Mat2Diag, grid[float64]{{1, 1}, {2, 3}})
	svdsOf(c, f64.Mat2Diag, grid[float64]{{1, 1}, {2, 3}})
}

func svds3(c *check) {
	c.Helper()
	svdsOf(c, f32.Mat3Diag, grid[float64]{{1, 1, 3}, {9, -3, 2}, {-3, 4, 2}})
	svdsOf(c, f64.Mat3Diag, grid[float64]{{1, 1, 3}, {9, -3, 2}, {-3, 4, 2}})
}

func rotationsOf[M decomposable[M, V, T], V qd.Vector[V, T], T qd.Float](c *check) {
	c.Helper()
	in := inputsOf[M](3)
	out := make([]M, len(in))
	c.launch(closestRotations[M, V, T], len(in), in, out)
	for i := range out {
		nearUnit(c, "the rotation", gridFrom(out[i]), 64*epsilon[T]())
		near(c, T(determinant(gridFrom(out[i]))), 1, 64*epsilon[T]())
		// It makes a symmetric matrix of the input.
		m := gridFrom(in[i])
		s := times(transposed(gridFrom(out[i])), m)
		nearGrid(c, "the stretch, transposed", transposed(s), s, bound[T](32, m))
	}
}

func solvesOf[V2 ~[2]T, V3 ~[3]T, M2, M3 any, T qd.Float](c *check, kernel func(t qd.Thread, m2 []M2, m3 []M3, x2 []V2, x3 []V3, ok []bool)) {
	c.Helper()
	m2, m3, x2, x3, ok := make([]M2, 10), make([]M3, 10), make([]V2, 10), make([]V3, 10), make([]bool, 10)
	c.launch(kernel, 10, m2, m3, x2, x3, ok)
	equal(c, ok, full(10, true))
	residual := func(m grid[float64], x []T, b []float64) {
		var norm float64
		for _, v := range x {
			norm = max(norm, math.Abs(float64(v)))
		}
		nearGrid(c, "the product with the solution", times(m, column(numbers(x))), column(b), 32*epsilon[T]()*(largest(m)*norm+largest(column(b))))
	}
	for i := range 10 {
		a := float64(i)
		equal(c, gridFrom(m2[i]), grid[float64]{{a, 1}, {1, float64(T(1.001))}})
		equal(c, gridFrom(m3[i]), grid[float64]{{a, 2, -4}, {2, 3, 3}, {5, -3, 1}})
		residual(gridFrom(m2[i]), x2[i][:], []float64{3, 15})
		residual(gridFrom(m3[i]), x3[i][:], []float64{3, 15, 14})
	}
}

// launchBasics gives what basicUtils computes.
func launchBasics(c *check) basics {
	c.Helper()
	out := make([]basics, 1)
	c.launch(basicUtils, 1, []f32.Vec3{{1, 2, -3}}, []f32.Vec2{{4, 5}}, f32.Vec3{1, 2, 3}, f32.Vec3{4, 5, 6}, f32.Vec2{1, 2}, f32.Vec2{4, 5}, out)
	return out[0]
}

var quadrantsLinalg = []peerCase{
	{"test_const_init", "a matrix and a vector of integers", "", func(c *check) {
		a, b := make([]i32.Mat2x3, 1), make([]i32.Vec3, 1)
		c.launch(constInit, 1, a, b)
		equal(c, a[0], i32.Mat2x3{{0, 1, 2}, {3, 4, 5}})
		equal(c, b[0], i32.Vec3{0, 1, 2})
	}},
	{"test_basic_utils", "outer product, norms, and the normalized vector", "", func(c *check) {
		b, r := launchBasics(c), math.Sqrt(14)
		equal(c, b.Outer, f32.Mat3x2{{4, 5}, {8, 10}, {-12, -15}})
		nearEach(c, []float32{b.Norm, b.NormSq, b.Inv}, 1e-6, r, 14, 1/r)
		nearEach(c, b.Normalized[:], 1e-6, 1/r, 2/r, -3/r)
	}},
	{"test_cross", "cross products in three and in two dimensions", "", func(c *check) {
		b := launchBasics(c)
		equal(c, b.Cross3, f32.Vec3{-3, 6, -3})
		equal(c, b.Cross2, -3)
	}},
	{"test_dot", "dot products", "", func(c *check) {
		b := launchBasics(c)
		equal(c, b.Dot3, 32)
		equal(c, b.Dot2, 14)
	}},
	{"test_frobenius_inner_f32, test_frobenius_inner_f64, test_frobenius_inner_rectangular_f32, test_frobenius_inner_rectangular_f64", "Frobenius products, to 12x12", "", func(c *check) {
		frobeniusProducts[f32.Mat3](c)
		frobeniusProducts[f32.Mat2x4](c)
		frobeniusProducts[big32.Mat12x12](c)
		frobeniusProducts[f64.Mat3](c)
		frobeniusProducts[f64.Mat2x4](c)
		frobeniusProducts[big64.Mat12x12](c)
	}},
	{"test_matmul_chain_qipc_sizes_f32, test_matmul_chain_qipc_sizes_f64", "products of three matrices", "", func(c *check) {
		matChainOf[f32.Mat3x4, f32.Mat4, f32.Mat4x3, f32.Mat3, float32](c, f32.Mat3x4Mul4x3)
		matChainOf[f64.Mat3x4, f64.Mat4, f64.Mat4x3, f64.Mat3, float64](c, f64.Mat3x4Mul4x3)
	}},
	{"test_matmul_chain_qipc_sizes_f64 (9, 12, 12, 9)", "products of three large matrices", "of 12x12, by qdgen types", func(c *check) {
		rnd := rand.New(rand.NewPCG(0xCA70, 2))
		a, b, m := randomGrid(rnd, 12, 12), randomGrid(rnd, 12, 12), randomGrid(rnd, 12, 12)
		in, out := [3][]big64.Mat12x12{}, make([]big64.Mat12x12, 1)
		for i, g := range []grid[float64]{a, b, m} {
			in[i] = []big64.Mat12x12{matrixFrom[big64.Mat12x12](g)}
		}
		c.launch(matChainLarge, 1, in[0], in[1], in[2], out)
		nearGrid(c, "a b c", gridFrom(out[0]), times(times(a, b), m), 1e-12)
	}},
	{"test_transpose", "a matrix that is replaced by its transpose", "", func(c *check) {
		m := []f32.Mat3{{{0, 7, 14}, {2, 9, 16}, {4, 11, 18}}}
		c.launch(transposesInPlace, 1, m)
		equal(c, m[0], f32.Mat3{{0, 2, 4}, {7, 9, 11}, {14, 16, 18}})
	}},
	{"test_polar_decomp_f32, test_polar_decomp_f64", "polar decompositions of 2x2 and 3x3", "of singular and mirrored matrices too", func(c *check) {
		polarsOf[f32.Mat2, float32](c)
		polarsOf[f32.Mat3, float32](c)
		polarsOf[f64.Mat2, float64](c)
		polarsOf[f64.Mat3, float64](c)
	}},
	{"test_matrix", "matrices of an array in place", "", func(c *check) {
		x := make([]i32.Mat2, 16)
		for i := range 10 {
			x[i][0][0] = int32(i)
		}
		c.must(c.dev.Run(matIncrements, x))
		for i := range int32(10) {
			equal(c, x[i], i32.Mat2{{6 + i, 0}, {0, 1 + i}})
		}
	}},
	{"test_mat_inverse_size", "inverses of 2x2 to 4x4", "a 1x1 is a number", invertsSizes},
	{"test_inverse_large_f32, test_inverse_large_f64 (5)", "inverses of 5x5, that need pivots too", "", func(c *check) {
		inverts[big32.Mat5x5](c, inversionInputs(5)...)
		inverts[big64.Mat5x5](c, inversionInputs(5)...)
	}},
	{"test_inverse_large_f32, test_inverse_large_f64 (12)", "inverses of 12x12", "", func(c *check) {
		inverts[big32.Mat12x12](c, inversionInputs(12)...)
		inverts[big64.Mat12x12](c, inversionInputs(12)...)
	}},
	{"test_matrix_factories", "identity, rotation, zero, one and unit vectors", "", func(c *check) {
		a, b, m := make([]i32.Vec3, 3), make([]f32.Mat2, 2), make([]f32.Mat2x3, 2)
		c.launch(matFactories, 1, a, b, m)
		equal(c, a, []i32.Vec3{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}})
		equal(c, b[0], f32.Mat2{{1, 0}, {0, 1}})
		r := math.Sqrt(3) / 2
		nearGrid(c, "the rotation", gridFrom(b[1]), grid[float64]{{0.5, -r}, {r, 0.5}}, 1e-6)
		equal(c, m, []f32.Mat2x3{{}, {{1, 1, 1}, {1, 1, 1}}})
	}},
	{"test_init_matrix_from_vectors", "matrices of rows and of columns", "", func(c *check) {
		rows := f32.Mat3{{1, 4, 7}, {2, 5, 8}, {3, 6, 9}}
		gives(c, []f32.Mat3{rows, {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, rows}, matFromVectors)
	}},
	{"test_any_all, test_min_max", "whether any or all elements are not zero, the least and the greatest", "masks: m.NotEqual(zero).Any()", func(c *check) {
		a := []i32.Mat2{{}, {{0, 1}, {1, 0}}, {{1, 0}, {0, 1}}, {{1, 1}, {1, 1}}}
		anyOf, allOf, most, least := make([]bool, 4), make([]bool, 4), make([]int32, 4), make([]int32, 4)
		c.launch(anyAll, 4, a, anyOf, allOf, most, least)
		equal(c, anyOf, []bool{false, true, true, true})
		equal(c, allOf, []bool{false, false, false, true})
		equal(c, most, []int32{0, 1, 1, 1})
		equal(c, least, []int32{0, 0, 0, 1})
	}},
	{"test_matrix_list_assign", "lists assigned to matrices of an array of three dimensions", "composite literals", func(c *check) {
		m, v := make([]i32.Mat2, 4), make([]i32.Vec2, 4)
		m[2], v[2] = i32.Mat2{{4, 3}, {6, 7}}, i32.Vec2{8, 4}
		c.launch(listAssign, 1, qd.ViewOf3(m, 2, 2, 1), qd.ViewOf3(v, 2, 2, 1))
		equal(c, m, []i32.Mat2{2: {{2, 4}, {6, 8}}, 3: {}})
		equal(c, v, []i32.Vec2{2: {10, 12}, 3: {}})
	}},
	{"test_vector_xyzw_accessor", "elements by name", "methods read; an index writes", func(c *check) {
		u, v := []i32.Vec2{{}, {0, 3}}, []i32.Vec4{{}, {0, 0, 0, 4}}
		c.launch(accessors, 1, u, v)
		equal(c, u[1], i32.Vec2{24, 3})
		equal(c, v[1], i32.Vec4{6, 0, -3, 4})
	}},
	{"test_diag", "a diagonal of one number", "", func(c *check) {
		want := f32.Mat3{{1.4, 0, 0}, {0, 1.4, 0}, {0, 0, 1.4}}
		gives(c, []f32.Mat3{want, want}, diagonals, 1.4)
	}},
	{"test_matrix_solve.py: test_solve_2x2_f32, test_solve_2x2_f64, test_solve_3x3_f32, test_solve_3x3_f64", "linear systems, some nearly singular, some that need pivots", "the residual is compared", func(c *check) {
		solvesOf(c, solves[f32.Mat2, f32.Vec2, f32.Mat3, f32.Vec3])
		solvesOf(c, solves[f64.Mat2, f64.Vec2, f64.Mat3, f64.Vec3])
	}},
}

var quadrantsSVD = []peerCase{
	{"test_precision", "square roots and quotients of doubles", "exactly Go's", func(c *check) { gives(c, []float64{math.Sqrt(3.25), 7.0 / 3.0}, precision, 0.0) }},
	{"test_svd_f32, test_svd_f64 (2)", "decompositions of 2x2: orthogonal factors, and their product", "singular values are a vector", svds2},
	{"test_svd_f32, test_svd_f64 (3), test_transpose_no_loop", "decompositions of 3x3", "", svds3},
	{"test_svd3_sign_convention_f32, test_svd3_sign_convention_f64", "the closest rotation of any matrix", "singular values are never negative: u mirrors where the matrix does, and a column is turned", func(c *check) {
		rotationsOf[f32.Mat3](c)
		rotationsOf[f64.Mat3](c)
	}},
	{"test_svd_sort_order_f32, test_svd_sort_order_f64", "singular values descend", "", func(c *check) { svdsOf(c, f64.Mat2Diag); svdsOf(c, f64.Mat3Diag) }},
}
