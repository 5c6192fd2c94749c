package peers

import (
	"math"

	"github.com/qdgen/qd"
)

var warpStatic = []peerCase{
	{"test_static_global_variable", "a variable in a static expression, and a call of a function with one in another", "", func(c *check) {
		gives(c, []int{5, 8}, staticGlobal)
	}},
	{"test_construct_static_struct", "a static expression gives a struct", "", func(c *check) {
		gives(c, []constructed{construct(1, 1)}, staticStruct)
	}},
	{"test_construct_static_nested_struct", "a nested struct, made by what kernels cannot call", "", func(c *check) {
		gives(c, []constructedNested{constructNested()}, staticNestedStruct)
	}},
	{"test_invalid_static_expression (division)", "a static expression that fails is an error at its position", "", func(c *check) {
		c.refuses("divide by zero", staticDivisionByZero, make([]int, 1))
	}},
	{"test_invalid_static_expression (variable)", "a static expression of a runtime value is an error that names it", "", func(c *check) {
		c.refuses("argument of qd.Static is not known at compile time: i is a runtime parameter", staticRuntimeValue, 3, make([]int, 1))
	}},
	{"test_static_expression_return_types (array)", "a static expression cannot give a slice that the kernel reads as memory", "a list that is read at known indices only may be given", func(c *check) {
		gives(c, []int{0}, staticSlice)
	}},
	{"test_static_expression_return_types (struct)", "nor a struct with one in it", "", func(c *check) {
		c.refuses("which kernels cannot have", staticStructWithSlice, make([]int, 1))
	}},
	{"test_static_expression_return_types (None or class)", "a value of a type that kernels do not have is an error", "a function without a result is Go's error; a pointer is ours", func(c *check) {
		c.refuses("pointer", staticPointer, make([]int, 1))
	}},
	{"test_function_variable", "a variable that holds a function: another function is another specialization", "without wp.static, and noticed without a new kernel", func(c *check) {
		defer func() { functionVariable = func1 }()
		for range 2 {
			functionVariable = func1
			gives(c, []int{5}, staticFunctionVariable)
			functionVariable = func2
			gives(c, []int{1}, staticFunctionVariable)
		}
	}},
	{"test_function_lookup", "functions from a map, by a name that is known", "", func(c *check) {
		in := [][2]float32{{1, 2}, {3, 0}}
		for name, f := range opHandlers {
			out := make([]float32, 2)
			c.launch(staticLookup, 2, qd.C(name), in, out)
			equal(c, out, []float32{f(1, 2), f(3, 0)})
		}
	}},
	{"test_static_for_loop", "a loop over a static range is unrolled", "", func(c *check) {
		gives(c, []int{10}, staticLoop)
	}},
	{"test_static_for_loop_force_unroll", "a static expression of the loop variable, in a loop of more turns than are unrolled", "the range is marked, not its use in the body", func(c *check) {
		gives(c, []int{780}, staticLoopForced)
	}},
	{"test_static_for_loop_no_force_unroll", "a static expression without the loop variable leaves a loop a loop", "", func(c *check) {
		gives(c, []int{120}, staticLoopNotForced)
	}},
	{"test_static_if_else_elif (1)", "a chain of static conditions", "", func(c *check) {
		gives(c, []int{1}, staticElif)
	}},
	{"test_static_if_else_elif (2)", "a condition on a captured string", "", func(c *check) {
		gives(c, []int{2}, staticStringEqual, qd.C("hello"))
		gives(c, []int{1}, staticStringEqual, qd.C("world"))
	}},
	{"test_static_if_else_elif (3)", "the length of a list that is known", "", func(c *check) {
		gives(c, []int{3}, staticLenOfList)
	}},
	{"test_static_len_query", "lengths of vectors in types and static expressions", "", func(c *check) {
		gives(c, []int{6}, staticLen)
	}},
	{"test_unresolved_static_expression", "static expressions that depend on what a kernel captures tell kernels apart", "", func(c *check) {
		gives(c, []int{1}, selection{[2]int{0}, 1})
		gives(c, []int{2}, selection{[2]int{1}, 1})
		gives(c, []int{1}, selection{[2]int{1, 0}, 2})
	}},
	{"test_static_loop_variable_not_shadowed_by_global (1)", "a loop variable hides a package variable of its name", "", func(c *check) {
		gives(c, []int{0, 1, 2, 1887}, staticShadowed)
	}},
	{"test_static_loop_variable_not_shadowed_by_global (2)", "in an expression", "", func(c *check) {
		gives(c, []int{1, 3, 5}, staticShadowedExpr)
	}},
	{"test_static_loop_variable_not_shadowed_by_global (3)", "in nested loops", "", func(c *check) {
		gives(c, []int{0, 1, 10, 11}, staticShadowedNested)
	}},
	{"test_static_loop_variable_not_shadowed_by_global (4)", "in nested loops with one name", "Go's scopes: after the inner loop the name is the outer variable, 0 1 and not 2 2", func(c *check) {
		gives(c, []int{0, 1}, staticShadowedSame)
	}},
	{"test_static_python_call", "outside of kernels the marker is the identity", "", func(c *check) {
		equal(c, staticGlobalFunc(), 5)
		equal(c, qd.Static(math.Pi), math.Pi)
	}},
}
