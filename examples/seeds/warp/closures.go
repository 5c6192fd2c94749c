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

// A scale is a function that has captured a number: a method captures its receiver.
type scale struct{ by float32 }

func (s scale) apply(x float32) float32 { return s.by * x }

var (
	f1 = scale{2}
	f2 = scale{3}
)

//qd:kernel
func sumOfScales(t qd.Thread, a []float32) {
	x := float32(t.ID())
	a[t.ID()] = f1.apply(x) + f2.apply(x)
}

// FunctionClosures calls one method of two values.
func FunctionClosures() {
	a := []float32{1, 1, 1, 1, 1}
	check(qd.Launch(sumOfScales, qd.Dim(len(a)), a))
	fmt.Println(a)
	// Output:
	// [0 5 10 15 20]
}

// A unary is a function with what it captures, as a type.
type unary interface{ apply(float32) float32 }

// An affine is a kernel that captures a function and a number.
type affine[F unary] struct {
	F F
	B float32
}

//qd:kernel
func (k affine[F]) Kernel(t qd.Thread, a []float32) {
	i := t.ID()
	a[i] = k.F.apply(a[i]) + k.B
}

// A sum is a kernel that captures two functions.
type sum[F, G unary] struct {
	F F
	G G
}

//qd:kernel
func (k sum[F, G]) Kernel(t qd.Thread, a []float32) {
	i := t.ID()
	a[i] = k.F.apply(a[i]) + k.G.apply(a[i])
}

// PairedClosures makes functions and kernels that belong together, and uses the
// functions in another kernel.
func PairedClosures() {
	f1, f2 := scale{2}, scale{4}
	k1, k2 := affine[scale]{f1, 3}, affine[scale]{f2, 5}
	kk := sum[scale, scale]{f1, f2}

	a1 := []float32{1, 2, 3, 4, 5}
	a2 := []float32{1, 2, 3, 4, 5}
	ak := []float32{1, 2, 3, 4, 5}
	check(qd.Launch(k1, qd.Dim(len(a1)), a1))
	check(qd.Launch(k2, qd.Dim(len(a2)), a2))
	check(qd.Launch(kk, qd.Dim(len(ak)), ak))
	fmt.Println(a1)
	fmt.Println(a2)
	fmt.Println(ak)
	// Output:
	// [5 7 9 11 13]
	// [9 13 17 21 25]
	// [6 12 18 24 30]
}
