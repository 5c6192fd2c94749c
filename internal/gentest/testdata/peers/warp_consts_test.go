package peers

import (
	"math"

	"github.com/qdgen/qd"
)

var warpConsts = []peerCase{
	{"test_bool", "a captured bool", "", func(c *check) { gives(c, []int{1}, constBool) }},
	{"test_int", "captured integers, of a struct and of another package", "", func(c *check) { gives(c, []int{124}, constInt) }},
	{"test_float", "a captured vector, and a number of 16 bits", "", func(c *check) {
		v := unitVec[0]
		gives(c, []float32{v, v, v, v*v + v*v + v*v, 1}, constFloat)
	}},
	{"test_closure_capture", "two kernels of one literal with other constants", "", func(c *check) {
		gives(c, []int{foobar.One}, literalOf(foobar.One))
		gives(c, []int{foobar.Two}, literalOf(foobar.Two))
	}},
	{"test_closure_precedence", "a local hides a package variable", "", func(c *check) { gives(c, []int{17, 42}, constShadowed) }},
	{"test_hash_redefine_kernel, test_hash_redefine_constant_only", "a constant that changes gives new code, and one that changes back the old", "the next launch notices without a new kernel", func(c *check) {
		defer func() { redefinedConst = 1 }()
		gives(c, []float64{1}, readsRedefined)
		c.specializes(1, func() {
			for range 3 {
				redefinedConst = 2
				gives(c, []float64{2}, readsRedefined)
				redefinedConst = 1
				gives(c, []float64{1}, readsRedefined)
			}
		})
	}},
	{"test_hash_shadowed_var", "variables that are hidden by locals do not count", "", func(c *check) {
		defer func() { shadow0, shadow1, shadow2 = 1, 1, 1 }()
		gives(c, []float64{14}, readsShadowing)
		c.specializes(0, func() {
			shadow0, shadow1, shadow2 = 0, 0, 0
			gives(c, []float64{14}, readsShadowing)
			equal(c, shadow0+shadow1+shadow2, 0)
		})
	}},
	{"test_uint64_large_constant, test_float64_precision, test_float64_wp_pi, test_int64_negative, test_float64_from_large_int", "constants of 64 bits are exact", "", func(c *check) {
		u, f, i := []uint64{1}, []float64{0, 0, 0}, []int64{0}
		c.launch(exact64, 1, u, f, i)
		equal(c, u[0], uint64(0xFF51AFD7ED558CCD))
		equal(c, f, []float64{3.141592653589793, math.Pi + 1, 9007199254740991})
		equal(c, i[0], int64(-9223372036854775807))
	}},
	{"test_uint64_large_constant (argument)", "the same as compile-time arguments", "", func(c *check) {
		gives(c, []uint64{0xFF51AFD7ED558CCD}, constOf[uint64], qd.C[uint64](0xFF51AFD7ED558CCD))
		gives(c, []float64{3.141592653589793}, constOf[float64], qd.C(3.141592653589793))
		gives(c, []int64{math.MinInt64}, constOf[int64], qd.C[int64](math.MinInt64))
		gives(c, []float32{math.SmallestNonzeroFloat32}, constOf[float32], qd.C[float32](math.SmallestNonzeroFloat32))
	}},
	{"test_scalar_constructor_edge_cases", "infinities and NaN", "the NaN keeps its payload", func(c *check) {
		nan := math.Float64frombits(0x7ff8000000001234)
		out := make([]float64, 3)
		c.launch(specialFloats, 1, qd.C(math.Inf(1)), qd.C(nan), out)
		if !math.IsInf(out[0], 1) || math.Float64bits(out[1]) != math.Float64bits(nan) || !math.IsInf(out[2], -1) {
			c.Errorf("%v, bits of the NaN %x", out, math.Float64bits(out[1]))
		}
	}},
	{"test_negative_constant_codegen", "negative constants, and negative zero", "", func(c *check) {
		f := make([]float64, 1)
		gives(c, []int64{-42}, negativeConstants, qd.C(-1.5), qd.C[int64](-42), f)
		equal(c, f[0], -1.5)
		c.launch(negativeConstants, 1, qd.C(math.Copysign(0, -1)), qd.C[int64](0), f, make([]int64, 1))
		if !math.Signbit(f[0]) {
			c.Error("negative zero has lost its sign")
		}
		c.launch(negativeConstants, 1, qd.C(0.0), qd.C[int64](0), f, make([]int64, 1))
		if math.Signbit(f[0]) {
			c.Error("zero has got a sign")
		}
	}},
	{"test_constant_math", "constants are Go's outside of kernels", "", func(c *check) { equal(c, math.Pi*2.0, 2*math.Pi) }},
}
