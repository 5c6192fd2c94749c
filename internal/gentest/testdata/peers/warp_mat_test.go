package peers

import (
	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
	"github.com/qdgen/qd/f64"
	"github.com/qdgen/qd/i32"
	"github.com/qdgen/qd/internal/gentest/testdata/bigtypes/int8s"
)

// A grid is a matrix of any shape, for comparisons.
type grid[T qd.Number] [][]T

// shapes are the shapes of matrices, in order.
var shapes = [6][2]int{{2, 2}, {3, 3}, {4, 4}, {5, 5}, {2, 3}, {3, 2}}

func gridOf[T qd.Number](rows, cols int, at func(i, j int) T) grid[T] {
	g := make(grid[T], rows)
	for i := range g {
		g[i] = make([]T, cols)
		for j := range g[i] {
			g[i][j] = at(i, j)
		}
	}
	return g
}

// grids are the matrices, in order.
func (f algebra[V2, V3, V4, V5, M2, M3, M4, M5, M23, M32, T]) grids(m matrices[M2, M3, M4, M5, M23, M32]) [6]grid[T] {
	return [6]grid[T]{
		gridOf(2, 2, func(i, j int) T { return m.M2[i][j] }),
		gridOf(3, 3, func(i, j int) T { return m.M3[i][j] }),
		gridOf(4, 4, func(i, j int) T { return m.M4[i][j] }),
		gridOf(5, 5, func(i, j int) T { return m.M5[i][j] }),
		gridOf(2, 3, func(i, j int) T { return m.M23[i][j] }),
		gridOf(3, 2, func(i, j int) T { return m.M32[i][j] }),
	}
}

// matricesOf has numbers of a list that begins again.
func (f algebra[V2, V3, V4, V5, M2, M3, M4, M5, M23, M32, T]) matricesOf(start, step int, list []T) (m matrices[M2, M3, M4, M5, M23, M32]) {
	next := func() T {
		x := list[start%len(list)]
		start += step
		return x
	}
	for i := range m.M5 {
		for j := range m.M5 {
			m.M5[i][j] = next()
		}
	}
	for i := range m.M4 {
		for j := range m.M4 {
			m.M4[i][j] = next()
		}
	}
	for i := range m.M3 {
		for j := range m.M3 {
			m.M3[i][j] = next()
		}
	}
	for i := range m.M2 {
		for j := range m.M2 {
			m.M2[i][j] = next()
		}
	}
	for i := range m.M32 {
		for j := range m.M23 {
			m.M32[i][j], m.M23[j][i] = next(), next()
		}
	}
	return m
}

// matOperands are numbers with products and sums that wrap, divisors without zero, and
// vectors.
func (f algebra[V2, V3, V4, V5, M2, M3, M4, M5, M23, M32, T]) matOperands() (a, b []matrices[M2, M3, M4, M5, M23, M32], v []vectors[V2, V3, V4, V5]) {
	var zero T
	x := []T{0, 1, 2, 3, zero - 1, 100, zero - 5, 127, zero - 100, 64, 7}
	y := []T{1, zero - 1, 2, 3, 5, zero - 2, 100, 11, 4}
	for i := range 5 {
		a = append(a, f.matricesOf(i, 1, x))
		b = append(b, f.matricesOf(i+3, 2, y))
	}
	v, _ = operands[V2, V3, V4, V5]()
	return a, b, v[:5]
}

// matResults launches matOperations and compares each result with a function of the
// operands.
func (f algebra[V2, V3, V4, V5, M2, M3, M4, M5, M23, M32, T]) matResults(c *check, compare func(a, b [6]grid[T], v vectors[V2, V3, V4, V5], r matResult[matrices[M2, M3, M4, M5, M23, M32], vectors[V2, V3, V4, V5], V2, V3, T])) {
	c.Helper()
	a, b, v := f.matOperands()
	out := make([]matResult[matrices[M2, M3, M4, M5, M23, M32], vectors[V2, V3, V4, V5], V2, V3, T], len(a))
	c.launch(matOperations[V2, V3, V4, V5, M2, M3, M4, M5, M23, M32, T], len(a), qd.C(f.matMakers), a, b, v, T(3), out)
	for i := range out {
		compare(f.grids(a[i]), f.grids(b[i]), v[i], out[i])
	}
}

func (f algebra[V2, V3, V4, V5, M2, M3, M4, M5, M23, M32, T]) matElements(c *check, op elementOp) {
	c.Helper()
	f.matResults(c, func(x, y [6]grid[T], _ vectors[V2, V3, V4, V5], r matResult[matrices[M2, M3, M4, M5, M23, M32], vectors[V2, V3, V4, V5], V2, V3, T]) {
		got := f.grids([...]matrices[M2, M3, M4, M5, M23, M32]{r.Neg, r.Add, r.Sub, r.MulElem, r.DivElem, r.Scale, r.DivScalar}[op])
		for k, s := range shapes {
			equal(c, got[k], gridOf(s[0], s[1], func(i, j int) T { return elementOf(op, x[k][i][j], y[k][i][j], 3) }))
		}
	})
}

// matElements compares an operation with Go's operators, over types of numbers.
func matElements(op elementOp) func(c *check) {
	return func(c *check) {
		int8Algebra.matElements(c, op)
		int32Algebra.matElements(c, op)
		uint64Algebra.matElements(c, op)
		float32Algebra.matElements(c, op)
		float64Algebra.matElements(c, op)
	}
}

// times is the product of matrices, with sums from left to right.
func times[T qd.Number](a, b grid[T]) grid[T] {
	return gridOf(len(a), len(b[0]), func(i, j int) (sum T) {
		for k := range b {
			sum += T(a[i][k] * b[k][j])
		}
		return sum
	})
}

func transposed[T qd.Number](a grid[T]) grid[T] {
	return gridOf(len(a[0]), len(a), func(i, j int) T { return a[j][i] })
}

// column is a vector as a matrix.
func column[T qd.Number](v []T) grid[T] { return gridOf(len(v), 1, func(i, _ int) T { return v[i] }) }

func (f algebra[V2, V3, V4, V5, M2, M3, M4, M5, M23, M32, T]) products(c *check) {
	c.Helper()
	f.matResults(c, func(x, y [6]grid[T], _ vectors[V2, V3, V4, V5], r matResult[matrices[M2, M3, M4, M5, M23, M32], vectors[V2, V3, V4, V5], V2, V3, T]) {
		got := f.grids(r.Products)
		for k, factors := range [][2]grid[T]{{x[4], y[5]}, {x[5], y[4]}, {x[2], y[2]}, {x[3], y[3]}, {x[4], y[1]}, {x[5], y[0]}} {
			equal(c, got[k], times(factors[0], factors[1]))
		}
	})
}

func (f algebra[V2, V3, V4, V5, M2, M3, M4, M5, M23, M32, T]) matvec(c *check, transpose bool) {
	c.Helper()
	f.matResults(c, func(x, _ [6]grid[T], v vectors[V2, V3, V4, V5], r matResult[matrices[M2, M3, M4, M5, M23, M32], vectors[V2, V3, V4, V5], V2, V3, T]) {
		y := each(v)
		got, odd, in := each(r.MulVec), r.MulVec32[:], v.V2[:]
		if transpose {
			got, odd, in = each(r.TMulVec), r.TMulVec32[:], v.V3[:]
		}
		product := func(m grid[T], v []T) grid[T] {
			if transpose {
				m = transposed(m)
			}
			return times(m, column(v))
		}
		for k, n := range lengths {
			equal(c, column(got[:n]), product(x[k], y[:n]))
			got, y = got[n:], y[n:]
		}
		equal(c, column(odd), product(x[5], in))
	})
}

func (f algebra[V2, V3, V4, V5, M2, M3, M4, M5, M23, M32, T]) transposes(c *check) {
	c.Helper()
	f.matResults(c, func(x, _ [6]grid[T], _ vectors[V2, V3, V4, V5], r matResult[matrices[M2, M3, M4, M5, M23, M32], vectors[V2, V3, V4, V5], V2, V3, T]) {
		got := f.grids(r.Transposed)
		for k, from := range []int{0, 1, 2, 3, 5, 4} {
			equal(c, got[k], transposed(x[from]))
		}
	})
}

func (f algebra[V2, V3, V4, V5, M2, M3, M4, M5, M23, M32, T]) frobenius(c *check) {
	c.Helper()
	f.matResults(c, func(x, y [6]grid[T], _ vectors[V2, V3, V4, V5], r matResult[matrices[M2, M3, M4, M5, M23, M32], vectors[V2, V3, V4, V5], V2, V3, T]) {
		for k, shape := range []int{0, 1, 2, 4} {
			var want T
			for i := range x[shape] {
				for j := range x[shape][i] {
					want += T(x[shape][i][j] * y[shape][i][j])
				}
			}
			equal(c, r.Frobenius[k], want)
		}
	})
}

func (f algebra[V2, V3, V4, V5, M2, M3, M4, M5, M23, M32, T]) traces(c *check) {
	c.Helper()
	f.matResults(c, func(x, _ [6]grid[T], _ vectors[V2, V3, V4, V5], r matResult[matrices[M2, M3, M4, M5, M23, M32], vectors[V2, V3, V4, V5], V2, V3, T]) {
		for k, m := range x[:4] {
			var want T
			for i := range m {
				want += m[i][i]
			}
			equal(c, r.Trace[k], want)
		}
	})
}

func (f algebra[V2, V3, V4, V5, M2, M3, M4, M5, M23, M32, T]) matEquality(c *check) {
	c.Helper()
	f.matResults(c, func(_, _ [6]grid[T], _ vectors[V2, V3, V4, V5], r matResult[matrices[M2, M3, M4, M5, M23, M32], vectors[V2, V3, V4, V5], V2, V3, T]) {
		equal(c, r.Same, true)
		equal(c, r.Other, false)
	})
}

func (f algebra[V2, V3, V4, V5, M2, M3, M4, M5, M23, M32, T]) outers(c *check) {
	c.Helper()
	a, b := operands[V2, V3, V4, V5]()
	out := make([]matrices[M2, M3, M4, M5, M23, M32], len(a))
	c.launch(outerProducts[V2, V3, V4, V5, M2, M3, M4, M5, M23, M32, T], len(a), qd.C(f.matMakers), a, b, out)
	for i, m := range out {
		v, w := a[i], b[i]
		for k, pair := range [][2][]T{
			{v.V2[:], w.V2[:]}, {v.V3[:], w.V3[:]}, {v.V4[:], w.V4[:]}, {v.V5[:], w.V5[:]}, {v.V2[:], w.V3[:]}, {v.V3[:], w.V2[:]},
		} {
			equal(c, f.grids(m)[k], times(column(pair[0]), transposed(column(pair[1]))))
		}
	}
}

func (f algebra[V2, V3, V4, V5, M2, M3, M4, M5, M23, M32, T]) matConstructed(c *check) {
	c.Helper()
	out := make([]matrices[M2, M3, M4, M5, M23, M32], 5)
	c.launch(matConstruct[V2, V3, V4, V5, M2, M3, M4, M5, M23, M32, T], 1, qd.C(f.matMakers), counted[T](9), out)
	equal(c, out[0], matrices[M2, M3, M4, M5, M23, M32]{})
	equal(c, out[1], f.matricesOf(0, 1, []T{1}))
	for k, m := range f.grids(out[2]) {
		equal(c, m, gridOf(len(m), len(m[0]), func(i, j int) T {
			if i == j && k < 4 {
				return 1
			}
			return 0
		}))
	}
	m3 := M3{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}
	var m5 M5
	for i := range m5 {
		m5[i][i] = T(i + 1)
	}
	equal(c, out[3], matrices[M2, M3, M4, M5, M23, M32]{
		M2: M2{{1, 2}, {3, 4}}, M3: m3, M5: m5, M23: M23{{1, 2, 3}, {4, 5, 6}}, M32: M32{{1, 4}, {2, 5}, {3, 6}},
	})
	equal(c, out[4], matrices[M2, M3, M4, M5, M23, M32]{M2: M2{{1, 3}, {2, 4}}, M3: m3.Transpose()})
}

func (f algebra[V2, V3, V4, V5, M2, M3, M4, M5, M23, M32, T]) matIndexed(c *check) {
	c.Helper()
	m := f.matricesOf(0, 1, counted[T](50))
	out := make([]T, 20)
	c.launch(matIndexed[V2, V4, M2, M3, M4, M5, M23, M32, T], 1, []matrices[M2, M3, M4, M5, M23, M32]{m}, out)
	for i, x := range out {
		if i < 4 {
			equal(c, x, 2*m.M2[i/2][i%2])
		} else {
			equal(c, x, 2*m.M4[(i-4)/4][i%4])
		}
	}
}

func (f algebra[V2, V3, V4, V5, M2, M3, M4, M5, M23, M32, T]) matArrays(c *check) {
	c.Helper()
	a, _, _ := f.matOperands()
	x := qd.From(c.dev, a)
	c.must(x.Err())
	equal(c, x.Slice(), a)
}

var warpMat = []peerCase{
	{"test_shape_mismatch", "matrices of two shapes cannot be compared", "the Go compiler's error", nil},
	{"test_py_arithmetic_ops", "the algebra outside of kernels", "the same methods; a vector times a matrix is TMulVec", func(c *check) {
		m, v := f64.Mat3{{-1, 2, 3}, {4, -5, 6}, {7, 8, -9}}, f64.Vec3{5, 5, 5}
		equal(c, m.Neg(), f64.Mat3{{1, -2, -3}, {-4, 5, -6}, {-7, -8, 9}})
		equal(c, m.Add(f64.Mat3Splat(5.0)), f64.Mat3{{4, 7, 8}, {9, 0, 11}, {12, 13, -4}})
		equal(c, m.AddScalar(5), m.Add(f64.Mat3Splat(5.0)))
		equal(c, m.Sub(f64.Mat3Splat(5.0)), f64.Mat3{{-6, -3, -2}, {-1, -10, 1}, {2, 3, -14}})
		equal(c, m.MulVec(v), f64.Vec3{20, 25, 30})
		equal(c, m.TMulVec(v), f64.Vec3{50, 25, 0})
		m = f64.Mat3{{2, 4, 6}, {8, 10, 12}, {14, 16, 18}}
		equal(c, m.Scale(2), f64.Mat3{{4, 8, 12}, {16, 20, 24}, {28, 32, 36}})
		equal(c, m.DivScalar(2), f64.Mat3{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}})
		equal(c, f64.Mat3Splat(5040.0).DivElem(m), f64.Mat3{{2520, 1260, 840}, {630, 504, 420}, {360, 315, 280}})
	}},
	{"test_negation", "negation, of sizes 2 to 5 and of oblong ones, over types of numbers", "", matElements(opNeg)},
	{"test_matmul", "products, of oblong matrices too", "oblong ones by functions: f32.Mat2x3Mul3x2", func(c *check) {
		int8Algebra.products(c)
		uint64Algebra.products(c)
		float32Algebra.products(c)
		float64Algebra.products(c)
	}},
	{"test_subtraction", "subtraction", "", matElements(opSub)},
	{"test_skew", "the matrix of a cross product", "three lines of Go", func(c *check) {
		v, w := []f32.Vec3{{1, 2, 3}, {-4, 0, 2}}, []f32.Vec3{{3, -2, 5}, {1, 1, 1}}
		out := make([]f32.Vec3, 2)
		c.launch(skewed, 2, v, w, out)
		equal(c, out, make([]f32.Vec3, 2))
		equal(c, skew[i32.Mat3](i32.Vec3{1, 2, 3}), i32.Mat3{{0, -3, 2}, {3, 0, -1}, {-2, 1, 0}})
	}},
	{"test_matrix_mutation", "elements and rows of a 10x3 matrix, written in a loop", "its type is made by qdgen types", func(c *check) {
		var want Mat10x3
		for i := range want {
			want[i] = f32.Vec3{1, 2, 3}.Scale(float32(i + 1))
		}
		gives(c, []Mat10x3{want}, matMutation)
	}},
	{"test_matrix_len", "the numbers of rows are constants", "", func(c *check) {
		gives(c, []int{2, 3, 4, 2, 2, 3}, matLen, f32.Mat2{}, f32.Mat3{}, f32.Mat4{}, int8s.Mat2x3{})
	}},
	{"test_mat_extract", "elements and rows", "", func(c *check) {
		elements, rows := make([]float32, 3), make([]f32.Vec2, 3)
		c.launch(matExtract, 3, full(3, f32.Mat2{{1, 1}, {1, 1}}), elements, rows)
		equal(c, elements, full(3, float32(10)))
		equal(c, rows, full(3, f32.Vec2{3, 3}))
	}},
	{"test_mat_assign", "elements and rows that are assigned", "", func(c *check) {
		gives(c, []f32.Mat2{{{1, 2}, {3, 4}}, {{1, 1}, {2, 2}}}, matAssign, []float32{1}, []f32.Vec2{{1, 1}})
	}},
	{"test_mat_array_extract", "elements and rows of matrices in an array", "", func(c *check) {
		elements, rows := make([]float32, 6), make([]f32.Vec2, 6)
		c.must(c.dev.Launch(matArrayExtract, qd.Dim(2, 3), qd.ViewOf2(full(6, f32.Mat2{{1, 1}, {1, 1}}), 2, 3), qd.ViewOf2(elements, 2, 3), qd.ViewOf2(rows, 2, 3)))
		equal(c, elements, full(6, float32(10)))
		equal(c, rows, full(6, f32.Vec2{3, 3}))
	}},
	{"test_mat_array_assign", "and assigned there", "rows too, which Warp's test leaves out", func(c *check) {
		elements, rows := make([]f32.Mat2, 6), make([]f32.Mat2x3, 6)
		c.must(c.dev.Launch(matArrayAssign, qd.Dim(2, 3), qd.ViewOf2(full(6, float32(1)), 2, 3), []f32.Vec3{{1, 1, 1}}, qd.ViewOf2(elements, 2, 3), qd.ViewOf2(rows, 2, 3)))
		equal(c, elements, full(6, f32.Mat2{{1, 2}, {3, 4}}))
		equal(c, rows, full(6, f32.Mat2x3{{1, 1, 1}, {2, 2, 2}}))
	}},
	{"test_mat_add_inplace, test_mat_sub_inplace", "elements and rows in place", "", func(c *check) {
		gives(c, []f32.Mat2{{{1, 2}, {3, 4}}, {{-1, -2}, {-3, -4}}, {{1, 1}, {-2, -2}}}, matInPlace, []f32.Mat2{{{1, 1}, {1, 1}}})
	}},
	{"test_mat_array_add_inplace, test_mat_array_sub_inplace", "matrices of arrays in place", "", func(c *check) {
		ones := f32.Mat2Splat(1)
		sum, difference := make([]f32.Mat2, 4), make([]f32.Mat2, 4)
		c.launch(matArrayInPlace, 4, full(4, ones), sum, difference)
		equal(c, sum, full(4, ones))
		equal(c, difference, full(4, ones.Neg()))
	}},
	{"test_scalar_mat_div", "a number divided by a matrix", "by Splat and DivElem", func(c *check) {
		gives(c, []f32.Mat2{{{1, 0.5}, {0.25, 0.125}}}, scalarMatDiv, []f32.Mat2{{{1, 2}, {4, 8}}})
	}},
	{"test_mat_from_rows_indexing_assign", "rows and elements of a matrix of rows, counted from the end too", "len(m)-1: Go counts from the front", func(c *check) {
		gives(c, []f32.Mat3x2{
			{{123, 234}, {6, 8}, {5, 6}}, {{123, 234}, {12, 16}, {123, 234}}, {{345, 234}, {24, 32}, {123, 345}},
		}, matRowsAssigned)
	}},
	{"test_mat_from_cols_indexing_assign", "and of a matrix of columns", "", func(c *check) {
		gives(c, []f32.Mat2x3{{{123, 234, 345}, {4, 8, 12}}, {{456, 234, 345}, {246, 234, 345}}}, matColsAssigned)
	}},
	{"test_mat_from_rows_slicing_assign, test_mat_from_cols_slicing_assign", "parts of a matrix, with steps and backward", "rows by index, columns by Col, parts of rows by swizzles", func(c *check) {
		gives(c, []matSlices{{
			TopLeft: f32.Mat2{{1, 2}, {5, 6}}, BottomRight: f32.Mat2{{11, 12}, {15, 16}}, Crossed: f32.Mat2{{15, 13}, {7, 5}},
			Tail:  f32.Mat3x4{{5, 6, 7, 8}, {9, 10, 11, 12}, {13, 14, 15, 16}},
			Right: f32.Mat4x2{{3, 4}, {7, 8}, {11, 12}, {15, 16}},
			Head:  f32.Vec3{1, 2, 3}, Back: f32.Vec3{15, 14, 13}, Column: f32.Vec2{1, 5}, Reversed: f32.Vec4{4, 3, 2, 1},
		}}, matSlicing)
	}},
	{"test_mat_slicing_assign_backward", "parts that are assigned, from arrays", "loops; gradients have cases of their own", func(c *check) {
		z := make([]f32.Mat4, 2)
		c.launch(matSlicingAssigned, 2, full(2, f32.Vec2{1, 1}), full(2, f32.Mat2x3Splat(1)), z)
		equal(c, z, full(2, f32.Mat4{{1, 1, 1, 2}, {1, 2, 1, 2}, {1, 1, 0, -1}, {0, 0, 0, -2}}))
	}},
	{"test_tpl_ops_with_anon", "a named type and the same written out are one", "", func(c *check) {
		var m f32.Mat2 = f32.Mat2{{1, 2}, {3, 4}}
		equal(c, m.Add(f32.Mat2{{2, 3}, {4, 5}}).Sub(f32.Mat2{{3, 4}, {5, 6}}), f32.Mat2{{0, 1}, {2, 3}})
	}},
	{"test_mat_basics.py: test_arrays", "arrays of matrices are what they were made of", "", func(c *check) {
		int8Algebra.matArrays(c)
		uint64Algebra.matArrays(c)
		float32Algebra.matArrays(c)
		float64Algebra.matArrays(c)
	}},
	{"test_mat_basics.py: test_components", "rows and elements outside of kernels", "", func(c *check) {
		m := int8s.Mat2x3{{1, 2, 3}, {4, 5, 6}}
		equal(c, m[1], int8s.Vec3{4, 5, 6})
		m[0] = int8s.Vec3{7, 8, 9}
		m[1][2] = 18
		equal(c, m, int8s.Mat2x3{{7, 8, 9}, {4, 5, 18}})
	}},
	{"test_mat_basics.py: test_indexing", "elements by runtime indices", "", func(c *check) { int8Algebra.matIndexed(c); float32Algebra.matIndexed(c); float64Algebra.matIndexed(c) }},
	{"test_mat_basics.py: test_equality", "== and !=", "", func(c *check) { int32Algebra.matEquality(c); float32Algebra.matEquality(c) }},
	{"test_mat_basics.py: test_equivalent_types", "types that are made twice are one", "an alias is its type; rows convert", func(c *check) {
		m := f32.Mat2{{1, 2}, {3, 4}}
		gives(c, full(4, true), matEquivalent, m, m, [2][2]float32{{1, 2}, {3, 4}}, m)
	}},
	{"test_mat_basics.py: test_conversions", "tuples, lists and NumPy arrays as matrices", "a composite literal; rows convert from arrays and slices", nil},
	{"test_mat_constructors.py: test_constructors, test_anon_type_instance", "matrices of one number, of several, of vectors, and of nothing", "", func(c *check) {
		int8Algebra.matConstructed(c)
		uint64Algebra.matConstructed(c)
		float32Algebra.matConstructed(c)
		float64Algebra.matConstructed(c)
	}},
	{"test_mat_constructors.py: test_diag", "a diagonal of 5", "", func(c *check) { float32Algebra.matConstructed(c) }},
	{"test_mat_constructors.py: test_identity", "identities of 2 and 5", "", func(c *check) { int32Algebra.matConstructed(c) }},
	{"test_mat_constructors.py: test_matrix_from_vecs_runtime, test_matrix_from_vecs", "rows and columns, read and replaced, outside of kernels", "WithRow and WithCol give new matrices", func(c *check) {
		m := f32.Mat3FromCols(f32.Vec3{1, 2, 3}, f32.Vec3{4, 5, 6}, f32.Vec3{7, 8, 9})
		equal(c, m.Row(0), f32.Vec3{1, 4, 7})
		equal(c, m.Col(2), f32.Vec3{7, 8, 9})
		for i := range 3 {
			m = m.WithRow(i, f32.Vec3{8, 9, 10}.AddScalar(3*float32(i)))
		}
		rows := f32.Mat3FromRows(f32.Vec3{8, 9, 10}, f32.Vec3{11, 12, 13}, f32.Vec3{14, 15, 16})
		equal(c, m, rows)
		for i := range 3 {
			m = m.WithCol(i, rows[i])
		}
		equal(c, m, rows.Transpose())
	}},
	{"test_mat_constructors.py: test_constructors_explicit_precision", "matrices of numbers of 16 bits", "qd.Float16 is for storage: an array of it", nil},
	{"test_mat_constructors.py: test_*_constructor_error_*", "wrong numbers and types of elements", "the Go compiler's errors", nil},
	{"test_mat_elementwise_ops.py: test_scalar_multiplication", "a matrix times a number", "", matElements(opScale)},
	{"test_mat_elementwise_ops.py: test_addition", "sums, which wrap", "", matElements(opAdd)},
	{"test_mat_elementwise_ops.py: test_scalar_division", "a matrix divided by a number", "", matElements(opDivScalar)},
	{"test_mat_elementwise_ops.py: test_cw_multiplication", "products of the elements", "", matElements(opMul)},
	{"test_mat_elementwise_ops.py: test_cw_division", "quotients of the elements", "", matElements(opDiv)},
	{"test_mat_linalg.py: test_matvec_multiplication", "matrices times vectors", "", func(c *check) {
		int32Algebra.matvec(c, false)
		float32Algebra.matvec(c, false)
		float64Algebra.matvec(c, false)
	}},
	{"test_mat_linalg.py: test_vecmat_multiplication", "vectors times matrices", "TMulVec", func(c *check) {
		int32Algebra.matvec(c, true)
		float32Algebra.matvec(c, true)
		float64Algebra.matvec(c, true)
	}},
	{"test_mat_linalg.py: test_matmat_multiplication", "matrices times matrices", "", func(c *check) { int32Algebra.products(c); float64Algebra.products(c) }},
	{"test_mat_linalg.py: test_outer_product", "outer products, of two lengths too", "", func(c *check) { int8Algebra.outers(c); float32Algebra.outers(c); float64Algebra.outers(c) }},
	{"test_mat_linalg.py: test_transpose", "transposes", "", func(c *check) { int8Algebra.transposes(c); float64Algebra.transposes(c) }},
	{"test_mat_linalg.py: test_ddot", "Frobenius products", "", func(c *check) { int32Algebra.frobenius(c); float32Algebra.frobenius(c); float64Algebra.frobenius(c) }},
	{"test_mat_linalg.py: test_trace", "traces", "", func(c *check) { int8Algebra.traces(c); float32Algebra.traces(c) }},
	{"test_mat_assign_copy.py: test_matrix_assign_copy", "an assigned row is a copy", "", func(c *check) {
		out, rest := make([]f32.Mat2, 1), make([]f32.Vec2, 1)
		c.launch(matAssignCopy, 1, []f32.Vec2{{1, 1}}, out, rest)
		equal(c, out[0], f32.Mat2{{1, 3}, {0, 0}})
		equal(c, rest[0], f32.Vec2{1, 1})
	}},
}
