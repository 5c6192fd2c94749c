package peers

import (
	"math"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
	"github.com/qdgen/qd/f64"
	"github.com/qdgen/qd/i32"
)

// each are the numbers of vectors, in order.
func (v vectors[T]) each() []T {
	x := append(v.V2[:], v.V3[:]...)
	return append(append(x, v.V4[:]...), v.V5[:]...)
}

// vectorsOf has numbers in order.
func vectorsOf[T qd.Number](x []T) (v vectors[T]) {
	copy(v.V2[:], x)
	copy(v.V3[:], x[2:])
	copy(v.V4[:], x[5:])
	copy(v.V5[:], x[9:])
	return v
}

// lengths are the lengths of vectors, for sums over them.
var lengths = []int{2, 3, 4, 5}

// picked are n numbers of a list, each 14 times with another start, as vectors.
func picked[T qd.Number](n, start, step int, list ...T) []vectors[T] {
	out := make([]vectors[T], n)
	for i := range out {
		x := make([]T, 14)
		for j := range x {
			x[j] = list[(start+step*(14*i+j))%len(list)]
		}
		out[i] = vectorsOf(x)
	}
	return out
}

// operands are numbers with the products and sums that wrap, and divisors without zero.
func operands[T qd.Number]() (a, b []vectors[T]) {
	var zero T
	a = picked(11, 0, 1, 0, 1, 2, 3, zero-1, 100, zero-5, 127, zero-100, 64, 7)
	b = picked(11, 3, 2, 1, zero-1, 2, 3, 5, zero-2, 100, 11, 4)
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

func (r vecResult[T]) of(op elementOp) vectors[T] {
	return [...]vectors[T]{r.Neg, r.Add, r.Sub, r.Mul, r.Div, r.Scale, r.DivScalar, r.Min, r.Max, r.Abs, r.Sign}[op]
}

// vecResults launches vecOperations for a type.
func vecResults[T qd.Number](c *check, s T) []vecResult[T] {
	c.Helper()
	a, b := operands[T]()
	out := make([]vecResult[T], len(a))
	c.launch(vecOperations[T], len(a), a, b, s, out)
	return out
}

func elementsOf[T qd.Number](c *check, op elementOp) {
	c.Helper()
	a, b := operands[T]()
	for i, r := range vecResults[T](c, 3) {
		got, x, y := r.of(op).each(), a[i].each(), b[i].each()
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
		elementsOf[int8](c, op)
		elementsOf[int32](c, op)
		elementsOf[uint64](c, op)
		elementsOf[float32](c, op)
		elementsOf[float64](c, op)
	}
}

func dotsOf[T qd.Number](c *check) {
	c.Helper()
	a, b := operands[T]()
	for i, r := range vecResults[T](c, 3) {
		x, y := a[i].each(), b[i].each()
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

func equalityOf[T qd.Number](c *check) {
	c.Helper()
	for _, r := range vecResults[T](c, 3) {
		equal(c, r.Same, true)
		equal(c, r.Other, false)
	}
}

func remaindersOf[T qd.Int](c *check) {
	c.Helper()
	a, b := operands[T]()
	out := make([]vectors[T], len(a))
	c.launch(vecRemainders[T], len(a), a, b, out)
	for i := range out {
		x, y := a[i].each(), b[i].each()
		for j, got := range out[i].each() {
			equal(c, got, x[j]%y[j])
		}
	}
}

func moduloOf[T qd.Float](c *check) {
	c.Helper()
	a, b := operands[T]()
	out := make([]vectors[T], len(a))
	c.launch(vecModulo[T], len(a), a, b, out)
	for i := range out {
		x, y := a[i].each(), b[i].each()
		for j, got := range out[i].each() {
			equal(c, got, T(math.Mod(float64(x[j]), float64(y[j]))))
		}
	}
}

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

func lengthsOf[T qd.Float](c *check, compare func(n int, x []T, norm, normSq T, normalized []T)) {
	c.Helper()
	a := picked[T](5, 0, 1, 1, -2, 0.25, 3, -100, 1e-3, 0.5)
	a = append(a, vectors[T]{}, picked[T](1, 0, 1, 3e4, -4e4)[0])
	out := make([]vecLength[T], len(a))
	c.launch(vecLengths[T], len(a), a, out)
	for i, r := range out {
		x, y := a[i].each(), r.Normalized.each()
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

func normsOf[T qd.Float](c *check) {
	c.Helper()
	lengthsOf(c, func(n int, x []T, norm, normSq T, _ []T) {
		near(c, norm, math.Sqrt(sumSq(x)), 4*epsilon[T]())
		near(c, normSq, sumSq(x), 8*epsilon[T]())
	})
}

func normalizedOf[T qd.Float](c *check) {
	c.Helper()
	lengthsOf(c, func(n int, x []T, _, _ T, normalized []T) {
		for i := range x {
			if norm := math.Sqrt(sumSq(x)); norm == 0 {
				equal(c, normalized[i], 0)
			} else {
				near(c, normalized[i], float64(x[i])/norm, 4*epsilon[T]())
			}
		}
	})
}

func crossOf[T qd.Number](c *check) {
	c.Helper()
	vs, ws := operands[T]()
	a, b := make([]qd.Vec3[T], len(vs)), make([]qd.Vec3[T], len(vs))
	for i := range vs {
		a[i], b[i] = vs[i].V3, ws[i].V3
	}
	out := make([]qd.Vec3[T], len(a))
	c.launch(vecCross[T], len(a), a, b, out)
	for i := range out {
		x, y := a[i], b[i]
		equal(c, out[i], qd.Vec3[T]{
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

func constructedOf[T qd.Number](c *check) {
	c.Helper()
	in := counted[T](14)
	out := make([]vectors[T], 5)
	c.launch(vecConstruct[T], 1, in, out)
	equal(c, out[0], vectors[T]{})
	equal(c, out[1].each(), full(14, in[0]))
	equal(c, out[2].each(), in)
	equal(c, out[3].each(), in)
	equal(c, out[4].each(), []T{0, 1, 1, 2, 5, 3, 4, 5, 9, 0, 0, 0, 0, 1})
}

func indexedOf[T qd.Number](c *check) {
	c.Helper()
	in := counted[T](14)
	out := make([]T, 14)
	c.launch(vecIndexed[T], 1, []vectors[T]{vectorsOf(in)}, out)
	for i, x := range out {
		equal(c, x, 2*in[i])
	}
}

func arraysOf[T qd.Number](c *check) {
	c.Helper()
	a, _ := operands[T]()
	x := qd.From(c.dev, a)
	c.must(x.Err())
	equal(c, x.Slice(), a)
}

var warpVec = []peerCase{
	{"test_length_mismatch", "vectors of two lengths cannot be compared", "the Go compiler's error", nil},
	{"test_negation", "negation, of lengths 2 to 5, over types of numbers", "unsigned numbers too: they wrap", elements(opNeg)},
	{"test_subtraction, test_subtraction_unsigned", "subtraction, where it wraps too", "", elements(opSub)},
	{"test_length", "norms and their squares", "", func(c *check) { normsOf[float32](c); normsOf[float64](c) }},
	{"test_normalize", "normalized vectors; the zero vector stays zero", "", func(c *check) { normalizedOf[float32](c); normalizedOf[float64](c) }},
	{"test_crossproduct", "cross products", "of integers too", func(c *check) { crossOf[float32](c); crossOf[float64](c); crossOf[int32](c) }},
	{"test_vector_mutation", "elements of a vector of 10, written in a loop", "its type is made by qdgen types", func(c *check) {
		gives(c, []Vec10[float32]{{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}}, vecMutation)
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
	{"test_scalar_vec_div", "a number divided by a vector", "by qd.Vec3Splat(1).Div", func(c *check) {
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
	{"test_vec_slicing_assign_backward", "parts of vectors of arrays", "without the gradients, which come later", func(c *check) {
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
		arraysOf[int8](c)
		arraysOf[uint64](c)
		arraysOf[int32](c)
		arraysOf[float32](c)
		arraysOf[float64](c)
	}},
	{"test_vec_scalar_ops.py: test_components", "elements outside of kernels", "Go's slices of them", func(c *check) {
		v := i32.Vec3{1, 2, 3}
		equal(c, v[1:], []int32{2, 3})
		copy(v[:2], []int32{12, 13})
		v[2] = 14
		equal(c, v, i32.Vec3{12, 13, 14})
	}},
	{"test_vec_scalar_ops.py: test_py_arithmetic_ops", "the algebra outside of kernels", "the same methods", func(c *check) {
		v, fives := qd.Vec3[int8]{1, -2, 3}, qd.Vec3Splat[int8](5)
		equal(c, v.Neg(), qd.Vec3[int8]{-1, 2, -3})
		equal(c, v.Add(fives), qd.Vec3[int8]{6, 3, 8})
		equal(c, v.Sub(fives), qd.Vec3[int8]{-4, -7, -2})
		equal(c, qd.Vec3Rem(v, qd.Vec3Splat[int8](2)), qd.Vec3[int8]{1, 0, 1})
		equal(c, f64.Vec3{2, 4, 6}.Scale(2), f64.Vec3{4, 8, 12})
		equal(c, f64.Vec3{2, 4, 6}.DivScalar(2), f64.Vec3{1, 2, 3})
		equal(c, f64.Vec3Splat(24.0).Div(f64.Vec3{2, 4, 6}), f64.Vec3{12, 6, 4})
	}},
	{"test_vec_scalar_ops.py: test_constructors, test_anon_type_instance", "vectors of one number, of several, of another vector, and of nothing", "composite literals, Splat, Unit, Extend", func(c *check) {
		constructedOf[int8](c)
		constructedOf[uint64](c)
		constructedOf[float32](c)
		constructedOf[float64](c)
	}},
	{"test_vec_scalar_ops.py: test_indexing", "elements by runtime index", "", func(c *check) { indexedOf[int8](c); indexedOf[float32](c); indexedOf[float64](c) }},
	{"test_vec_scalar_ops.py: test_equality", "== and !=", "", func(c *check) { equalityOf[int32](c); equalityOf[uint64](c); equalityOf[float64](c) }},
	{"test_vec_scalar_ops.py: test_scalar_multiplication, test_scalar_multiplication_rightmul", "a vector times a number", "Scale, for both orders", elements(opScale)},
	{"test_vec_scalar_ops.py: test_cw_multiplication", "products of the elements", "", elements(opMul)},
	{"test_vec_scalar_ops.py: test_scalar_division", "a vector divided by a number", "", elements(opDivScalar)},
	{"test_vec_scalar_ops.py: test_cw_division", "quotients of the elements: of integers they truncate", "", elements(opDiv)},
	{"test_vec_scalar_ops.py: test_addition", "sums, which wrap", "", elements(opAdd)},
	{"test_vec_scalar_ops.py: test_dotproduct", "dot products", "", func(c *check) { dotsOf[int8](c); dotsOf[uint64](c); dotsOf[float32](c); dotsOf[float64](c) }},
	{"test_vec_scalar_ops.py: test_modulo", "remainders, with the sign of the dividend", "Vec3Rem for integers, Mod for floats", func(c *check) {
		remaindersOf[int8](c)
		remaindersOf[int32](c)
		remaindersOf[uint64](c)
		moduloOf[float32](c)
		moduloOf[float64](c)
	}},
	{"test_vec_scalar_ops.py: test_equivalent_types", "types that are made twice are one", "an alias is its type; arrays convert", func(c *check) {
		gives(c, full(4, true), vecEquivalent, f32.Vec3{1, 2, 3}, f32.Vec3{1, 2, 3}, [3]float32{1, 2, 3}, qd.Vec3[meters]{1, 2, 3})
	}},
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
		gives(c, []i32.Vec3{{1, -2, 300}}, vecConverted[float32, int32], []f32.Vec3{{1.9, -2.9, 300}})
		gives(c, []qd.Vec3[uint8]{{1, 254, 44}}, vecConverted[int32, uint8], []i32.Vec3{{1, -2, 300}})
		gives(c, []f64.Vec3{{1, -2, 0.5}}, vecConverted[float32, float64], []f32.Vec3{{1, -2, 0.5}})
		gives(c, []f32.Vec3{{0.1, 16777216, -1}}, vecConverted[float64, float32], []f64.Vec3{{0.1, 16777217, -1}})
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
		gives(c, []qd.Bool3{{true, true, true}, {true, false, true}}, boolVecAssignCopy)
	}},
}
