package peers

import "github.com/qdgen/qd"

var quadrantsStatic = []peerCase{
	{"test_static_if_dead_branch_not_walked", "a branch that is not taken may have what kernels cannot say", "", func(c *check) {
		gives(c, []int{1}, deadBranch, qd.C(true))
		c.refuses("channels are not supported", deadBranch, qd.C(false), make([]int, 1))
	}},
	{"test_static_if", "a condition on a compile-time argument", "", func(c *check) {
		gives(c, []int{0}, staticIf, qd.C(0))
		gives(c, []int{1}, staticIf, qd.C(1))
	}},
	{"test_static_if_error", "a condition on a runtime argument is an error", "", func(c *check) {
		c.refuses("argument of qd.Static is not known at compile time: val is a runtime parameter", staticIfRuntime, 42.0, make([]int, 1))
	}},
	{"test_static_ndrange", "two nested unrolled loops over a list", "", func(c *check) {
		x := make([][3][3]float32, 9)
		c.launch(staticNdrange, 1, x)
		for i := range 3 {
			for j := range 3 {
				equal(c, x[3*i+j][i][j], float32(i+j*2))
			}
		}
	}},
	{"test_static_break", "break in an unrolled loop", "", func(c *check) { gives(c, []int{1, 1, 1, 0, 0}, staticBreak) }},
	{"test_static_continue", "continue in an unrolled loop", "", func(c *check) { gives(c, []int{1, 1, 0, 1, 1}, staticContinue) }},
}

var quadrantsTemplates = []peerCase{
	{"test_kernel_template_basic", "one kernel for arrays of two types, with a compile-time argument", "", func(c *check) {
		x, y := make([]int32, 16), make([]float32, 16)
		c.must(c.dev.Run(templateInc[int32], x, qd.C[int32](1)))
		c.must(c.dev.Run(templateInc[float32], y, qd.C[float32](2)))
		equal(c, x, full(16, int32(1)))
		equal(c, y, full(16, float32(2)))
		c.must(c.dev.Run(templateInc2[int32], 10, x, 1))
		equal(c, x, full(16, int32(12)))
	}},
	{"test_func_template", "a function with a compile-time argument that chooses between arrays", "arrays are arguments", func(c *check) {
		a, b := [2][]float32{make([]float32, 256), make([]float32, 256)}, make([]float32, 256)
		a0, a1, view := qd.ViewOf2(a[0], 16, 16), qd.ViewOf2(a[1], 16, 16), qd.ViewOf2(b, 16, 16)
		for l := range 2 {
			c.must(c.dev.Run(templateFill, qd.C(l), a0, a1))
			c.must(c.dev.Run(templateCopy, qd.C(l), a0, a1, view))
			equal(c, b, full(256, float32(l)))
		}
	}},
	{"test_func_template2", "the same twice: nothing is compiled again", "", func(c *check) {
		a := qd.ViewOf2(make([]float32, 256), 16, 16)
		c.must(c.dev.Run(templateFill, qd.C(1), a, a))
		c.specializes(0, func() { c.must(c.dev.Run(templateFill, qd.C(1), a, a)) })
	}},
	{"test_kernel_template_gradient", "gradients through kernels with templates", "gradients have cases of their own, under ssa/gradient; this one is not rebuilt", nil},
}
