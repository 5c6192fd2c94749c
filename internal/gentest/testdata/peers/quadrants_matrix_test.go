package peers

import (
	"errors"
	"math"
	"strings"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/bools"
	"github.com/qdgen/qd/f32"
	"github.com/qdgen/qd/f64"
	"github.com/qdgen/qd/i32"
	"github.com/qdgen/qd/internal/gentest/testdata/bigtypes/int32s"
	"github.com/qdgen/qd/internal/gentest/testdata/bigtypes/int8s"
	"github.com/qdgen/qd/internal/gentest/testdata/bigtypes/uint8s"
)

// faults fails the case unless a checked build ends a launch with words.
func (c *check) faults(words string, kernel any, args ...any) {
	c.Helper()
	err := c.dev.Checked().Launch(kernel, qd.Dim(1), args...)
	var fault *qd.Fault
	if !errors.As(err, &fault) || !strings.Contains(err.Error(), words) {
		c.Errorf("the launch gives %v, want a fault with %q", err, words)
	}
}

// nearEach compares numbers with those wanted.
func nearEach[T qd.Float](c *check, got []T, tol float64, want ...float64) {
	c.Helper()
	for i, w := range want {
		near(c, got[i], w, tol)
	}
}

var (
	vectorA, vectorB, vectorC = i32.Vec2{42, 42}, i32.Vec2{24, 24}, i32.Vec2{83, 12}
	matrixA, matrixB, matrixC = i32.Mat2{{1, 2}, {3, 4}}, i32.Mat2{{5, 6}, {7, 8}}, i32.Mat2{{2, 8}, {-1, 3}}
)

var quadrantsMatrix = []peerCase{
	{"test_python_scope_vector_operations, test_python_scope_vector_field", "sums and differences of vectors outside of kernels, and of an array's", "", func(c *check) {
		x := qd.From(c.dev, []i32.Vec2{vectorA, vectorB}).Slice()
		equal(c, x[0].Add(x[1]), i32.Vec2{66, 66})
		equal(c, vectorA.Sub(vectorB), i32.Vec2{18, 18})
	}},
	{"test_python_scope_matrix_operations, test_python_scope_matrix_field", "and of matrices, with their product", "", func(c *check) {
		x := qd.From(c.dev, []i32.Mat2{matrixA, matrixB}).Slice()
		equal(c, x[0].Add(x[1]), i32.Mat2{{6, 8}, {10, 12}})
		equal(c, matrixA.Sub(matrixB), i32.Mat2{{-4, -4}, {-4, -4}})
		equal(c, x[0].Mul(x[1]), i32.Mat2{{19, 22}, {43, 50}})
	}},
	{"test_constant_matrices", "the functions of vectors, outside of kernels and on captured ones inside", "", func(c *check) {
		nearEach(c, []float64{qd.Cos(math.Pi / 3)}, 1e-15, 0.5)
		equal(c, i32.Vec2{2, 3}.Neg(), i32.Vec2{-2, -3})
		cos, atan2 := f64.Vec2{2, 3}.Cos(), f64.Vec2{2, 3}.Atan2(f64.Vec2{3, 4})
		nearEach(c, cos[:], 1e-15, math.Cos(2), math.Cos(3))
		nearEach(c, atan2[:], 1e-15, math.Atan2(2, 3), math.Atan2(3, 4))
		equal(c, i32.Vec3{3, 4, 5}.MaxScalar(4), i32.Vec3{4, 4, 5})
		equal(c, i32.Mat2{{2, 3}, {4, 5}}.MulVec(i32.Vec2{2, 3}), i32.Vec2{13, 23})
		unit := f64.Vec2{3, 4}.Normalize()
		nearEach(c, unit[:], 1e-15, 0.6, 0.8)
		equal(c, i32.Vec2{3, 4}.Cross(i32.Vec2{5, -12}), -12*3-4*5)
		equal(c, i32.Vec2{2, 3}.Where(bools.Vec2{true, false}, i32.Vec2{4, 5}), i32.Vec2{2, 5})
		vecs, mats := make([]i32.Vec2, 3), make([]i32.Mat2, 1)
		c.launch(globalsInKernel, 1, 5, vecs, mats)
		equal(c, vecs, []i32.Vec2{{13, 23}, {504, 798}, {588, 714}})
		equal(c, mats, []i32.Mat2{{{5, 7}, {9, 10}}})
	}},
	{"test_quadrants_scope_vector_operations_with_global_vectors", "captured vectors with an array's", "", func(c *check) {
		gives(c, []i32.Vec2{{66, 66}, {18, 18}, {125, 54}, {-41, 30}}, withGlobalVectors, []i32.Vec2{vectorC})
	}},
	{"test_quadrants_scope_matrix_operations_with_global_matrices", "captured matrices", "", func(c *check) {
		gives(c, []i32.Mat2{
			matrixA.Add(matrixB), matrixA.Sub(matrixB), {{19, 22}, {43, 50}},
			matrixA.Add(matrixC), matrixA.Sub(matrixC), {{0, 14}, {2, 36}},
		}, withGlobalMatrices, []i32.Mat2{matrixC})
	}},
	{"test_local_matrix_non_constant_index, test_local_matrix_non_constant_index_real_matrix", "local vectors and matrices by runtime index", "", func(c *check) {
		gives(c, []i32.Vec3{{24, 30, 19}}, localIndices)
		out := make([]int32, 4)
		c.must(c.dev.Launch(localElement, qd.Dim(2, 2), 10, out))
		equal(c, out, []int32{10, 20, 20, 30})
	}},
	{"test_matrix_ndarray_non_constant_index, test_matrix_field_non_constant_index", "elements of an array's vectors and matrices by runtime index", "", func(c *check) {
		a, b := make([]i32.Mat2, 5), make([]int32s.Vec10, 5)
		c.launch(arrayIndices, 5, a, b)
		equal(c, a, full(5, i32.Mat2{{0, 1}, {1, 2}}))
		equal(c, b, full(5, int32s.Vec10{1: 1, 4: 4, 9: 9}))
	}},
	{"test_matrix_field_constant_index", "and by index of an unrolled loop", "", func(c *check) {
		m := make([]i32.Mat2, 5)
		c.launch(arrayConstants, 5, m)
		equal(c, m, full(5, i32.Mat2Splat(12)))
	}},
	{"test_vector_to_list, test_matrix_to_list", "vectors and matrices as lists", "they are arrays", func(c *check) {
		equal(c, [2]float64(f64.Vec2{2, 3}), [2]float64{2, 3})
		m := f64.Mat2x3{{2, 3, 4}, {5, 6, 7}}
		equal(c, m[1][:], []float64{5, 6, 7})
	}},
	{"test_matrix_needs_grad", "fields of matrices with gradients", "gradients have cases of their own, under ssa/gradient; this one is not rebuilt", nil},
	{"test_copy_python_scope_matrix_to_quadrants_scope, test_copy_matrix_field_element_to_quadrants_scope, test_copy_matrix_in_quadrants_scope", "copies of captured, of an array's and of local vectors are copies", "", func(c *check) {
		field := []i32.Vec3{{1, 2, 3}}
		gives(c, []i32.Vec3{{1, 2, 3}, {4, 5, 6}, {5, 9, 7}, {1, 2, 3}, {5, 9, 7}, {1, 2, 3}}, copies, field)
		equal(c, field[0], i32.Vec3{1, 2, 3})
	}},
	{"test_matrix_field_dynamic_index_multiple_materialize", "arrays that are made after a kernel has run", "", func(c *check) {
		a := qd.Zeros[i32.Vec3](c.dev, 5)
		c.launch(elementOfEach, 5, a)
		equal(c, a.Slice(), []i32.Vec3{{0}, {0, 1}, {0, 0, 2}, {3}, {0, 4}})
	}},
	{"test_matrix_field_dynamic_index_*", "strides of fields in trees of layouts", "an array has one layout", nil},
	{"test_local_vector_initialized_in_a_loop", "a vector that is made in a loop", "", func(c *check) { gives(c, []int32{0}, madeInLoop) }},
	{"test_vector_dtype", "the type of a vector's numbers", "i32.Vec3From converts", func(c *check) {
		out, outN := make([]f32.Vec3, 1), make([]i32.Vec3, 1)
		c.launch(elementTypes, 1, []i32.Vec3{{1, 2, 3}}, []f32.Vec3{{1.5, 2.5, 3.5}}, out, outN)
		equal(c, out[0], f32.Vec3{0.5, 1, 1.5})
		equal(c, outN[0], i32.Vec3{1, 2, 3})
	}},
	{"test_matrix_dtype", "and of a matrix's", "", func(c *check) {
		out, outN := make([]f32.Mat2, 1), make([]i32.Mat2, 1)
		c.launch(matElementTypes, 1, []i32.Mat2{{{1, 2}, {3, 4}}}, []f32.Mat2{{{1.5, 2.5}, {3.5, 4.5}}}, out, outN)
		equal(c, out[0], f32.Mat2{{0.5, 1}, {1.5, 2}})
		equal(c, outN[0], i32.Mat2{{1, 2}, {3, 4}})
	}},
	{"test_python_scope_inplace_operator", "x op= y for ten operators", "m = m.Add(n); remainders, shifts and bits are of rows", func(c *check) {
		v, w := i32.Vec2{3, 4}, i32.Vec2{7, 8}
		equal(c, v.Mul(w), i32.Vec2{21, 32})
		equal(c, w.Div(v), i32.Vec2{2, 2})
		equal(c, w.Rem(v), i32.Vec2{1, 0})
		equal(c, v.Shl(w), i32.Vec2{3 << 7, 4 << 8})
		equal(c, w.Shr(v), i32.Vec2{0, 0})
		equal(c, v.Or(w), i32.Vec2{7, 12})
		equal(c, v.Xor(w), i32.Vec2{4, 12})
		equal(c, v.And(w), i32.Vec2{3, 0})
	}},
	{"test_indexing, test_indexing_in_fields, test_local_matrix_index_check", "one index of a matrix, two of a vector are errors", "one index is a row; two are the Go compiler's error", func(c *check) {
		gives(c, []i32.Vec3{{4, 5, 6}, {1, 2, 3}}, rowsByIndex, 1, []i32.Mat2x3{{{1, 2, 3}, {4, 5, 6}}})
	}},
	{"test_indexing_in_struct, test_indexing_in_struct_field", "the same of a matrix in a struct", "rows and elements of it, by runtime index", func(c *check) {
		in := []withMatrix{{A: i32.Vec3{1, 1, 1}, M: i32.Mat2x3{{10, 20, 30}, {40, 50, 60}}}}
		gives(c, []withMatrix{{A: i32.Vec3{2, 3, 4}, M: i32.Mat2x3{{40, 50, 60}, {4, 5, 52}}, N: 2}}, matrixInStruct, 1, in)
	}},
	{"test_matrix_vector_multiplication", "a matrix of ones times a vector", "", func(c *check) {
		gives(c, []f32.Vec3{{9, 9, 9}}, onesTimesThrees)
		equal(c, f32.Mat3Splat(1).MulVec(f32.Vec3{3, 3, 3}), f32.Vec3{9, 9, 9})
	}},
	{"test_local_matrix_read", "an element of a local matrix, by two runtime indices", "", func(c *check) {
		out := make([]int32, 9)
		c.must(c.dev.Launch(readLocal, qd.Dim(3, 3), out))
		equal(c, out, []int32{0, 1, 2, 3, 4, 5, 6, 7, 8})
	}},
	{"test_local_matrix_read_without_assign", "an element of a literal, by runtime index", "", func(c *check) {
		out := make([]int32, 3)
		c.launch(readLiteral, 3, out)
		equal(c, out, []int32{0, 1, 2})
	}},
	{"test_local_matrix_indexing_in_loop, test_local_matrix_indexing_ops", "local matrices read and written in loops", "", func(c *check) {
		s, m := make([]int32, 10), make([]i32.Mat3, 1)
		c.launch(localInLoops, 1, s, m)
		equal(c, s, []int32{1, 2, 3, 4, 5, 6, 7, 8, 9, 90})
		equal(c, m[0], counting().Transpose())
	}},
	{"test_elementwise_ops", "a scalar on either side, shifts, and quotients", "exactly equal to Go's", func(c *check) {
		ints, floats := make([]i32.Mat2, 6), make([]f32.Mat2, 2)
		c.launch(broadcasts, 1, []i32.Mat2{matrixA}, ints, floats)
		equal(c, ints, []i32.Mat2{{{11, 12}, {13, 14}}, {{2, 4}, {6, 8}}, {{13, 16}, {19, 22}}, {{2, 4}, {8, 16}}, {{1, 2}, {2, 3}}, {{2, 2}, {2, 2}}})
		equal(c, floats, []f32.Mat2{{{1 / float32(11), 1 / float32(12)}, {1 / float32(13), 1 / float32(14)}}, f32.Mat2Splat(2)})
	}},
	{"test_local_matrix_scalarize", "elements of a local matrix, read and written one by one", "", func(c *check) {
		gives(c, []f32.Mat2{{{100, 100}, {200, float32(math.Sqrt(200))}}}, scalarized)
	}},
	{"test_vector_vector_t", "a @ b of two vectors", "Dot", func(c *check) { gives(c, []float32{5}, rowTimesColumn, f32.Vec2{1, 2}, f32.Vec2{1, 2}) }},
	{"test_store_scalarize, test_load_store_scalarize", "matrices of an array, stored and copied", "", func(c *check) {
		a := make([]i32.Mat2, 5)
		c.must(c.dev.Run(matStores, a))
		equal(c, a, []i32.Mat2{{{0, 1}, {2, 3}}, {{1, 2}, {3, 4}}, {{2, 3}, {4, 5}}, {{1, 2}, {3, 4}}, {{2, 3}, {4, 5}}})
	}},
	{"test_load_broadcast", "a number stored as a matrix of it", "Mat2Splat", func(c *check) {
		a := qd.Zeros[i32.Mat2](c.dev, 5)
		c.must(c.dev.Run(broadcastStore, a))
		equal(c, a.Slice(), full(5, i32.Mat2{{42, 42}, {42, 42}}))
	}},
	{"test_unary_op_scalarize", "negation, exp and sqrt of matrices", "", func(c *check) {
		a := []f32.Mat2{{{0, 1}, {2, 3}}, {{3, 4}, {5, 6}}, {}, {}, {}}
		c.launch(unaries, 1, a)
		equal(c, a[2], a[0].Neg())
		for i := range 2 {
			nearEach(c, a[3][i][:], 1e-6, math.Exp(float64(a[1][i][0])), math.Exp(float64(a[1][i][1])))
			nearEach(c, a[4][i][:], 1e-6, math.Sqrt(float64(a[3][i][0])), math.Sqrt(float64(a[3][i][1])))
		}
	}},
	{"test_binary_op_scalarize", "sums, products of elements, and maxima", "", func(c *check) {
		a := []f32.Mat2{{{0, 1}, {2, 3}}, {{3, 4}, {5, 6}}, {}, {}, {}}
		c.launch(binaries, 1, a)
		equal(c, a[2:], []f32.Mat2{{{0, 2}, {4, 6}}, {{9, 16}, {25, 36}}, {{9, 16}, {25, 36}}})
	}},
	{"test_trace_op", "the trace, which only square matrices have", "of others: the Go compiler's error", func(c *check) {
		m := f32.Mat2{{0.1, 3}, {5, 7}}
		gives(c, []float32{m[0][0] + 7}, traces, []f32.Mat2{m})
		equal(c, m.Trace(), m[0][0]+7)
	}},
	{"test_ternary_op_scalarize, test_ternary_op_cond_is_scalar", "selection by a mask and by one condition", "Where; an if", func(c *check) {
		x, y := i32.Vec3{3, 3, 3}, i32.Vec3{5, 5, 5}
		gives(c, []i32.Vec3{{3, 5, 3}, y, x, y, x}, selects, 4, x, y)
	}},
	{"test_fill_op", "a matrix filled with a number", "", func(c *check) { gives(c, []f32.Mat4x3{f32.Mat4x3Splat(1.14)}, fills, 1.14) }},
	{"test_atomic_op_scalarize", "atomic additions to vectors of an array", "to each element; the number is the same for all or not", func(c *check) {
		x, before := []f32.Vec3{{1, 2, 3}, {1, 1, 1}, {}}, make([]f32.Vec3, 2)
		c.must(c.dev.Run(atomics, x, before))
		equal(c, x, []f32.Vec3{{-2, 0, 2}, {3, 3, 3}, {100, 100, 100}})
		equal(c, before, []f32.Vec3{{1, 2, 3}, {1, 1, 1}})
	}},
	{"test_vector_transpose", "a vector has no transpose: its advice is the outer product", "the Go compiler's error", nil},
	{"test_cross_scope_matrix_binary_ops, test_cross_scope_matrix_ternary_ops, test_cross_scope_matrix_atomic_ops", "captured offsets added to indices", "", func(c *check) {
		x := make([]i32.Vec3, 16*16)
		c.launch(offsets, 1, qd.ViewOf2(x, 16, 16))
		want := make([]i32.Vec3, 16*16)
		want[5*16+7], want[6*16+8], want[1*16+1], want[1*16+3] = i32.Vec3{100, 10, 1}, i32.Vec3{1, 10, 100}, i32.Vec3{7, 7, 7}, i32.Vec3{8, 8, 8}
		equal(c, x, want)
	}},
	{"test_global_tmp_overwrite", "a matrix that is changed in a loop that it decides", "", func(c *check) { gives(c, []int32{4}, overwritten) }},
	{"test_matrix_len", "lengths, of matrices the number of rows", "", func(c *check) { gives(c, []int{2, 3, 2}, numbersOfRows, i32.Vec2{1, 0}, i32.Mat3{}) }},
	{"test_cross_scope_matrix", "elements of a captured matrix", "", func(c *check) { gives(c, []i32.Vec4{{1, 2, 3, 4}}, flattened) }},
	{"test_matrix_type_inference", "a list of an integer and a float is of floats", "a composite literal says its type", nil},
	{"test_matrix_arithmatics", "sums of products of an array's vectors", "", func(c *check) {
		f := []f32.Vec4{{0, 1, 2, 3}, {1, 2, 3, 4}, {2, 3, 4, 5}, {4, 5, 6, 7}}
		c.launch(arithmetic, 1, f)
		equal(c, f, []f32.Vec4{{2, 5, 10, 17}, {6, 11, 18, 27}, {4, 8, 14, 22}, {4, 5, 6, 7}})
	}},
	{"test_matrix_oob", "indices out of range, in a checked build", "each index is checked: the tests that Quadrants leaves out too", func(c *check) {
		gives(c, []int32{42}, writesElement, 1)
		gives(c, []int32{42}, writesMatElement, 2, 2)
		out := make([]int32, 1)
		c.faults("index out of range [2] with length 2", writesElement, 2, out)
		c.faults("index out of range [-1]", writesElement, -1, out)
		c.faults("index out of range [3] with length 3", writesMatElement, 2, 3, out)
		c.faults("index out of range [3] with length 3", writesMatElement, 3, 0, out)
		c.faults("index out of range [-1]", writesMatElement, -1, 0, out)
		c.faults("index out of range [8] with length 3", writesMatElement, 0, 8, out)
		c.faults("index out of range [-1]", writesMatElement, -1, 10, out)
		c.faults("index out of range [", writesMatElement, 3, -1, out)
	}},
	{"test_matrix_from_numpy_with_offset, test_matrix_to_numpy_with_offset", "arrays of matrices of one and two dimensions, there and back", "without offsets: indices are from 0", func(c *check) {
		ones := full(6*12, f32.Mat4x3Splat(1))
		equal(c, qd.From(c.dev, ones, 6, 12).Slice(), ones)
		x := full(8, f64.Mat4x3{{1, 2, 3}, {}, {}, {4, 5, 6}})
		equal(c, qd.From(c.dev, x).Slice(), x)
	}},
	{"test_matrix_and_func", "a function of a vector", "", func(c *check) {
		out := make([]float64, 1)
		c.launch(callsWithVector, 1, f64.Vec4{1, 2, 3, 4}, out)
		near(c, out[0], math.Sqrt(30), 1e-15)
	}},
	{"test_matrix_loop_unique", "an element of each vector of an array", "", func(c *check) {
		x := make([]f32.Vec3, 10)
		c.must(c.dev.Run(incrementsElement, x))
		equal(c, x, full(10, f32.Vec3{0, 1, 0}))
	}},
	{"test_matrix_slice.py: test_matrix_slice_read, test_matrix_slice_with_variable", "parts of vectors, rows and columns", "loops, rows, Col and swizzles", func(c *check) {
		vecs, cols := make([]i32.Vec3, 2), make([]i32.Vec2, 2)
		c.launch(partsRead, 1, 1, vecs, cols)
		equal(c, vecs, []i32.Vec3{{0, 2, 4}, {4, 5, 6}})
		equal(c, cols, []i32.Vec2{{2, 5}, {5, 6}})
	}},
	{"test_matrix_slice.py: test_matrix_slice_invalid", "runtime bounds of slices are errors", "Go's types have constant lengths", nil},
	{"test_matrix_slice.py: test_matrix_slice_write, test_matrix_slice_write_dynamic_index", "rows, columns and parts that are assigned, also by runtime index", "", func(c *check) {
		gives(c, []i32.Mat3x4{
			{{1}, {2}, {3}}, {1: {0, 1, 2}}, {{2, 3, 4, 5}, {2, 3, 4, 5}, {1, 1, 1, 1}}, {2: {1, 2, 3, 4}}, {{0, 0, 7}, {0, 0, 8}, {0, 0, 9}},
		}, sliceWrites, 2)
	}},
	{"test_matrix_arg.py: test_matrix_arg, test_vector_arg", "matrices and vectors as arguments, which are copies", "", func(c *check) {
		gives(c, []int32{7, 9, 6, 6}, matrixArguments, i32.Mat2x3{{1, 2, 3}, {4, 5, 6}}, 3, i32.Mat3x2{{1, 2}, {3, 4}, {5, 6}}, i32.Vec3{1, 2, 3})
	}},
	{"test_matrix_arg.py: test_matrix_fancy_arg", "matrices of lists, rows, numbers and other shapes", "composite literals, FromRows, Splat", func(c *check) {
		a := f64.Vec3{1, 2, 3}
		equal(c, f64.Mat4x3FromRows(a, a, a, a), f64.Mat4x3{a, a, a, a})
		equal(c, f64.Mat4x3Splat(1.0), f64.Mat4x3{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}})
	}},
	{"test_matrix_arg.py: test_matrix_arg_insertion_pos", "an image of vectors of bytes, and vectors as arguments", "", func(c *check) {
		image := make([]uint8s.Vec4, 64)
		c.must(c.dev.Launch(paints, qd.Dim(8, 8), qd.ViewOf2(image, 8, 8), f32.Vec3{10, 20, 30}, f32.Vec3{0, 2, 0}))
		equal(c, image, full(64, uint8s.Vec4{10, 21, 30, 255}))
	}},
	{"test_matrix_return.py: test_vector_return, test_matrix_return, *_real_matrix, *_limit", "vectors and matrices as results of kernels", "of functions; kernels write arrays", func(c *check) {
		vecs, mats, seconds := make([]i32.Vec3, 2), make([]int8s.Mat2x3, 1), make([]i32.Vec2, 1)
		c.launch(returned, 1, vecs, mats, seconds)
		equal(c, vecs, []i32.Vec3{{1, 2, 3}, {1, 2, 3}})
		equal(c, mats, []int8s.Mat2x3{{{1, 2, 3}, {4, 5, 6}}})
		equal(c, seconds, []i32.Vec2{{4, 5}})
	}},
	{"test_matrix_different_type.py", "matrices of quantized numbers of several types", "not there: elements have one type", nil},
}
