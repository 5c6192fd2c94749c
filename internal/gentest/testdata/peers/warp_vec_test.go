package peers

import (
	"math"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/bools"
	"github.com/qdgen/qd/f32"
	"github.com/qdgen/qd/f64"
	"github.com/qdgen/qd/i32"
	"github.com/qdgen/qd/internal/gentest/testdata/bigtypes/big32"
	"github.com/qdgen/qd/internal/gentest/testdata/bigtypes/big64"
	"github.com/qdgen/qd/internal/gentest/testdata/bigtypes/int32s"
	"github.com/qdgen/qd/internal/gentest/testdata/bigtypes/int8s"
	"github.com/qdgen/qd/internal/gentest/testdata/bigtypes/uint64s"
	"github.com/qdgen/qd/internal/gentest/testdata/bigtypes/uint8s"
)

// each are the numbers of vectors, in order.
func each[V2 ~[2]T, V3 ~[3]T, V4 ~[4]T, V5 ~[5]T, T qd.Number](v vectors[V2, V3, V4, V5]) []T {
	x := append(v.V2[:], v.V3[:]...)
	return append(append(x, v.V4[:]...), v.V5[:]...)
}

// vectorsOf has numbers in order.
func vectorsOf[V2 ~[2]T, V3 ~[3]T, V4 ~[4]T, V5 ~[5]T, T qd.Number](x []T) (v vectors[V2, V3, V4, V5]) {
	copy(v.V2[:], x)
	copy(v.V3[:], x[2:])
	copy(v.V4[:], x[5:])
	copy(v.V5[:], x[9:])
	return v
}

// lengths are the lengths of vectors, for sums over them.
var lengths = []int{2, 3, 4, 5}

// picked are n numbers of a list, each 14 times with another start, as vectors.
func picked[V2 ~[2]T, V3 ~[3]T, V4 ~[4]T, V5 ~[5]T, T qd.Number](n, start, step int, list ...T) []vectors[V2, V3, V4, V5] {
	out := make([]vectors[V2, V3, V4, V5], n)
	for i := range out {
		x := make([]T, 14)
		for j := range x {
			x[j] = list[(start+step*(14*i+j))%len(list)]
		}
		out[i] = vectorsOf[V2, V3, V4, V5](x)
	}
	return out
}

// operands are numbers with the products and sums that wrap, and divisors without zero.
func operands[V2 ~[2]T, V3 ~[3]T, V4 ~[4]T, V5 ~[5]T, T qd.Number]() (a, b []vectors[V2, V3, V4, V5]) {
	var zero T
	a = picked[V2, V3, V4, V5](11, 0, 1, 0, 1, 2, 3, zero-1, 100, zero-5, 127, zero-100, 64, 7)
	b = picked[V2, V3, V4, V5](11, 3, 2, 1, zero-1, 2, 3, 5, zero-2, 100, 11, 4)
	return a, b
}

// An elementOp is an operation on the numbers of two vectors and a scalar.
type elementOp int

const (
	opNeg elementOp = iota
	opAdd
	opSub
	opMul
	opDiv
	opScale
	opDivScalar
	opMin
	opMax
	opAbs
	opSign
)

// elementOf is what an operation gives for one number of each vector, by Go's operators.
func elementOf[T qd.Number](op elementOp, x, y, s T) T {
	switch op {
	case opNeg:
		return -x
	case opAdd:
		return x + y
	case opSub:
		return x - y
	case opMul:
		return x * y
	case opDiv:
		return x / y
	case opScale:
		return x * s
	case opDivScalar:
		return x / s
	case opMin:
		return min(x, y)
	case opMax:
		return max(x, y)
	case opAbs:
		if x < 0 {
			return -x
		}
		return x
	default:
		return sign(x)
	}
}

func sign[T qd.Number](x T) T {
	var zero T
	switch {
	case x > 0:
		return 1
	case x < 0:
		return zero - 1
	}
	return 0
}

func (r vecResult[V, T]) of(op elementOp) V {
	return [...]V{r.Neg, r.Add, r.Sub, r.Mul, r.Div, r.Scale, r.DivScalar, r.Min, r.Max, r.Abs, r.Sign}[op]
}

// vecResults launches vecOperations.
func (f algebra[V2, V3, V4, V5, M2, M3, M4, M5, M23, M32, T]) vecResults(c *check, s T) []vecResult[vectors[V2, V3, V4, V5], T] {
	c.Helper()
	a, b := operands[V2, V3, V4, V5]()
	out := make([]vecResult[vectors[V2, V3, V4, V5], T], len(a))
	c.launch(vecOperations[V2, V3, V4, V5, T], len(a), a, b, s, out)
	return out
}

func (f algebra[V2, V3, V4, V5, M2, M3, M4, M5, M23, M32, T]) elements(c *check, op elementOp) {
	c.Helper()
	a, b := operands[V2, V3, V4, V5]()
	for i, r := range f.vecResults(c, 3) {
		got, x, y := each(r.of(op)), each(a[i]), each(b[i])
		for j := range got {
			if want := elementOf(op, x[j], y[j], 3); got[j] != want {
				c.Fatalf("%T: operation %d of %v and %v gives %v, want %v", want, op, x[j], y[j], got[j], want)
			}
		}
	}
}

// elements compares an operation with Go's operators, over types of numbers.
func elements(op elementOp) func(c *check) {
	return func(c *check) {
		int8Algebra.elements(c, op)
		int32Algebra.elements(c, op)
		uint64Algebra.elements(c, op)
		float32Algebra.elements(c, op)
		float64Algebra.elements(c, op)
	}
}

func (f algebra[V2, V3, V4, V5, M2, M3, M4, M5, M23, M32, T]) dots(c *check) {
	c.Helper()
	a, b := operands[V2, V3, V4, V5]()
	for i, r := range f.vecResults(c, 3) {
		x, y := each(a[i]), each(b[i])
		for j, n := range lengths {
			var want T
			for k := range n {
				want += T(x[k] * y[k])
			}
			equal(c, r.Dots[j], want)
			x, y = x[n:], y[n:]
		}
	}
}

func (f algebra[V2, V3, V4, V5, M2, M3, M4, M5, M23, M32, T]) equality(c *check) {
	c.Helper()
	for _, r := range f.vecResults(c, 3) {
		equal(c, r.Same, true)
		equal(c, r.Other, false)
	}
}

// onOperands launches a kernel over the operands and compares it with a function of numbers.
func onOperands[V2 ~[2]T, V3 ~[3]T, V4 ~[4]T, V5 ~[5]T, T qd.Number](c *check, kernel func(t qd.Thread, a, b, out []vectors[V2, V3, V4, V5]), want func(x, y T) T) {
	c.Helper()
	a, b := operands[V2, V3, V4, V5]()
	out := make([]vectors[V2, V3, V4, V5], len(a))
	c.launch(kernel, len(a), a, b, out)
	for i := range out {
		x, y := each(a[i]), each(b[i])
		for j, got := range each(out[i]) {
			equal(c, got, want(x[j], y[j]))
		}
	}
}

func remainder[T qd.Int](x, y T) T { return x % y }
func modulo[T qd.Float](x, y T) T  { return T(math.Mod(float64(x), float64(y))) }

// near fails the case unless a number is another, up to a relative error.
func near[T qd.Float](c *check, got T, want, tol float64) {
	c.Helper()
	if diff := math.Abs(float64(got) - want); !(diff <= tol*max(1, math.Abs(want))) {
		c.Errorf("%v, want %v: the difference is %g", got, want, diff)
	}
}

// epsilon is the distance from 1 to the next number of a type.
func epsilon[T qd.Float]() float64 {
	if x := T(1 << 24); x+1 == x {
		return 0x1p-23
	}
	return 0x1p-52
}

// A lengthsKernel is vecLengths.
type lengthsKernel[V2, V3, V4, V5, T any] = func(t qd.Thread, a []vectors[V2, V3, V4, V5], out []vecLength[vectors[V2, V3, V4, V5], T])

func lengthsOf[V2 ~[2]T, V3 ~[3]T, V4 ~[4]T, V5 ~[5]T, T qd.Float](c *check, kernel lengthsKernel[V2, V3, V4, V5, T], compare func(n int, x []T, norm, normSq T, normalized []T)) {
	c.Helper()
	a := picked[V2, V3, V4, V5](5, 0, 1, 1, -2, 0.25, 3, -100, 1e-3, 0.5)
	a = append(a, vectors[V2, V3, V4, V5]{}, picked[V2, V3, V4, V5](1, 0, 1, 3e4, -4e4)[0])
	out := make([]vecLength[vectors[V2, V3, V4, V5], T], len(a))
	c.launch(kernel, len(a), a, out)
	for i, r := range out {
		x, y := each(a[i]), each(r.Normalized)
		for j, n := range lengths {
			compare(n, x[:n], r.Norm[j], r.NormSq[j], y[:n])
			x, y = x[n:], y[n:]
		}
	}
}

// sumSq is the sum of the squares of numbers.
func sumSq[T qd.Float](x []T) (sum float64) {
	for _, v := range x {
		sum += float64(v) * float64(v)
	}
	return sum
}

func normsOf[V2 ~[2]T, V3 ~[3]T, V4 ~[4]T, V5 ~[5]T, T qd.Float](c *check, kernel lengthsKernel[V2, V3, V4, V5, T]) {
	c.Helper()
	lengthsOf(c, kernel, func(n int, x []T, norm, normSq T, _ []T) {
		near(c, norm, math.Sqrt(sumSq(x)), 4*epsilon[T]())
		near(c, normSq, sumSq(x), 8*epsilon[T]())
	})
}

func normalizedOf[V2 ~[2]T, V3 ~[3]T, V4 ~[4]T, V5 ~[5]T, T qd.Float](c *check, kernel lengthsKernel[V2, V3, V4, V5, T]) {
	c.Helper()
	lengthsOf(c, kernel, func(n int, x []T, _, _ T, normalized []T) {
		for i := range x {
			if norm := math.Sqrt(sumSq(x)); norm == 0 {
				equal(c, normalized[i], 0)
			} else {
				near(c, normalized[i], float64(x[i])/norm, 4*epsilon[T]())
			}
		}
	})
}

var (
	vecLengths32 = vecLengths[f32.Vec2, f32.Vec3, f32.Vec4, big32.Vec5]
	vecLengths64 = vecLengths[f64.Vec2, f64.Vec3, f64.Vec4, big64.Vec5]
)

func crossOf[V ~[3]T, T qd.Number](c *check, kernel func(t qd.Thread, a, b, out []V)) {
	c.Helper()
	vs, ws := operands[[2]T, V, [4]T, [5]T]()
	a, b := make([]V, len(vs)), make([]V, len(vs))
	for i := range vs {
		a[i], b[i] = vs[i].V3, ws[i].V3
	}
	out := make([]V, len(a))
	c.launch(kernel, len(a), a, b, out)
	for i := range out {
		x, y := a[i], b[i]
		equal(c, out[i], V{
			T(x[1]*y[2]) - T(x[2]*y[1]), T(x[2]*y[0]) - T(x[0]*y[2]), T(x[0]*y[1]) - T(x[1]*y[0]),
		})
	}
}

// counted are numbers from 1 on.
func counted[T qd.Number](n int) []T {
	x := make([]T, n)
	for i := range x {
		x[i] = T(i + 1)
	}
	return x
}

func (f algebra[V2, V3, V4, V5, M2, M3, M4, M5, M23, M32, T]) constructed(c *check) {
	c.Helper()
	in := counted[T](14)
	out := make([]vectors[V2, V3, V4, V5], 5)
	c.launch(vecConstruct[V2, V3, V4, V5, T], 1, qd.C(f.vecMakers), in, out)
	equal(c, out[0], vectors[V2, V3, V4, V5]{})
	equal(c, each(out[1]), full(14, in[0]))
	equal(c, each(out[2]), in)
	equal(c, each(out[3]), in)
	equal(c, each(out[4]), []T{0, 1, 1, 2, 5, 3, 4, 5, 9, 0, 0, 0, 0, 1})
}

func (f algebra[V2, V3, V4, V5, M2, M3, M4, M5, M23, M32, T]) indexed(c *check) {
	c.Helper()
	in := counted[T](14)
	out := make([]T, 14)
	c.launch(vecIndexed[V2, V3, V4, V5, T], 1, []vectors[V2, V3, V4, V5]{vectorsOf[V2, V3, V4, V5](in)}, out)
	for i, x := range out {
		equal(c, x, 2*in[i])
	}
}

func (f algebra[V2, V3, V4, V5, M2, M3, M4, M5, M23, M32, T]) arrays(c *check) {
	c.Helper()
	a, _ := operands[V2, V3, V4, V5]()
	x := qd.From(c.dev, a)
	c.must(x.Err())
	equal(c, x.Slice(), a)
}

var warpVec = []peerCase{
	{"test_length_mismatch", "vectors of two lengths cannot be compared", "the Go compiler's error", nil},
	{"test_negation", "negation, of lengths 2 to 5, over types of numbers", "unsigned numbers too: they wrap", elements(opNeg)},
	{"test_subtraction, test_subtraction_unsigned", "subtraction, where it wraps too", "", elements(opSub)},
	{"test_length", "norms and their squares", "", func(c *check) { normsOf(c, vecLengths32); normsOf(c, vecLengths64) }},
	{"test_normalize", "normalized vectors; the zero vector stays zero", "", func(c *check) { normalizedOf(c, vecLengths32); normalizedOf(c, vecLengths64) }},
	{"test_crossproduct", "cross products", "of integers too", func(c *check) {
		crossOf(c, vecCross[f32.Vec3])
		crossOf(c, vecCross[f64.Vec3])
		crossOf(c, vecCross[i32.Vec3])
	}},
	{"test_vector_mutation", "elements of a vector of 10, written in a loop", "its type is made by qdgen types", func(c *check) {
		gives(c, []Vec10{{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}}, vecMutation)
	}},
	{"test_vector_len", "lengths are constants, of 123 numbers too", "123 numbers are an array", func(c *check) {
		gives(c, []int{2, 3, 4, 123, 2}, vecLen, f32.Vec2{}, f32.Vec3{}, f32.Vec4{}, [123]float32{})
	}},
	{"test_vec_extract", "elements by index and by name", "", func(c *check) { gives(c, []float32{6, 6}, vecExtract, []f32.Vec3{{1, 1, 1}}) }},
	{"test_vec_assign", "elements that are assigned", "by index; names are methods that read", func(c *check) {
		gives(c, []f32.Vec3{{1, 2, 3}, {1, 2, 3}}, vecAssign, []float32{1})
	}},
	{"test_vec_array_extract", "elements of vectors in an array of two dimensions", "", func(c *check) {
		x, y := qd.ViewOf2(full(6, f32.Vec3{1, 1, 1}), 2, 3), make([]float32, 6)
		c.must(c.dev.Launch(vecArrayExtract, qd.Dim(2, 3), x, qd.ViewOf2(y, 2, 3)))
		equal(c, y, full(6, float32(6)))
	}},
	{"test_vec_array_assign", "and assigned there", "through a pointer", func(c *check) {
		y := make([]f32.Vec3, 6)
		c.must(c.dev.Launch(vecArrayAssign, qd.Dim(2, 3), qd.ViewOf2(full(6, float32(1)), 2, 3), qd.ViewOf2(y, 2, 3)))
		equal(c, y, full(6, f32.Vec3{1, 2, 3}))
	}},
	{"test_vec_add_inplace, test_vec_sub_inplace", "elements in place", "", func(c *check) {
		gives(c, []f32.Vec3{{1, 2, 3}, {-1, -2, -3}}, vecInPlace, []f32.Vec3{{1, 1, 1}})
	}},
	{"test_vec_array_add_inplace, test_vec_array_sub_inplace", "vectors of arrays in place", "", func(c *check) {
		sum, difference := make([]f32.Vec3, 4), make([]f32.Vec3, 4)
		c.launch(vecArrayInPlace, 4, full(4, f32.Vec3{1, 1, 1}), sum, difference)
		equal(c, sum, full(4, f32.Vec3{1, 1, 1}))
		equal(c, difference, full(4, f32.Vec3{-1, -1, -1}))
	}},
	{"test_scalar_vec_div", "a number divided by a vector", "by f32.Vec3Splat(1).Div", func(c *check) {
		gives(c, []f32.Vec3{{1, 0.5, 0.25}}, scalarVecDiv, []f32.Vec3{{1, 2, 4}})
	}},
	{"test_vec_indexing_assign", "elements by constant index, counted from the end too", "len(v)-1: Go counts from the front", func(c *check) {
		gives(c, []f32.Vec4{{123, 4, 3, 4}, {123, 4, 6, 123}}, vecIndexing)
	}},
	{"test_vec_slicing_assign", "parts of a vector, read and assigned, with steps and backward", "swizzles read; Go's slices and copy assign", func(c *check) {
		gives(c, []vecSlices{{
			Tail: f32.Vec3{2, 3, 4}, Head: f32.Vec3{1, 2, 3}, Ends: f32.Vec2{3, 4}, Evens: f32.Vec2{1, 3},
			Odds: f32.Vec2{2, 4}, Backward: f32.Vec2{4, 2}, Reversed: f32.Vec4{4, 3, 2, 1},
			Assigned: [7]f32.Vec4{
				{1, 5, 6, 7}, {1, 5, 8, 9}, {10, 11, 8, 9}, {15, 11, 16, 9},
				{22, 21, 20, 19}, {22, 47, 47, 47}, {22, 14, 13, 12},
			},
		}}, vecSlicing)
	}},
	{"test_vec_assign_inplace_errors", "a part that is assigned has the length and the type of the slice", "the Go compiler's errors", nil},
	{"test_vec_slicing_assign_backward", "parts of vectors of arrays", "without the gradients, which have cases of their own", func(c *check) {
		y := make([]f32.Vec4, 3)
		c.launch(vecSlicingOfArrays, 3, full(3, f32.Vec2{1, 1}), y)
		equal(c, y, full(3, f32.Vec4{1, 2, 0, -1}))
	}},
	{"test_tpl_ops_with_anon", "a named type and the same written out are one", "", func(c *check) {
		var v i32.Vec3 = i32.Vec3{1, 2, 3}
		equal(c, v.Add(i32.Vec3{2, 3, 4}).Sub(i32.Vec3{3, 4, 5}), i32.Vec3{0, 1, 2})
	}},
	{"test_vector_indexing_types", "indices of every type of integers, and of the least and the greatest element", "", func(c *check) {
		gives(c, []int32{1 + 2 + 3 + 4 + 1 + 2 + 3 + 4, 2, 5, 6 + 4 + 2 + 7}, indexingTypes,
			int8(0), uint8(1), int16(2), uint16(3), int32(0), uint32(1), int64(2), uint64(3))
	}},
	{"test_vec_scalar_ops.py: test_arrays", "arrays of vectors are what they were made of", "", func(c *check) {
		int8Algebra.arrays(c)
		uint64Algebra.arrays(c)
		int32Algebra.arrays(c)
		float32Algebra.arrays(c)
		float64Algebra.arrays(c)
	}},
	{"test_vec_scalar_ops.py: test_components", "elements outside of kernels", "Go's slices of them", func(c *check) {
		v := i32.Vec3{1, 2, 3}
		equal(c, v[1:], []int32{2, 3})
		copy(v[:2], []int32{12, 13})
		v[2] = 14
		equal(c, v, i32.Vec3{12, 13, 14})
	}},
	{"test_vec_scalar_ops.py: test_py_arithmetic_ops", "the algebra outside of kernels", "the same methods", func(c *check) {
		v, fives := int8s.Vec3{1, -2, 3}, int8s.Vec3Splat(5)
		equal(c, v.Neg(), int8s.Vec3{-1, 2, -3})
		equal(c, v.Add(fives), int8s.Vec3{6, 3, 8})
		equal(c, v.Sub(fives), int8s.Vec3{-4, -7, -2})
		equal(c, v.Rem(int8s.Vec3Splat(2)), int8s.Vec3{1, 0, 1})
		equal(c, f64.Vec3{2, 4, 6}.Scale(2), f64.Vec3{4, 8, 12})
		equal(c, f64.Vec3{2, 4, 6}.DivScalar(2), f64.Vec3{1, 2, 3})
		equal(c, f64.Vec3Splat(24.0).Div(f64.Vec3{2, 4, 6}), f64.Vec3{12, 6, 4})
	}},
	{"test_vec_scalar_ops.py: test_constructors, test_anon_type_instance", "vectors of one number, of several, of another vector, and of nothing", "composite literals, Splat, Unit, Extend", func(c *check) {
		int8Algebra.constructed(c)
		uint64Algebra.constructed(c)
		float32Algebra.constructed(c)
		float64Algebra.constructed(c)
	}},
	{"test_vec_scalar_ops.py: test_indexing", "elements by runtime index", "", func(c *check) { int8Algebra.indexed(c); float32Algebra.indexed(c); float64Algebra.indexed(c) }},
	{"test_vec_scalar_ops.py: test_equality", "== and !=", "", func(c *check) { int32Algebra.equality(c); uint64Algebra.equality(c); float64Algebra.equality(c) }},
	{"test_vec_scalar_ops.py: test_scalar_multiplication, test_scalar_multiplication_rightmul", "a vector times a number", "Scale, for both orders", elements(opScale)},
	{"test_vec_scalar_ops.py: test_cw_multiplication", "products of the elements", "", elements(opMul)},
	{"test_vec_scalar_ops.py: test_scalar_division", "a vector divided by a number", "", elements(opDivScalar)},
	{"test_vec_scalar_ops.py: test_cw_division", "quotients of the elements: of integers they truncate", "", elements(opDiv)},
	{"test_vec_scalar_ops.py: test_addition", "sums, which wrap", "", elements(opAdd)},
	{"test_vec_scalar_ops.py: test_dotproduct", "dot products", "", func(c *check) {
		int8Algebra.dots(c)
		uint64Algebra.dots(c)
		float32Algebra.dots(c)
		float64Algebra.dots(c)
	}},
	{"test_vec_scalar_ops.py: test_modulo", "remainders, with the sign of the dividend", "Rem for integers, Mod for floats", func(c *check) {
		onOperands(c, vecRemainders[int8s.Vec2, int8s.Vec3, int8s.Vec4, int8s.Vec5], remainder)
		onOperands(c, vecRemainders[i32.Vec2, i32.Vec3, i32.Vec4, int32s.Vec5], remainder)
		onOperands(c, vecRemainders[uint64s.Vec2, uint64s.Vec3, uint64s.Vec4, uint64s.Vec5], remainder)
		onOperands(c, vecModulo[f32.Vec2, f32.Vec3, f32.Vec4, big32.Vec5], modulo)
		onOperands(c, vecModulo[f64.Vec2, f64.Vec3, f64.Vec4, big64.Vec5], modulo)
	}},
	{"test_vec_scalar_ops.py: test_equivalent_types", "types that are made twice are one", "an alias is its type; arrays and named vectors convert", func(c *check) {
		gives(c, full(4, true), vecEquivalent, f32.Vec3{1, 2, 3}, f32.Vec3{1, 2, 3}, [3]float32{1, 2, 3}, location{1, 2, 3})
	}},
	{"test_vec_scalar_ops.py: test_equivalent_types (elements of a named type)", "vectors of numbers that have a type of their own", "the elements are of Go's number types; the vector may have a name of its own", nil},
	{"test_vec_scalar_ops.py: test_conversions", "tuples, lists and NumPy arrays as vectors", "arrays and slices of the length convert", func(c *check) {
		equal(c, f32.Vec3([]float32{1, 2, 3}), f32.Vec3([3]float32{1, 2, 3}))
	}},
	{"test_vec_scalar_ops.py: test_constants", "captured vectors, and as compile-time arguments", "", func(c *check) {
		gives(c, full(5, true), vecConstants, qd.C(f32.Vec3{1, 2, 3}))
	}},
	{"test_vec_scalar_ops.py: test_abs", "absolute values", "", elements(opAbs)},
	{"test_vec_scalar_ops.py: test_sign", "signs", "of zero it is 0", elements(opSign)},
	{"test_vec_scalar_ops.py: test_minmax", "the lesser and the greater of the elements", "run; Warp's test is too slow to compile", func(c *check) {
		elements(opMin)(c)
		elements(opMax)(c)
	}},
	{"test_vec_constructors.py: test_casting_constructors", "vectors of one type of numbers from another", "", func(c *check) {
		gives(c, []conversions{{i32.Vec3{1, -2, 300}, uint8s.Vec3{1, 254, 44}, f64.Vec3{1, -2, 0.5}, f32.Vec3{0.1, 16777216, -1}}}, vecConverted,
			f32.Vec3{1.9, -2.9, 300}, f32.Vec3{1, -2, 0.5}, i32.Vec3{1, -2, 300}, f64.Vec3{0.1, 16777217, -1})
	}},
	{"test_vec_constructors.py: test_vector_constructors_explicit_precision", "vectors of numbers of 16 bits", "qd.Float16 is for storage: an array of it", nil},
	{"test_vec_constructors.py: test_vector_constructors_constant_length", "a length that is a constant", "an array", func(c *check) {
		gives(c, [][length10]float32{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}}, vecConstantLength)
	}},
	{"test_vec_constructors.py: test_*_constructor_error_*", "wrong lengths and types of numbers", "the Go compiler's errors", nil},
	{"test_vec_assign_copy.py: test_vec_assign_copy", "an assigned vector is a copy", "", func(c *check) {
		gives(c, []f32.Vec3{{1, 3, 1}, {1, 1, 1}}, vecAssignCopy, []f32.Vec3{{1, 1, 1}})
	}},
	{"test_vec_assign_copy.py: test_bool_vec_assign_copy", "and one of bools", "", func(c *check) {
		gives(c, []bools.Vec3{{true, true, true}, {true, false, true}}, boolVecAssignCopy)
	}},
}
