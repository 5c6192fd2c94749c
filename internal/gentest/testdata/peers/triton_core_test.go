package peers

import (
	"math"

	"github.com/qdgen/qd"
)

// coreNumbers are n numbers that are neither ordered nor small.
func coreNumbers[T qd.Number](n, seed int) []T {
	x := make([]T, n)
	for i := range x {
		x[i] = T((i+seed)*(i+2*seed+3)%23) - T(seed%5)
	}
	return x
}

// coreMapped is f of the elements of two slices.
func coreMapped[T, U, V any](x []T, y []U, f func(x T, y U) V) []V {
	r := make([]V, len(x))
	for i := range x {
		r[i] = f(x[i], y[i%len(y)])
	}
	return r
}

// coreBinaries checks the operators of a type.
func coreBinaries[T qd.Number](c *check) {
	x, y := coreNumbers[T](16, 2), coreNumbers[T](16, 9)
	for i := range y {
		if y[i] == 0 {
			y[i] = 3
		}
	}
	for op, f := range map[string]func(x, y T) T{
		"+": func(x, y T) T { return x + y }, "-": func(x, y T) T { return x - y }, "*": func(x, y T) T { return x * y },
		"/": func(x, y T) T { return x / y }, "min": func(x, y T) T { return min(x, y) }, "max": func(x, y T) T { return max(x, y) },
	} {
		gives(c, coreMapped(x, y, f), coreBinary[T], qd.C(op), x, y)
	}
}

func coreCasts[T, U qd.Number](c *check) {
	x := coreNumbers[T](16, 2)
	gives(c, coreMapped(x, x, func(x, _ T) U { return U(x) }), coreCast[T, U], x)
}

func coreDots[T float32 | float64 | int32](c *check) {
	x, y, want := coreNumbers[T](128, 2), coreNumbers[T](128, 5), coreNumbers[T](64, 7)
	sum := append([]T(nil), want...)
	for i := range 8 {
		for j := range 8 {
			for k := range 16 {
				want[i*8+j] += x[i*16+k] * y[k*8+j] // exact: the coreNumbers are small
			}
		}
	}
	gives(c, want, coreDot[T], x, y, sum)
}

// coreAlong gives the sums, the largest elements and the indices of the smallest ones, along an axis of 8 x 16 numbers.
func coreAlong(x []int32, axis int) []int32 {
	out := make([]int32, 48)
	for i := range 8 {
		for j := range 16 {
			to, k := j, i
			if axis == 1 {
				to, k = i, j
			}
			v := x[i*16+j]
			out[to] += v
			if k == 0 || v > out[16+to] {
				out[16+to] = v
			}
			at := i*16 + int(out[32+to])
			if axis == 0 {
				at = int(out[32+to])*16 + j
			}
			if v < x[at] {
				out[32+to] = int32(k)
			}
		}
	}
	return out
}

var tritonCore = []peerCase{
	{"test_bin_op (float32)", "operators on two tiles", "methods: Go has no operators of its own for types", coreBinaries[float32]},
	{"test_bin_op (float64)", "of float64", "the same methods", coreBinaries[float64]},
	{"test_bin_op (int8)", "of int8, which wrap", "the same methods", coreBinaries[int8]},
	{"test_bin_op (int32)", "of int32", "the same methods", coreBinaries[int32]},
	{"test_bin_op (int64)", "of int64", "the same methods", coreBinaries[int64]},
	{"test_bin_op (uint8)", "of uint8", "the same methods", coreBinaries[uint8]},
	{"test_bin_op (uint32)", "of uint32", "the same methods", coreBinaries[uint32]},
	{"test_floordiv, test_bin_op (mod)", "division of integers", "it truncates, as Go's does", coreBinaries[int16]},
	{"test_bitwise_op, test_shift_op", "operators on bits", "tile.Map2 with a function of Go", func(c *check) {
		x, y := coreNumbers[uint32](16, 11), coreNumbers[uint32](16, 4)
		gives(c, coreMapped(x, y, func(x, y uint32) uint32 {
			s := x<<(y%40) ^ x>>(y%40)
			return s&x | s&^x
		}), coreShifts, x, y)
	}},
	{"test_compare_op", "the six comparisons, with NaN", "methods that give masks", func(c *check) {
		x, y := coreNumbers[float32](16, 2), coreNumbers[float32](16, 5)
		x[3], y[3], y[7] = float32(math.NaN()), float32(math.NaN()), float32(math.NaN())
		gives(c, coreMapped(x, y, func(x, y float32) (bits int32) {
			for k, holds := range []bool{x < y, x <= y, x > y, x >= y, x == y, x != y} {
				if holds {
					bits |= 1 << k
				}
			}
			return bits
		}), coreCompare, x, y)
	}},
	{"test_where, test_where_broadcast", "elements of one tile or another, all three repeated", "the same", func(c *check) {
		mask := []bool{true, false, false, true, true, false, true, false}
		x, y, want := coreNumbers[float32](128, 2), coreNumbers[float32](16, 3), make([]float32, 128)
		for i := range want {
			if want[i] = y[i%16]; mask[i/16] {
				want[i] = x[i]
			}
		}
		gives(c, want, coreWhere, mask, x, y)
	}},
	{"test_unary_op, test_math_op", "functions of one tile", "the same", func(c *check) {
		x := coreNumbers[float64](16, 4)
		gives(c, coreMapped(x, x, func(x, _ float64) float64 { return math.Sqrt(math.Abs(x)) + math.Floor(x) + -x }), coreMath, x)
	}},
	{"test_broadcast, test_expand_dims, test_slice", "a row and a column", "Row and Column stand for [None, :] and [:, None]", func(c *check) {
		x, y, want := coreNumbers[int32](8, 2), coreNumbers[int32](16, 3), make([]int32, 128)
		for i := range want {
			want[i] = x[i/16] + y[i%16]
		}
		gives(c, want, coreBroadcast, x, y)
	}},
	{"test_atomic_rmw, test_tensor_atomic_rmw", "several elements are added to one", "tile.AtomicAdd; for other operations b.For and qd.AtomicMax", func(c *check) {
		x, want := coreNumbers[int32](16, 2), make([]int32, 3)
		for i, v := range x {
			want[i%3] += v
		}
		gives(c, want, coreAtomic, x)
	}},
	{"test_cast (float32 to int32)", "conversion", "tile.Convert", coreCasts[float32, int32]},
	{"test_cast (int64 to int8)", "to fewer bits", "tile.Convert", coreCasts[int64, int8]},
	{"test_cast (int32 to float64)", "to a float", "tile.Convert", coreCasts[int32, float64]},
	{"test_cast (uint8 to int64)", "to more bits", "tile.Convert", coreCasts[uint8, int64]},
	{"test_store_load_same_ptr, test_load_store_same_ptr", "a tile is stored where it came from", "the same", func(c *check) {
		out := coreNumbers[int32](16, 2)
		want := coreMapped(out, out, func(x, _ int32) int32 { return 2 * x })
		c.launch(coreSamePointer, 1, out)
		equal(c, out, want)
	}},
	{"test_reduce1d", "sum, max, min, argmax, argmin, xor", "xor by Reduce", func(c *check) {
		x := coreNumbers[int32](16, 2)
		want := []int32{0, x[0], x[0], 0, 0, 0}
		for i, v := range x {
			want[0] += v
			want[5] ^= v
			if v > want[1] {
				want[1], want[3] = v, int32(i)
			}
			if v < want[2] {
				want[2], want[4] = v, int32(i)
			}
		}
		gives(c, want, coreReduce, x)
	}},
	{"test_reduce (axis 0)", "along the columns", "the same", func(c *check) {
		x := coreNumbers[int32](128, 2)
		gives(c, coreAlong(x, 0), coreReduce2, qd.C(0), x)
	}},
	{"test_reduce (axis 1)", "along the rows", "the same", func(c *check) {
		x := coreNumbers[int32](128, 2)
		gives(c, coreAlong(x, 1), coreReduce2, qd.C(1), x)
	}},
	{"test_chain_reduce", "one axis after the other", "the same", func(c *check) {
		x, sum := coreNumbers[int32](128, 2), int32(0)
		for _, v := range x {
			sum += v
		}
		for first := range 2 {
			gives(c, []int32{sum}, coreChain, qd.C(first), x)
		}
	}},
	{"test_generic_reduction", "a function that joins several numbers", "of structs", func(c *check) {
		x := coreNumbers[float64](16, 2)
		mean, m2 := 0.0, 0.0
		for _, v := range x {
			mean += v / 16
		}
		for _, v := range x {
			m2 += (v - mean) * (v - mean) / 16
		}
		out := make([]float64, 2)
		c.launch(coreWelford, 1, x, out)
		if math.Abs(out[0]-mean) > 1e-12 || math.Abs(out[1]-m2) > 1e-9 {
			c.Errorf("%v, want %v and %v", out, mean, m2)
		}
	}},
	{"test_scan2d (cumsum)", "sums along an axis", "the same", func(c *check) {
		x := coreNumbers[int32](128, 2)
		for axis, step := range []int{16, 1} {
			want := append([]int32(nil), x...)
			for i := range want {
				if axis == 0 && i >= 16 || axis == 1 && i%16 > 0 {
					want[i] += want[i-step]
				}
			}
			gives(c, want, coreScan, qd.C(axis), x)
		}
	}},
	{"test_dot (float32)", "a product with a sum", "fused, in the order of the index", coreDots[float32]},
	{"test_dot (float64)", "of float64", "the same", coreDots[float64]},
	{"test_dot (int32)", "of int32", "the same", coreDots[int32]},
	{"test_dot (int8, transposed)", "of int8, added in int32, of a transposed tile", "the same", func(c *check) {
		x, y, want := coreNumbers[int8](128, 2), coreNumbers[int8](128, 5), make([]int32, 64)
		for i := range 64 {
			for k := range 16 {
				want[i] += int32(x[i/8*16+k]) * int32(y[i%8*16+k])
			}
		}
		gives(c, want, coreDotInt8, x, y)
	}},
	{"test_masked_load", "a mask, and another value", "tile.GatherOr; tile.LoadOr needs no mask", func(c *check) {
		x := coreNumbers[int32](16, 2)
		want := coreMapped(x, x, func(x, _ int32) int32 { return x })
		for i := range want {
			switch {
			case i >= 14:
				want[i] = 0
			case i >= 11:
				want[i] = -7
			}
		}
		gives(c, want, coreMasked, 11, x)
	}},
	{"test_arange", "numbers that follow each other", "their number is known, the first one need not be", func(c *check) {
		want := make([]int, 16)
		for i := range want {
			want[i] = 5 + i
		}
		gives(c, want, coreArange, 5)
	}},
	{"test_full", "one number", "the same", func(c *check) {
		gives(c, []int32{2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}, coreFull)
	}},
	{"test_permute, test_transpose", "rows and columns are exchanged", "the same", func(c *check) {
		x, want := coreNumbers[int32](128, 2), make([]int32, 128)
		for i := range x {
			want[i%16*8+i/16] = x[i]
		}
		gives(c, want, coreTranspose, x)
	}},
	{"test_reshape, test_trans_reshape", "the elements in order with other lengths", "the same", func(c *check) {
		x, want := coreNumbers[int32](128, 2), make([]int32, 128)
		for i := range x {
			want[i%32*4+i/32] = x[i]
		}
		gives(c, want, coreReshape, x)
	}},
	{"test_if, test_if_else, test_if_call", "a tile that depends on a number in memory", "the same", func(c *check) {
		x := coreNumbers[int32](16, 2)
		for sign, f := range map[int32]func(x int32) int32{1: func(x int32) int32 { return x + 1 }, 0: func(x int32) int32 { return x }, -1: func(x int32) int32 { return 2 * x }} {
			out := make([]int32, 16)
			out[0] = sign
			c.launch(coreIf, 1, x, out)
			equal(c, out, coreMapped(x, x, func(x, _ int32) int32 { return f(x) }))
		}
	}},
	{"test_while, test_nested_while, test_for_iv", "loops that carry a tile, until its largest element is large", "the same", func(c *check) {
		x := coreNumbers[int32](16, 2)
		most := x[0]
		for _, v := range x {
			most = max(most, v)
		}
		added := int32(0)
		for n := int32(0); most+added < 40; n++ {
			added += n + 1
		}
		gives(c, coreMapped(x, x, func(x, _ int32) int32 { return x + added }), coreWhile, int32(40), x)
	}},
	{"test_max_min_with_nan, test_propagate_nan", "a NaN is the largest and the smallest", "as Go's min and max have it", func(c *check) {
		x, y := coreNumbers[float32](16, 2), coreNumbers[float32](16, 5)
		x[3], y[9] = float32(math.NaN()), float32(math.NaN())
		out := make([]float32, 33)
		c.launch(coreNaN, 1, x, y, out)
		for i := range 16 {
			for k, want := range []float32{max(x[i], y[i]), min(x[i], y[i])} {
				if got := out[16*k+i]; got != want && (got == got || want == want) {
					c.Errorf("element %d is %v, want %v", i, got, want)
				}
			}
		}
		if out[32] == out[32] {
			c.Errorf("the largest is %v", out[32])
		}
	}},
	{"test_zero_strided_tensors, test_strided_load", "rows that are not adjacent", "views", func(c *check) {
		x, want := coreNumbers[int32](256, 2), make([]int32, 128)
		for i := range want {
			want[i] = x[i/16+8*(i%16)]
		}
		gives(c, want, coreStrided, qd.ViewOf2(x[:128], 16, 8).T())
	}},
	{"test_clamp", "numbers between two others", "tiles of length 1 are repeated", func(c *check) {
		x := coreNumbers[float32](16, 4)
		gives(c, coreMapped(x, x, func(x, _ float32) float32 { return min(max(x, -1), 1) }), coreClamp, x)
	}},
	{"test_histogram", "how often each number is there", "a comparison of rows and columns, and a sum", func(c *check) {
		x, want := coreNumbers[int](16, 2), make([]int32, 8)
		for i := range x {
			x[i] &= 7
			want[x[i]]++
		}
		gives(c, want, coreHistogram, x)
	}},
	{"test_shapes_as_params, incompatible shapes", "tiles that do not match are an error", "with both shapes", func(c *check) {
		c.refuses("tiles of 16 and 8 elements do not match", coreMismatch, make([]int32, 16))
	}},
	{"test_constexpr_shape", "a length must be known at compile time", "the error names what is not", func(c *check) {
		c.refuses("a length of a tile is not known at compile time: n is a runtime parameter", coreRuntimeShape, 16, make([]int32, 16))
	}},
	{"test_num_warps_pow2", "the number of warps is a power of two", "any number of threads up to 1024, by WithBlockDim; it changes no result", nil},
	{"test_dot_max_num_imprecise_acc, test_scaled_dot", "formats of 8 and 4 bits, and of blocks with a scale", "not there yet", nil},
	{"test_load_cache_modifier, test_store_cache_modifier, test_vectorization", "hints for caches", "there are none", nil},
	{"test_inline_asm", "assembly in a kernel", "there is none", nil},
}
