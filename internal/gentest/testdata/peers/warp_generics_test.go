package peers

import (
	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
	"github.com/qdgen/qd/internal/gentest/testdata/bigtypes/big32"
)

// full is n times v.
func full[T any](n int, v T) []T {
	x := make([]T, n)
	for i := range x {
		x[i] = v
	}
	return x
}

// addsArraysOf launches a generic kernel over arrays of a type.
func addsArraysOf[T any](c *check, kernel any, one, four T) {
	c.Helper()
	a, out := full(10, one), make([]T, 10)
	c.launch(kernel, 10, a, a, out)
	equal(c, out, full(10, four))
}

var warpGenerics = []peerCase{
	{"test_generic_adder", "a generic function for three types", "", func(c *check) { gives(c, []float64{42, 17, 66}, genericAdder) }},
	{"test_eager_generic_func_after_concrete_overload", "a generic function for arrays of two lengths", "", func(c *check) {
		gives(c, []float32{5, 14}, genericAfterConcrete)
		equal(c, lengthSquared([3]float32{1, 2, 3}), 14)
	}},
	{"test_specialized_func", "other code for other types", "methods instead of overloads", func(c *check) {
		gives(c, []float32{-8, -18, 70, 140, 111}, specializedFuncs)
	}},
	{"test_generic_array_kernel", "a generic kernel of arrays", "launched instantiated", func(c *check) {
		for range 2 {
			addsArraysOf[int32](c, genericArrays[int32], 1, 4)
			addsArraysOf[float32](c, genericArrays[float32], 1, 4)
			addsArraysOf(c, genericVecArrays[f32.Vec3], f32.Vec3{1, 1, 1}, f32.Vec3{4, 4, 4})
		}
	}},
	{"test_generic_accumulator_kernel", "a value of any type", "", func(c *check) {
		a := make([]float64, 10)
		c.launch(accumulate[int], 10, 25, a)
		c.launch(accumulate[float32], 10, 17, a)
		c.launch(accumulate[float64], 10, 8.0, a)
		c.launch(accumulateBool, 10, true, a)
		equal(c, a, full(10, 51.0))
	}},
	{"test_generic_fill, test_generic_fill_overloads", "a kernel for numbers, vectors and bools", "", func(c *check) {
		ai, af, av, ab, ax := make([]int, 10), make([]float32, 10), make([]f32.Vec3, 10), make([]bool, 10), make([][3]bool, 10)
		c.launch(genericFill[int], 10, 42, ai)
		c.launch(genericFill[float32], 10, 17, af)
		c.launch(genericFill[f32.Vec3], 10, f32.Vec3{5, 5, 5}, av)
		c.launch(genericFill[bool], 10, true, ab)
		c.launch(genericFill[[3]bool], 10, [3]bool{true, true, true}, ax)
		equal(c, ai, full(10, 42))
		equal(c, af, full(10, float32(17)))
		equal(c, av, full(10, f32.Vec3{5, 5, 5}))
		equal(c, ab, full(10, true))
		equal(c, ax, full(10, [3]bool{true, true, true}))
	}},
	{"test_generic_conditional_setter", "generic and other parameters mixed", "", func(c *check) {
		a := make([]int, 10)
		c.launch(conditionalSetter[int], 1, 1, 42, false, a)
		c.launch(conditionalSetter[int], 1, 1, 5, true, a)
		equal(c, a[:3], []int{0, 47, 0})
	}},
	{"test_generic_transform_kernel, test_generic_transform_array_kernel", "matrices times vectors, of 2, 3 and 5", "", func(c *check) {
		c.specializes(3, func() {
			for range 2 {
				out2, out3, out5 := make([]f32.Vec2, 1), make([]f32.Vec3, 1), make([]big32.Vec5, 1)
				c.launch(genericTransform[f32.Mat2, f32.Vec2], 1, f32.Mat2{{2, 0}, {0, 2}}, []f32.Vec2{{1, 2}}, out2)
				c.launch(genericTransform[f32.Mat3, f32.Vec3], 1, f32.Mat3{{2}, {0, 2}, {0, 0, 2}}, []f32.Vec3{{1, 2, 3}}, out3)
				c.launch(genericTransform[big32.Mat5x5, big32.Vec5], 1, big32.Mat5x5{{2}, {0, 2}, {0, 0, 2}, {0, 0, 0, 2}, {0, 0, 0, 0, 2}}, []big32.Vec5{{1, 2, 3, 4, 5}}, out5)
				equal(c, out2[0], f32.Vec2{2, 4})
				equal(c, out3[0], f32.Vec3{2, 4, 6})
				equal(c, out5[0], big32.Vec5{2, 4, 6, 8, 10})
			}
		})
	}},
	{"test_generic_struct_kernel", "fields of generic structs", "", func(c *check) {
		gives(c, []number{42}, genericStruct[number], triple[number]{17, 25, 0})
		gives(c, []f32.Vec3{{11, 22, 33}}, genericStruct[f32.Vec3], triple[f32.Vec3]{X: f32.Vec3{1, 2, 3}, Y: f32.Vec3{10, 20, 30}})
	}},
	{"test_generic_struct_construction_kernel", "a generic struct that is made in a kernel", "", func(c *check) {
		gives(c, []triple[float32]{{42, 25, 17}}, genericStructMade[float32], triple[float32]{17, 25, 42})
		gives(c, []triple[f32.Vec3]{{Z: f32.Vec3{1}}}, genericStructMade[f32.Vec3], triple[f32.Vec3]{X: f32.Vec3{1}})
	}},
	{"test_generic_type_cast", "conversions to a type parameter and back", "", func(c *check) {
		gives(c, []float64{2}, castBy[float32, float64]{}, 2.0)
		gives(c, []int32{-5}, castBy[float32, int32]{}, int32(-5))
		gives(c, []float64{0}, castBy[uint8, float64]{}, 0.5)
	}},
	{"test_generic_scalar_construction, test_generic_type_construction", "zero values of a type parameter", "", func(c *check) {
		gives(c, []int32{1}, genericConstruction[int32], []int32{1})
		gives(c, []float64{-5}, genericConstruction[float64], []float64{-5})
		gives(c, []f32.Vec3{{1, 2, 3}, {}}, genericZero[f32.Vec3], []f32.Vec3{{1, 2, 3}})
		gives(c, []f32.Mat2{{{1}, {0, 1}}, {}}, genericZero[f32.Mat2], []f32.Mat2{{{1}, {0, 1}}})
	}},
	{"test_generic_type_as_argument", "a matrix of a type parameter", "", func(c *check) {
		gives(c, []float32{3}, typeAsArgument[float32], 1.5)
		gives(c, []float64{3}, typeAsArgument[float64], 1.5)
	}},
	{"test_annotations_kernel, test_type_operator_misspell, test_type_attribute_error, test_*_overload_stub*", "the syntax of annotations and of overloads", "Go's", nil},
	{"test_eager_generic_func_does_not_retain_array", "a call outside of kernels keeps no array", "it is a Go call", nil},
}

var warpInstancing = []peerCase{
	{"test_global_kernel_redefine", "two kernels where one name was defined twice", "two literals of one shape", func(c *check) {
		k1, k2 := kernel17(), kernel42()
		for range 2 {
			gives(c, []int{42}, k2)
			gives(c, []int{17}, k1)
		}
	}},
	{"test_global_func_redefine", "functions in variables", "", func(c *check) { gives(c, []int{42, 17, 42}, callsGlobals) }},
	{"test_global_struct_args_redefine", "structs of several types as arguments", "", func(c *check) {
		gives(c, []float32{1, 2, 3, 4, 5}, takesStructs, structB{[2]float32{1, 2}}, structA{3}, structB{[2]float32{4, 5}})
	}},
	{"test_global_struct_ctor_redefine", "two types of one name", "in two scopes", func(c *check) { gives(c, []float32{1, 2, 3, 4, 5}, makesStructs) }},
	{"test_global_overload_primary_redefine, test_global_overload_secondary_redefine", "one of two overloads defined anew", "methods of two types", func(c *check) {
		gives(c, []float32{8, 4}, overloads)
	}},
	{"test_global_generic_kernel_redefine, test_create_generic_kernel_simple, test_create_generic_kernel_cond", "generic kernels made by functions", "", func(c *check) {
		for range 2 {
			gives(c, []int{8}, conditionalGeneric[int](false), 2)
			gives(c, []float32{8}, conditionalGeneric[float32](false), 2)
			gives(c, []int{4}, conditionalGeneric[int](true), 2)
			gives(c, []float32{4}, conditionalGeneric[float32](true), 2)
		}
	}},
	{"test_global_generic_func_redefine, test_create_generic_func_simple, test_create_generic_func_cond", "generic functions as values", "", func(c *check) {
		outI := make([]int, 3)
		gives(c, []float32{8, 4, 8}, genericFuncs, outI)
		equal(c, outI, []int{8, 4, 8})
	}},
	{"test_create_kernel_simple", "one kernel made twice", "it is one kernel", func(c *check) {
		gives(c, []int{17}, kernel17())
		c.same(func() { gives(c, []int{17}, kernel17()) })
	}},
	{"test_create_func_simple", "one function made twice", "", func(c *check) { gives(c, []int{17, 17}, callsSimple) }},
	{"test_create_kernel_cond", "one of two kernels, by a condition outside", "", func(c *check) {
		gives(c, []int{17}, conditionalKernel(true))
		gives(c, []int{42}, conditionalKernel(false))
	}},
	{"test_create_func_cond", "functions as compile-time arguments", "", func(c *check) {
		gives(c, []int{17, 42}, callsConditional, qd.C(conditionalFunc(true)), qd.C(conditionalFunc(false)))
		gives(c, []int{42, 17}, callsConditional, qd.C(conditionalFunc(false)), qd.C(conditionalFunc(true)))
	}},
	{"test_create_kernel_closure", "kernels that capture a number, as methods", "", func(c *check) {
		gives(c, []int{17}, valueOf{17})
		gives(c, []int{42}, valueOf{42})
	}},
	{"test_create_kernel_closure (literals)", "kernels that capture a number, as literals", "the capture is named", func(c *check) {
		gives(c, []int{17}, literalOf(17))
		gives(c, []int{42}, literalOf(42))
	}},
	{"test_create_func_closure", "functions that capture a number", "methods of a captured value", func(c *check) { gives(c, []int{17, 42}, callsClosures) }},
	{"test_create_func_closure_overload, test_create_func_closure_overload_selfref", "functions that capture, and call each other", "", func(c *check) {
		gives(c, []int{2, 4, 3, 6}, callsOverloaded, qd.C(captures{2}), qd.C(captures{3}))
	}},
	{"test_create_func_closure_nonoverload, test_create_generic_func_closure, test_create_generic_func_closure_overload", "generic functions that capture", "", func(c *check) {
		outI := make([]int, 3)
		gives(c, []float32{4, 6, 9}, callsTimes, outI)
		equal(c, outI, []int{4, 6, 6})
	}},
	{"test_create_fk_closure", "functions and kernels made together, and the functions used in another kernel", "", func(c *check) {
		f1, f2 := captures{10}, captures{40}
		gives(c, []int{17}, fk{f1, 7})
		gives(c, []int{42}, fk{f2, 2})
		gives(c, []int{50}, fks{f1, f2})
	}},
	{"test_create_generic_kernel_closure, test_create_generic_kernel_overload_closure", "generic kernels that capture", "", func(c *check) {
		gives(c, []int{4}, genericValue[int]{2}, 2)
		gives(c, []float32{4}, genericValue[float32]{2}, 2)
		gives(c, []int{6}, genericValue[int]{3}, 2)
		gives(c, []float32{6}, genericValue[float32]{3}, 2)
	}},
	{"test_type_closure_scalar", "kernels that capture a type", "a type parameter; the case that Warp's test leaves out works", func(c *check) {
		gives(c, []float32{-1}, typeOf[int]{}, -1.5)
		gives(c, []float32{-1.5}, typeOf[float32]{}, -1.5)
		gives(c, []float32{1}, typeOf[uint8]{}, 257.5-256)
	}},
	{"test_type_closure_vector", "of a vector", "", func(c *check) {
		gives(c, []float32{2}, lengthOf[[2]float32]{})
		gives(c, []float32{3}, lengthOf[[3]float32]{})
	}},
	{"test_type_closure_struct", "of a struct", "", func(c *check) {
		gives(c, []float32{17}, structAsType[structA]{})
		gives(c, []float32{42}, structAsType[structB]{})
	}},
	{"test_name_clash_func", "functions of one name in two packages", "", func(c *check) { gives(c, []int{99, 99, 17, 42}, clashingFuncs) }},
	{"test_name_clash_struct_args", "structs of one name in two packages, as arguments", "", clashArgs},
	{"test_name_clash_struct_ctor", "and made in a kernel", "", func(c *check) { gives(c, []float32{1, 2, 3, 5}, clashingStructsMade) }},
	{"test_create_kernel_loop, test_create_kernel_loop_hooks_bounded", "one kernel made again and again is loaded once", "", func(c *check) {
		gives(c, []int{17}, kernel17())
		c.same(func() {
			for range 16 {
				gives(c, []int{17}, kernel17())
			}
		})
		gives(c, []int{5}, literalOf(5))
		c.same(func() {
			for range 16 {
				gives(c, []int{5}, literalOf(5))
			}
		})
	}},
	{"test_module_mark_modified", "a captured variable that changes", "nothing is marked: the launch notices", func(c *check) {
		defer func() { modified = 17 }()
		gives(c, []int{17}, readsModified)
		modified = 42
		gives(c, []int{42}, readsModified)
	}},
	{"test_garbage_collection", "many kernels that are different", "each is one specialization; those of methods and literals are kept, since they are values", func(c *check) {
		for i := range 4 {
			gives(c, []int{i}, valueOf{i})
		}
	}},
	{"test_empty_closure_cell", "a captured variable that is assigned after the kernel is made", "the capture has the value at qd.Capture; such a variable is refused", nil},
}
