package warp

import (
	"fmt"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
)

// kernelWithConstant makes a kernel that captures a number. What it captures is named,
// since Go does not let a library look into a closure.
func kernelWithConstant(constant float32) *qd.Kernel {
	return qd.NewKernel(func(t qd.Thread, a []float32) {
		a[t.ID()] += constant
	}, qd.Capture("constant", constant))
}

// ConstantClosures makes two kernels of one literal.
func ConstantClosures() {
	k1 := kernelWithConstant(17)
	k2 := kernelWithConstant(42)
	a := make([]float32, 5)
	check(k1.Launch(qd.Dim(len(a)), a))
	check(k2.Launch(qd.Dim(len(a)), a))
	fmt.Println(a)
	// Output:
	// [59 59 59 59 59]
}

// A shifted has a number added to each of its elements.
type shifted[V any] interface{ AddScalar(x float32) V }

// addIndex works for several types: it is generic, as any Go function.
//
//qd:kernel
func addIndex[V shifted[V]](t qd.Thread, a []V) {
	i := t.ID()
	a[i] = a[i].AddScalar(float32(i))
}

// TypeClosures launches instances for vectors of two and of four numbers.
func TypeClosures() {
	a2 := []f32.Vec2{{1, 1}, {1, 1}, {1, 1}}
	a4 := []f32.Vec4{{1, 1, 1, 1}, {1, 1, 1, 1}, {1, 1, 1, 1}}
	check(qd.Launch(addIndex[f32.Vec2], qd.Dim(len(a2)), a2))
	check(qd.Launch(addIndex[f32.Vec4], qd.Dim(len(a4)), a4))
	fmt.Println(a2)
	fmt.Println(a4)
	// Output:
	// [[1 1] [2 2] [3 3]]
	// [[1 1 1 1] [2 2 2 2] [3 3 3 3]]
}

//qd:kernel
func apply(t qd.Thread, f qd.Const[func(float32) float32], a []float32) {
	i := t.ID()
	a[i] = f.V(a[i])
}

func square(x float32) float32 { return x * x }
func cube(x float32) float32   { return x * x * x }

// FunctionArguments passes functions, as compile-time arguments.
func FunctionArguments() {
	a1 := []float32{1, 2, 3, 4, 5}
	a2 := []float32{1, 2, 3, 4, 5}
	check(qd.Launch(apply, qd.Dim(len(a1)), qd.C(square), a1))
	check(qd.Launch(apply, qd.Dim(len(a2)), qd.C(cube), a2))
	fmt.Println(a1)
	fmt.Println(a2)
	// Output:
	// [1 4 9 16 25]
	// [1 8 27 64 125]
}

// scaleBy makes a function that captures a number.
func scaleBy(constant float32) func(float32) float32 {
	return func(x float32) float32 { return constant * x }
}

var (
	f1 = scaleBy(2)
	f2 = scaleBy(3)
)

//qd:kernel
func sumOfScales(t qd.Thread, a []float32) {
	x := float32(t.ID())
	a[t.ID()] = f1(x) + f2(x)
}

// FunctionClosures calls two functions that one function has made.
func FunctionClosures() {
	a := []float32{1, 1, 1, 1, 1}
	check(qd.Launch(sumOfScales, qd.Dim(len(a)), a))
	fmt.Println(a)
	// Output:
	// [0 5 10 15 20]
}

// functionAndKernel makes a function and a kernel. What they capture is named, since Go does not let a
// library look into a closure.
func functionAndKernel(a, b float32) (func(float32) float32, *qd.Kernel) {
	f := qd.NewFunc(func(x float32) float32 { return a * x }, qd.Capture("a", a))
	k := qd.NewKernel(func(t qd.Thread, a []float32) {
		i := t.ID()
		a[i] = f(a[i]) + b
	}, qd.Capture("f", f), qd.Capture("b", b))
	return f, k
}

// PairedClosures makes functions and kernels that belong together, and uses the
// functions in another kernel.
func PairedClosures() {
	f1, k1 := functionAndKernel(2, 3)
	f2, k2 := functionAndKernel(4, 5)
	kk := qd.NewKernel(func(t qd.Thread, a []float32) {
		i := t.ID()
		a[i] = f1(a[i]) + f2(a[i])
	}, qd.Capture("f1", f1), qd.Capture("f2", f2))

	a1 := []float32{1, 2, 3, 4, 5}
	a2 := []float32{1, 2, 3, 4, 5}
	ak := []float32{1, 2, 3, 4, 5}
	check(k1.Launch(qd.Dim(len(a1)), a1))
	check(k2.Launch(qd.Dim(len(a2)), a2))
	check(kk.Launch(qd.Dim(len(ak)), ak))
	fmt.Println(a1)
	fmt.Println(a2)
	fmt.Println(ak)
	// Output:
	// [5 7 9 11 13]
	// [9 13 17 21 25]
	// [6 12 18 24 30]
}
