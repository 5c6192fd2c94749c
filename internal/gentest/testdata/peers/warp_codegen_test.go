package peers

import (
	"math"

	"github.com/qdgen/qd"
)

var warpCodegen = []peerCase{
	{"test_rename", "assignments to known variables", "", func(c *check) { gives(c, []int{2, 1}, rename) }},
	{"test_inplace, test_constant", "operations in place", "", func(c *check) {
		gives(c, []float32{3, 2}, inplace, 1)
	}},
	{"test_dynamic_for_rename", "variables that swap in a loop", "", func(c *check) { gives(c, []int{89}, dynamicForRename, 10) }},
	{"test_dynamic_for_inplace", "an accumulator in a loop", "", func(c *check) { gives(c, []float32{10}, dynamicForInplace, 10) }},
	{"test_reassign, test_dynamic_reassign", "a copy of a vector is a copy", "", func(c *check) { gives(c, []float32{-4, 0}, reassign, 2) }},
	{"test_range_static_sum", "loops with constant bounds", "", func(c *check) { gives(c, []int{10, 10, 10}, rangeStaticSum) }},
	{"test_range_dynamic_sum", "loops with runtime bounds, forward and backward", "", func(c *check) {
		gives(c, []int{10, 10, 10, 10}, rangeDynamicSum, 0, 10, 2)
	}},
	{"test_range_dynamic", "positive and negative steps", "", func(c *check) {
		gives(c, []int{0, 3, 6, 9, 0}, rangeDynamic, 0, 10, 3)
		gives(c, []int{10, 7, 4, 1, 0}, rangeDynamic, 10, 0, -3)
	}},
	{"test_range_dynamic_nested", "nested loops with runtime bounds", "", func(c *check) { gives(c, []int{4, 16, 24}, rangeDynamicNested, 4) }},
	{"test_while, test_pass", "loops with a condition", "", func(c *check) { gives(c, []int{10, 0}, while, 10) }},
	{"test_break, test_break_early, test_break_multiple", "loops that are left early", "", func(c *check) { gives(c, []int{5, 1, 2}, breaks, 10) }},
	{"test_break_unroll", "unrolled loops that are left early", "", func(c *check) { gives(c, []int{6, 6}, breakUnroll) }},
	{"test_break_while, test_break_while_true, test_break_while_true_nested", "loops without end that are left", "", func(c *check) {
		gives(c, []int{6, 5, 10, 12}, breakWhile)
	}},
	{"test_continue, test_continue_unroll", "turns that are cut short", "", func(c *check) { gives(c, []int{9, 9}, continues, 10) }},
	{"test_range_constant", "loops over constants, from below zero and with a step", "", func(c *check) { gives(c, []int{3, -3, -3}, rangeConstant) }},
	{"test_range_constant_dynamic_nested", "a loop between two unrolled ones", "", func(c *check) { gives(c, []int{36}, rangeConstantDynamicNested, 4) }},
	{"test_range_expression", "bounds that are expressions of known variables", "", func(c *check) { gives(c, []float32{8}, rangeExpression) }},
	{"test_unresolved_func, test_unresolved_symbol, test_invalid_namespace_path", "undefined names are errors", "they are the Go compiler's, before the program runs", nil},
	{"test_error_global_var (1)", "a slice of the package cannot be captured", "", func(c *check) {
		changeGlobals()
		c.refuses("globalSlice", readsGlobalSlice, make([]float32, 1))
	}},
	{"test_error_global_var (2)", "nor passed on to a function", "", func(c *check) {
		c.refuses("globalSlice", passesGlobalSlice, make([]float32, 1))
	}},
	{"test_error_global_var (3)", "nor a map, nor a pointer", "", func(c *check) {
		c.refuses("globalMap", readsGlobalMap, make([]float32, 1))
		c.refuses("globalPointer", readsGlobalPointer, make([]float32, 1))
	}},
	{"test_error_collection_construct", "a kernel cannot make a dictionary", "a list of known length is an array", func(c *check) {
		c.refuses("maps are not supported", makesMap, make([]float32, 1))
	}},
	{"test_error_unmatched_arguments, test_error_return_annotation_mismatch", "operands and results have the types they are declared to have", "the Go compiler's errors", nil},
	{"test_error_kernel_return_value", "a kernel may return, but no value", "a result is an error of the launch", func(c *check) {
		gives(c, []int{1}, returnsNothing, 3)
		if err := c.dev.Launch(func(t qd.Thread, x float32) float32 { return x }, qd.Dim(1), 3); err == nil {
			c.Error("a kernel with a result is launched")
		}
	}},
	{"test_error_mutating_constant_in_dynamic_loop (1)", "a variable that starts as a constant, in a loop", "no error: it is a variable", func(c *check) {
		gives(c, []float32{6}, mutatesConstant, 3, []float32{1, 2, 3})
	}},
	{"test_error_mutating_constant_in_dynamic_loop (2)", "five nested loops, unrolled ones and others", "", func(c *check) {
		want := make([]int, 25)
		for i := range want {
			want[i] = 1
		}
		gives(c, want, mixedLoops, 3, 4, 5)
	}},
	{"test_error_mutating_constant_in_dynamic_loop (3)", "a matrix written by unrolled loops and by loops", "", func(c *check) {
		one := [3][3]float64{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}
		gives(c, [][3][3]float64{one, {}}, staticThenDynamic, 2)
	}},
	{"test_for_iter_reused_in_dynamic_loop", "the name of an unrolled loop's variable, used again", "", func(c *check) { gives(c, []int{31, 4, 9}, iterReused, 3) }},
	{"test_for_iter_mutated_reuse_in_dynamic_loop", "a variable that an unrolled loop left, assigned in a loop", "", func(c *check) { gives(c, []int{4, 4}, iterMutated) }},
	{"test_shadow_builtin", "a local of a built-in function's name", "", func(c *check) { gives(c, []float32{3}, shadowsBuiltin) }},
	{"test_while_condition_eval", "the condition is evaluated in each turn", "", func(c *check) { gives(c, []int{1}, whileCondition) }},
	{"test_codegen_return_in_kernel", "a thread that returns ends no other", "", func(c *check) {
		out := make([]int32, 1)
		c.launch(returnsEarly, 1024, out)
		equal(c, out, []int32{768})
	}},
	{"test_ifexp_only_executes_one_branch", "one branch has effects", "Go has no conditional expression", func(c *check) {
		gives(c, []int32{1, 0}, oneBranch, 1)
	}},
	{"test_multiple_return_values", "several results", "", func(c *check) {
		gives(c, []float32{0, 1, math.Pi}, multipleResults)
	}},
	{"test_cast", "bits of one type as another", "", func(c *check) { gives(c, []float32{1.25, 2}, casts) }},
	{"test_augassign_no_double_eval (all)", "the operands of x op= y are evaluated once", "", func(c *check) {
		counter := make([]int, 1)
		gives(c, []float32{20, 5}, augmentedOnce, counter)
		equal(c, counter[0], 6)
	}},
	{"test_assign_function_to_local, test_assign_static_function_to_local", "functions in local variables", "", func(c *check) {
		gives(c, []float32{6, 6, 9}, functionInLocal)
	}},
	{"test_rebind_function_local_errors (1)", "a local that holds one function, then another", "no error where it is known which", func(c *check) {
		gives(c, []float32{6, 1.5}, rebindsKnown)
	}},
	{"test_rebind_function_local_errors (2)", "which of two functions a local holds is decided at run time: an error", "", func(c *check) {
		c.refuses("f", rebindsAtRunTime, 1, make([]float32, 1))
	}},
	{"test_unary_minus_on_64bit_constant", "the negation of 64-bit constants", "", func(c *check) {
		outF := make([]float64, 1)
		gives(c, []int64{-14}, unaryMinus, 3.0, 5.0, int64(2), outF)
		b, d := 3.0, 5.0
		equal(c, outF[0], -f64Const*b/(d*d))
	}},
	{"test_for_loop gradients, test_grad_of_function_bound_to_local, test_rebind_gradwrapper_*", "gradients", "gradients have cases of their own, under ssa/gradient; this one is not rebuilt", nil},
	{"test_call_syntax", "arguments by name", "Go has none", nil},
}
