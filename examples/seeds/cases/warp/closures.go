package warp

import (
	"fmt"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
)

// kernelOf makes a kernel for a constant, a type and a function at once.
func kernelOf[T qd.Number](constant T, f func(T) T) *qd.Kernel {
	return qd.NewKernel(func(t qd.Thread, x []T) {
		x[t.ID()] = f(x[t.ID()]) + constant
	}, qd.Capture("constant", constant), qd.Capture("f", f))
}

func double[T qd.Number](x T) T { return 2 * x }

// ClosuresOfEverything makes kernels that differ in a constant, in a type, and in a function.
func ClosuresOfEverything() {
	ints, floats := []int{1, 2}, []float32{1, 2}
	check(kernelOf(1, double[int]).Launch(qd.Dim(2), ints))
	check(kernelOf(10, double[int]).Launch(qd.Dim(2), ints))
	check(kernelOf(0.5, double[float32]).Launch(qd.Dim(2), floats))
	check(kernelOf(0, qd.Sqrt[float32]).Launch(qd.Dim(2), floats))
	fmt.Printf("%v %.3f\n", ints, floats)
	// Output:
	// [16 20] [1.581 2.121]
}

// scaledBy makes a function that captures a number, which is named.
func scaledBy(c float32) func(float32) float32 {
	return qd.NewFunc(func(x float32) float32 { return c * x }, qd.Capture("c", c))
}

// twice makes a function of a function.
func twice(f func(float32) float32) func(float32) float32 {
	return qd.NewFunc(func(x float32) float32 { return f(f(x)) }, qd.Capture("f", f))
}

//qd:kernel
func applies(t qd.Thread, f qd.Const[func(float32) float32], x []float32) {
	x[t.ID()] = f.V(x[t.ID()])
}

// ClosureOfClosure makes functions of functions, each a function of its own.
func ClosureOfClosure() {
	before := qd.Stats().Specializations
	for _, f := range []func(float32) float32{twice(scaledBy(2)), twice(scaledBy(3)), twice(twice(scaledBy(2))), twice(scaledBy(2))} {
		x := []float32{1, 2}
		check(qd.Launch(applies, qd.Dim(2), qd.C(f), x))
		fmt.Println(x)
	}
	fmt.Println(qd.Stats().Specializations-before, "specializations")
	// Output:
	// [4 8]
	// [9 18]
	// [16 32]
	// [4 8]
	// 3 specializations
}

// UnnamedCapture forgets to name what a literal captures.
func UnnamedCapture() {
	c := 2
	k := qd.NewKernel(func(t qd.Thread, x []int) { x[t.ID()] *= c })
	refused(k.Launch(qd.Dim(1), []int{1}))
	f := func(x float32) float32 { return float32(c) * x }
	refused(qd.Launch(applies, qd.Dim(1), qd.C(f), []float32{1}))
	// Output:
	// the kernel captures c, which is declared in the function around it, without naming it
	// help: name it where the kernel is made: qd.NewKernel(func..., qd.Capture("c", c)), or pass it as an argument
	// the function captures c, which is declared in the function around it, without naming it
	// help: name it where the function is made: qd.NewFunc(func..., qd.Capture("c", c)), or make the function a method of a struct that holds it
}

// A weighted has a value of any type and its weight.
type weighted[T any] struct {
	Value  T
	Weight float32
}

// A scaler is what can be multiplied with a number.
type scaler[T any] interface{ Scale(x float32) T }

//qd:kernel
func weigh[T scaler[T]](t qd.Thread, s weighted[T], x []T) {
	x[t.ID()] = s.Value.Scale(s.Weight * float32(t.ID()))
}

// AnyStruct launches a kernel whose struct and array have types of the launch's choice.
func AnyStruct() {
	vectors, matrices := make([]f32.Vec2, 2), make([]f32.Mat2, 2)
	check(qd.Launch(weigh[f32.Vec2], qd.Dim(2), weighted[f32.Vec2]{f32.Vec2{1, 2}, 3}, vectors))
	check(qd.Launch(weigh[f32.Mat2], qd.Dim(2), weighted[f32.Mat2]{f32.Mat2Identity(), 5}, matrices))
	fmt.Println(vectors, matrices)
	// Output:
	// [[0 0] [3 6]] [[[0 0] [0 0]] [[5 0] [0 5]]]
}

// Duplicates makes the same function and kernel again and again: they are built once.
func Duplicates() {
	x := []float32{1}
	before := qd.Stats().Specializations
	for range 3 {
		f := scaledBy(3)
		k := qd.NewKernel(func(t qd.Thread, x []float32) { x[t.ID()] = f(x[t.ID()]) }, qd.Capture("f", f))
		check(k.Launch(qd.Dim(1), x))
	}
	fmt.Println(x, qd.Stats().Specializations-before)
	// Output:
	// [27] 1
}
