package peers

import (
	"math"
	"strings"

	"github.com/qdgen/qd"
)

// tritonSource is the chain of functions that Triton's tests edit.
const tritonSource = `func function0(i int) int { return i + 1 }

func function1(i int) int {
	i = i + 3
	const cond = true
	f := function0
	if cond {
		f = function2
	}
	return f(i)
}

func function2(i int) int {
	i = i + 2
	return i
}

//qd:kernel
func k(t qd.Thread, i int, out []int) { out[0] = function1(i + 4) }
`

var tritonCache = []peerCase{
	{"test_nochange", "what has not changed is the same", "", func(c *check) { c.edits(true, tritonSource, "i + 1", "i + 1") }},
	{"test_toplevel_change", "a function that the kernel calls changes", "", func(c *check) { c.edits(false, tritonSource, "i + 3", "i + 5") }},
	{"test_nested1_change", "a function that it calls changes", "", func(c *check) { c.edits(false, tritonSource, "i + 2", "i + 5") }},
	{"test_nested2_change", "a function of the branch that is not taken changes", "the same code: the branch is not compiled", func(c *check) {
		c.edits(true, tritonSource, "i + 1", "i + 5")
	}},
	{"test_combine_fn_change", "the function that a reduction is given counts", "", func(c *check) {
		gives(c, []int{10}, reduces, qd.C(addInts), []int{1, 2, 3, 4})
		gives(c, []int{24}, reduces, qd.C(mulInts), []int{1, 2, 3, 4})
		c.specializes(0, func() { gives(c, []int{10}, reduces, qd.C(addInts), []int{1, 2, 3, 4}) })
	}},
	{"test_constexpr_fn_change", "a function that is run at compile time counts", "", func(c *check) {
		const source = `func flag() bool { return false }

//qd:kernel
func k(t qd.Thread, out []bool) { out[0] = qd.Static(flag()) }
`
		c.edits(false, source, "false", "true")
	}},
	{"test_invalid_constexpr_fn", "a function that cannot be run at compile time is an error", "", func(c *check) {
		c.refuses("no device here", usesInvalidStatic, make([]int, 1))
	}},
	{"test_changed_line_numbers_invalidate_cache", "a comment, and lines that move", "the same code: nothing is compiled again", func(c *check) {
		c.edits(true, tritonSource, "func function0", "// A comment.\n\n\nfunc function0")
	}},
	{"test_reuse", "ten launches compile once", "", func(c *check) {
		c.specializes(1, func() {
			for range 10 {
				gives(c, []int{4}, cached, 1, qd.C(1024))
			}
		})
	}},
	{"test_specialize, test_annotation", "other values of a runtime argument", "one code for all: values are no part of it", func(c *check) {
		c.specializes(1, func() {
			for _, i := range []int{1, 2, 4, 8, 16, 32} {
				gives(c, []int{i + 3}, cached, i, qd.C(512))
			}
		})
	}},
	{"test_kernel_default_arg", "a value that is bound when the kernel is defined", "qd.Static of a variable", func(c *check) {
		defer func() { defaultArg = 1 }()
		gives(c, []int{1}, withDefault)
		defaultArg = 2
		c.specializes(0, func() { gives(c, []int{1}, withDefault) })
	}},
	{"test_kernel_global_var_change", "a captured variable changes", "no error: the launch specializes anew", func(c *check) {
		defer func() { globalVar = 1 }()
		gives(c, []int{1}, readsGlobalVar)
		globalVar = 2
		gives(c, []int{2}, readsGlobalVar)
	}},
	{"test_local_shadows_global", "a local hides the variable, which may change", "", func(c *check) {
		defer func() { shadowedGlobal = 42 }()
		gives(c, []int{7}, localShadows)
		shadowedGlobal = 43
		c.specializes(0, func() { gives(c, []int{7}, localShadows) })
		equal(c, shadowedGlobal, 43)
	}},
	{"test_local_does_not_shadow_global", "a variable that is read before a local hides it", "no error", func(c *check) {
		defer func() { readBefore = 42 }()
		gives(c, []int{42}, readsBeforeShadow)
		readBefore = 43
		gives(c, []int{43}, readsBeforeShadow)
	}},
	{"test_conflicting_global_in_inner_function", "kernels that read a variable through one function, at different values", "no error", func(c *check) {
		defer func() { conflicting = 0 }()
		gives(c, []int{0}, conflicting1)
		conflicting = 1
		gives(c, []int{11}, conflicting2)
		gives(c, []int{2}, conflicting1)
	}},
	{"test_use_builtin", "built-in functions are not captured", "", func(c *check) {
		gives(c, []float32{1}, usesBuiltin)
		c.specializes(0, func() { gives(c, []float32{1}, usesBuiltin) })
	}},
	{"test_no_cache_module_as_global, test_no_cache_callable, test_cache_builtin_as_global", "packages, functions and types are no variables", "Go's declarations cannot change", nil},
	{"test_cache_closure", "what a closure captures changes", "the capture is by value: the kernel keeps it", func(c *check) {
		value := 42
		k := literalOf(value)
		gives(c, []int{42}, k)
		value = 43
		gives(c, []int{42}, k)
		gives(c, []int{43}, literalOf(value))
	}},
	{"test_constexpr_cache_invalidation_recreated", "a kernel made anew with another constant", "", func(c *check) {
		for _, v := range []int{123, 123, 1234, 1234} {
			gives(c, []int{v}, literalOf(v))
		}
	}},
	{"test_jit_warmup_cache, test_preload", "a specialization that is built before it is launched", "", func(c *check) {
		k := qd.NewKernel(addsArrays)
		c.must(c.dev.Build(qd.Spec(k, qd.C(32))))
		c.specializes(0, func() {
			a, b, o := full(32, float32(1)), full(32, float32(2)), make([]float32, 32)
			c.launch(k, 1, a, b, o, qd.C(32))
			equal(c, o, full(32, float32(3)))
		})
	}},
	{"test_jit_debug", "a checked build is another build, and it checks", "", func(c *check) {
		c.launch(assertsOne, 1, []int{1})
		if c.dev.String() != "go" { // which always checks
			c.launch(assertsOne, 1, []int{2})
		}
		if err := c.dev.Checked().Launch(assertsOne, qd.Dim(1), []int{2}); err == nil || !strings.Contains(err.Error(), "x[0] == 1") {
			c.Errorf("the error of a failed assertion is %v", err)
		}
	}},
	{"test_function_arguments", "functions as arguments: four functions, four specializations", "all of one signature", func(c *check) {
		out := make([]int, 1)
		var got []int
		c.specializes(4, func() {
			for _, f := range []func(x, y int) int{const1, const2, first, sum, const1} {
				c.launch(functionArgument, 1, qd.C(f), 3, 4, out)
				got = append(got, out[0])
			}
		})
		equal(c, got, []int{1, 2, 3, 7, 1})
	}},
	{"test_async_compile, test_async_compile_mock", "many specializations are built at once, each once", "", func(c *check) {
		var specs []any
		for range 2 {
			for v := range 2 {
				specs = append(specs, qd.Spec(storesFloat[float32], qd.C(v)), qd.Spec(storesFloat[int32], qd.C(v)))
			}
		}
		c.specializes(4, func() { c.must(c.dev.Build(specs...)) })
		c.specializes(1, func() {
			gives(c, []int32{1}, storesFloat[int32], qd.C(1))
			gives(c, []int32{0}, storesFloat[int32], qd.C(0))
			gives(c, []float32{0}, storesFloat[float32], qd.C(0))
			gives(c, []float32{1}, storesFloat[float32], qd.C(1))
			gives(c, []float32{2}, storesFloat[float32], qd.C(2))
		})
	}},
	{"test_jit_noinline, test_hooks, test_within_2gb", "Triton's own options, hooks and pointer ranges", "there are none", nil},
}

var whatPeersGetWrong = []peerCase{
	{"Warp: constants are hashed after they were made 32 bits long (int)", "1 and 2^32+1 are two kernels", "", func(c *check) {
		c.specializes(2, func() {
			gives(c, []int{1}, intConst, qd.C(1))
			gives(c, []int{1<<32 + 1}, intConst, qd.C(1<<32+1))
		})
		gives(c, []uint64{1}, uint64Const, qd.C[uint64](1))
		gives(c, []uint64{1<<63 + 1}, uint64Const, qd.C[uint64](1<<63+1))
		gives(c, []int{1<<32 + 1}, valueOf{1<<32 + 1})
		gives(c, []int{1}, valueOf{1})
	}},
	{"Warp: constants are hashed after they were made 32 bits long (float)", "1.0 and 1+1e-12 are two kernels", "", func(c *check) {
		c.specializes(2, func() {
			gives(c, []float64{1}, floatConst, qd.C(1.0))
			gives(c, []float64{1 + 1e-12}, floatConst, qd.C(1+1e-12))
		})
		c.specializes(2, func() { // nor are the zeros one, which are equal
			for _, zero := range []float64{0, math.Copysign(0, -1)} {
				out := make([]float64, 1)
				c.launch(floatConst, 1, qd.C(zero), out)
				equal(c, math.Float64bits(out[0]), math.Float64bits(zero))
			}
		})
	}},
	{"Warp: break in an unrolled loop leaves the loop around it (1)", "under a compile-time condition", "", func(c *check) { gives(c, []int{6, 3}, breakInUnrolled, 3) }},
	{"Warp: break in an unrolled loop leaves the loop around it (2)", "under a runtime condition", "", func(c *check) {
		gives(c, []int{0 + 4 + 2, 3}, breakInUnrolledAtRunTime, 3, []int{0, 9, 2})
	}},
	{"Warp: break in an unrolled loop leaves the loop around it (3)", "continue, a label, return", "", func(c *check) {
		gives(c, []int{5 + 6 + 3, 3}, continueInUnrolled, 3, []int{0, 9, 2})
		gives(c, []int{6, 0}, breakOuterOfUnrolled, 3, 6)
		gives(c, []int{12, 3}, breakOuterOfUnrolled, 3, 99)
		gives(c, []int{2, 0, -1}, returnInUnrolled, []int{1, 2, 3, 4})
	}},
	{"Warp: a variable that is assigned conditionally is read uninitialized", "it is zero, as in Go", "", func(c *check) {
		gives(c, []int{0, 0}, assignedConditionally, 5)
		gives(c, []int{0, 11}, assignedConditionally, 1)
		gives(c, []int{7, 7}, assignedConditionally, 101)
	}},
	{"Warp: a comment edit recompiles the module", "the code is the same, so is the module", "", func(c *check) {
		c.edits(true, overloadSource, "//qd:kernel", "// k is a kernel.\n//\n//qd:kernel")
		c.edits(true, overloadSource, "func fnOf", "/* twice the lines\n */\nfunc fnOf")
	}},
	{"Warp: another function of the file recompiles the module", "the code is the same", "", func(c *check) {
		c.edits(true, manySource, "= 3 }", "= 4 }")
	}},
	{"Warp: a damaged file of the cache is loaded", "it is noticed, and built anew", "", damagedCache},
	{"Warp: a sum that breaks", "its value", "its gradient, 3 3 3 0 0 0, is tested by TestTapeBreak, on all devices", func(c *check) {
		gives(c, []float32{9}, sumThatBreaks, []float32{1, 1, 1, 1, 1, 1})
	}},
	{"Warp: the CPU backend is one thread; clang spends 0.8 of 1.0 s on headers", "threads are spread over the cores, and the text includes nothing", "", func(c *check) {
		if text := c.code(frontendOptions, overloadSource); strings.Contains(text, "#include") {
			c.Error("the text includes headers")
		}
	}},
	{"Triton: the key takes 1, True and 1.0 for one constant", "they are of different types: three kernels", "", func(c *check) {
		c.specializes(3, func() {
			gives(c, []int{1}, typedConst[int], qd.C(1))
			gives(c, []bool{true}, typedConst[bool], qd.C(true))
			gives(c, []float64{1}, typedConst[float64], qd.C(1.0))
		})
	}},
	{"CuTe DSL: no break, continue or return in dynamic loops", "they work", "", func(c *check) {
		gives(c, []int{5, 1, 2}, breaks, 10)
		gives(c, []int{9, 9}, continues, 10)
	}},
	{"Quadrants: captured globals are refused", "they are constants, bound late", "", func(c *check) { gives(c, []int{124}, constInt) }},
	{"Quadrants: compile-time loops blow up the compile time", "front-end time grows linearly", "measured by go run ./bench", nil},
	{"gosl: every kernel takes one uint32; no bool, no float64", "parameters are those of the Go function", "", func(c *check) {
		f := make([]float64, 1)
		gives(c, []int64{-42}, negativeConstants, qd.C(0.1), qd.C[int64](-42), f)
		equal(c, f[0], 0.1)
		a := make([]float64, 1)
		c.launch(accumulateBool, 1, true, a)
		equal(c, a[0], 1)
	}},
	{"Warp: gradients of loops that break, of while loops and of products", "", "tested by TestTapeBreak, TestTapeWhile and the tests of package qdtest, on all devices", nil},
	{"Triton: tuning results are lost, and in-place kernels corrupted by tuning", "", "TestTuneKept and TestTuneInPlace of package qd show that neither happens", nil},
}
