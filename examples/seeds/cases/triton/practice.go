package triton

import (
	"fmt"

	"github.com/qdgen/qd"
)

//qd:kernel
func powers(t qd.Thread, n qd.Const[int], x []int) {
	p := 1
	for i := range qd.Static(n.V) {
		x[i] = p
		p *= 2
	}
}

func runtimeRange(t qd.Thread, n int, x []int) {
	for i := range qd.Static(n) {
		x[i] = i
	}
}

// StaticRange unrolls a loop whose length is a constant, and refuses one whose length is not.
func StaticRange() {
	x := make([]int, 5)
	check(qd.Launch(powers, qd.Dim(1), qd.C(5), x))
	fmt.Println(x)
	refused(qd.Launch(runtimeRange, qd.Dim(1), 5, x))
	// Output:
	// [1 2 4 8 16]
	// argument of qd.Static is not known at compile time: n is a runtime parameter
	// help: make it a qd.Const parameter, or leave out qd.Static
}

//qd:kernel
func multiply(t qd.Thread, fused qd.Const[bool], x, y, z []float32) {
	i := t.ID()
	if fused.V {
		z[i] = qd.FMA(x[i], y[i], z[i])
	} else {
		z[i] += x[i] * y[i]
	}
}

// FusedFlag has a flag that decides which code there is.
func FusedFlag() {
	for _, fused := range []bool{false, true} {
		x, y, z := []float32{1 + 0x1p-12}, []float32{1 + 0x1p-12}, []float32{-1 - 0x1p-11}
		check(qd.Launch(multiply, qd.Dim(1), qd.C(fused), x, y, z))
		fmt.Println(z)
	}
	// Output:
	// [0]
	// [5.9604645e-08]
}

//qd:kernel
func gather(t qd.Thread, stride qd.Const[int], x, y []int) { y[t.ID()] = x[t.ID()*stride.V] }

// Strides reads every second and every third element.
func Strides() {
	x := []int{0, 1, 2, 3, 4, 5, 6, 7, 8}
	for _, stride := range []int{2, 3} {
		y := make([]int, 3)
		check(qd.Launch(gather, qd.Dim(3), qd.C(stride), x, y))
		fmt.Println(y)
	}
	// Output:
	// [0 2 4]
	// [0 3 6]
}

//qd:kernel
func dims(t qd.Thread, x []int) { x[t.ID()] = t.BlockDim() }

// BlockDims sets the number of threads in a block, which is no argument of the kernel.
func BlockDims() {
	for _, n := range []int{64, 128} {
		x := make([]int, 200)
		check(qd.NewKernel(dims).WithBlockDim(n).Launch(qd.Dim(len(x)), x))
		fmt.Println(x[0], x[199])
	}
	// Output:
	// 64 64
	// 128 128
}
