package peers

import (
	"math"
	"math/rand/v2"
	"reflect"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
	"github.com/qdgen/qd/i32"
)

func frobeniusProducts[T qd.Float](c *check) {
	c.Helper()
	rnd := rand.New(rand.NewPCG(0xF20B, 1))
	pair := func(rows, cols int) (a, b grid[float64], product float64) {
		a, b = randomGrid(rnd, rows, cols), randomGrid(rnd, rows, cols)
		for i := range a {
			for j := range a[i] {
				a[i][j], b[i][j] = float64(T(a[i][j])), float64(T(b[i][j]))
				product += a[i][j] * b[i][j]
			}
		}
		return a, b, product
	}
	a3, b3, w3 := pair(3, 3)
	a24, b24, w24 := pair(2, 4)
	a12, b12, w12 := pair(12, 12)
	out := make([]T, 4)
	c.launch(frobenius[T], 1,
		[]qd.Mat3x3[T]{matrixFrom[qd.Mat3x3[T]](a3)}, []qd.Mat3x3[T]{matrixFrom[qd.Mat3x3[T]](b3)},
		[]qd.Mat2x4[T]{matrixFrom[qd.Mat2x4[T]](a24)}, []qd.Mat2x4[T]{matrixFrom[qd.Mat2x4[T]](b24)},
		[]Mat12x12[T]{matrixFrom[Mat12x12[T]](a12)}, []Mat12x12[T]{matrixFrom[Mat12x12[T]](b12)}, out)
	var square float64
	for _, row := range a3 {
		square += sumSq(row)
	}
	nearEach(c, out, 100*epsilon[T](), w3, square, w24, w12)
}

func matChainOf[T qd.Float](c *check) {
	c.Helper()
	rnd := rand.New(rand.NewPCG(0xCA70, 1))
	a, b, m := randomGrid(rnd, 3, 4), randomGrid(rnd, 4, 4), randomGrid(rnd, 4, 3)
	ab, chained, staged := make([]qd.Mat3x4[T], 1), make([]qd.Mat3x3[T], 1), make([]qd.Mat3x3[T], 1)
	c.launch(matChain[T], 1, []qd.Mat3x4[T]{matrixFrom[qd.Mat3x4[T]](a)}, []qd.Mat4x4[T]{matrixFrom[qd.Mat4x4[T]](b)}, []qd.Mat4x3[T]{matrixFrom[qd.Mat4x3[T]](m)}, ab, chained, staged)
	tol := 100 * epsilon[T]()
	nearGrid(c, "a b", gridFrom(ab[0]), times(a, b), tol)
	nearGrid(c, "a b c", gridFrom(chained[0]), times(times(a, b), m), tol)
	equal(c, staged[0], chained[0])
}

func polarsOf[T qd.Float](c *check) {
	c.Helper()
	m2, m3 := inputsOf[qd.Mat2x2[T]](2), inputsOf[qd.Mat3x3[T]](3)
	out2, out3 := make([]polar[qd.Mat2x2[T]], len(m2)), make([]polar[qd.Mat3x3[T]], len(m3))
	c.launch(polars[T], len(m2), m2, m3, out2, out3)
	compare := func(m, r, s, product grid[float64]) {
		nearGrid(c, "the product", product, m, bound[T](16, m))
		nearUnit(c, "r", r, 32*epsilon[T]())
		nearGrid(c, "s, transposed", transposed(s), s, bound[T](16, m))
	}
	for i := range m2 {
		compare(gridFrom(m2[i]), gridFrom(out2[i].R), gridFrom(out2[i].S), gridFrom(out2[i].Product))
		compare(gridFrom(m3[i]), gridFrom(out3[i].R), gridFrom(out3[i].S), gridFrom(out3[i].Product))
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

func invertsSizes[T qd.Float](c *check) {
	c.Helper()
	input := func(n int) grid[float64] {
		return gridOf(n, n, func(i, j int) float64 { return float64(i*j + i*3 + j + 1) }).plus(4)
	}
	m2, m3, m4 := []qd.Mat2x2[T]{matrixFrom[qd.Mat2x2[T]](input(2))}, []qd.Mat3x3[T]{matrixFrom[qd.Mat3x3[T]](input(3))}, []qd.Mat4x4[T]{matrixFrom[qd.Mat4x4[T]](input(4))}
	c.launch(inverses[T], 1, m2, m3, m4)
	inverted[T](c, input(2), gridFrom(m2[0]))
	inverted[T](c, input(3), gridFrom(m3[0]))
	inverted[T](c, input(4), gridFrom(m4[0]))
}

func invertsLarge[M any, T qd.Float](c *check, kernel any) {
	c.Helper()
	n := reflect.TypeFor[M]().Len()
	var in []M
	for _, g := range inversionInputs(n) {
		in = append(in, matrixFrom[M](g))
	}
	out := make([]M, len(in))
	c.launch(kernel, len(in), in, out)
	for i := range out {
		inverted[T](c, gridFrom(in[i]), gridFrom(out[i]))
	}
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

func svds2Of[T qd.Float](c *check) {
	c.Helper()
	in := append(inputsOf[qd.Mat2x2[T]](2), qd.Mat2x2[T]{{1, 1}, {2, 3}})
	out := make([]svd[qd.Mat2x2[T], qd.Vec2[T]], len(in))
	c.launch(svds2[T], len(in), in, out)
	for i, r := range out {
		decomposed[T](c, gridFrom(in[i]), gridFrom(r.U), numbers(r.S[:]), gridFrom(r.V), gridFrom(r.Product))
	}
}

func svds3Of[T qd.Float](c *check) {
	c.Helper()
	in := append(inputsOf[qd.Mat3x3[T]](3), qd.Mat3x3[T]{{1, 1, 3}, {9, -3, 2}, {-3, 4, 2}})
	out := make([]svd[qd.Mat3x3[T], qd.Vec3[T]], len(in))
	c.launch(svds3[T], len(in), in, out)
	for i, r := range out {
		decomposed[T](c, gridFrom(in[i]), gridFrom(r.U), numbers(r.S[:]), gridFrom(r.V), gridFrom(r.Product))
	}
}

func rotationsOf[T qd.Float](c *check) {
	c.Helper()
	in := inputsOf[qd.Mat3x3[T]](3)
	out := make([]qd.Mat3x3[T], len(in))
	c.launch(closestRotations[T], len(in), in, out)
	for i := range out {
		nearUnit(c, "the rotation", gridFrom(out[i]), 64*epsilon[T]())
		near(c, T(determinant(gridFrom(out[i]))), 1, 64*epsilon[T]())
		// It makes a symmetric matrix of the input.
		m := gridFrom(in[i])
		s := times(transposed(gridFrom(out[i])), m)
		nearGrid(c, "the stretch, transposed", transposed(s), s, bound[T](32, m))
	}
}

func solvesOf[T qd.Float](c *check) {
	c.Helper()
	x2, x3, ok := make([]qd.Vec2[T], 10), make([]qd.Vec3[T], 10), make([]bool, 10)
	c.launch(solves[T], 10, x2, x3, ok)
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
		residual(grid[float64]{{a, 1}, {1, float64(T(1.001))}}, x2[i][:], []float64{3, 15})
		residual(grid[float64]{{a, 2, -4}, {2, 3, 3}, {5, -3, 1}}, x3[i][:], []float64{3, 15, 14})
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
		frobeniusProducts[float32](c)
		frobeniusProducts[float64](c)
	}},
	{"test_matmul_chain_qipc_sizes_f32, test_matmul_chain_qipc_sizes_f64", "products of three matrices", "", func(c *check) {
		matChainOf[float32](c)
		matChainOf[float64](c)
	}},
	{"test_matmul_chain_qipc_sizes_f64 (9, 12, 12, 9)", "products of three large matrices", "of 12x12, by qdgen types", func(c *check) {
		rnd := rand.New(rand.NewPCG(0xCA70, 2))
		a, b, m := randomGrid(rnd, 12, 12), randomGrid(rnd, 12, 12), randomGrid(rnd, 12, 12)
		in, out := [3][]Mat12x12[float64]{}, make([]Mat12x12[float64], 1)
		for i, g := range []grid[float64]{a, b, m} {
			in[i] = []Mat12x12[float64]{matrixFrom[Mat12x12[float64]](g)}
		}
		c.launch(matChainLarge, 1, in[0], in[1], in[2], out)
		nearGrid(c, "a b c", gridFrom(out[0]), times(times(a, b), m), 1e-12)
	}},
	{"test_transpose", "a matrix that is replaced by its transpose", "", func(c *check) {
		m := []f32.Mat3{{{0, 7, 14}, {2, 9, 16}, {4, 11, 18}}}
		c.launch(transposesInPlace, 1, m)
		equal(c, m[0], f32.Mat3{{0, 2, 4}, {7, 9, 11}, {14, 16, 18}})
	}},
	{"test_polar_decomp_f32, test_polar_decomp_f64", "polar decompositions of 2x2 and 3x3", "of singular and mirrored matrices too", func(c *check) { polarsOf[float32](c); polarsOf[float64](c) }},
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
	{"test_mat_inverse_size", "inverses of 2x2 to 4x4", "a 1x1 is a number", func(c *check) { invertsSizes[float32](c); invertsSizes[float64](c) }},
	{"test_inverse_large_f32, test_inverse_large_f64 (5)", "inverses of 5x5, that need pivots too", "", func(c *check) {
		invertsLarge[Mat5x5[float32], float32](c, inverses5[float32])
		invertsLarge[Mat5x5[float64], float64](c, inverses5[float64])
	}},
	{"test_inverse_large_f32, test_inverse_large_f64 (12)", "inverses of 12x12", "", func(c *check) {
		invertsLarge[Mat12x12[float32], float32](c, inverses12[float32])
		invertsLarge[Mat12x12[float64], float64](c, inverses12[float64])
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
		solvesOf[float32](c)
		solvesOf[float64](c)
	}},
}

var quadrantsSVD = []peerCase{
	{"test_precision", "square roots and quotients of doubles", "exactly Go's", func(c *check) { gives(c, []float64{math.Sqrt(3.25), 7.0 / 3.0}, precision, 0.0) }},
	{"test_svd_f32, test_svd_f64 (2)", "decompositions of 2x2: orthogonal factors, and their product", "singular values are a vector", func(c *check) { svds2Of[float32](c); svds2Of[float64](c) }},
	{"test_svd_f32, test_svd_f64 (3), test_transpose_no_loop", "decompositions of 3x3", "", func(c *check) { svds3Of[float32](c); svds3Of[float64](c) }},
	{"test_svd3_sign_convention_f32, test_svd3_sign_convention_f64", "the closest rotation of any matrix", "singular values are never negative: u mirrors where the matrix does, and a column is turned", func(c *check) {
		rotationsOf[float32](c)
		rotationsOf[float64](c)
	}},
	{"test_svd_sort_order_f32, test_svd_sort_order_f64", "singular values descend", "", func(c *check) { svds2Of[float64](c); svds3Of[float64](c) }},
}
