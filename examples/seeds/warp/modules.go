package warp

import (
	"fmt"

	"github.com/qdgen/qd"
)

//qd:kernel
func kernelFoo(t qd.Thread) { qd.Printf("foo\n") }

//qd:kernel
func kernelBar(t qd.Thread) { qd.Printf("bar\n") }

// Interspersed launches one kernel, then another. Both were there when the first was
// launched, and were built with it: nothing is loaded again.
func Interspersed() {
	check(qd.Launch(kernelFoo, qd.Dim(1)))
	wait()
	check(qd.Launch(kernelBar, qd.Dim(1)))
	wait()
	// Output:
	// foo
	// bar
}

// DefinedFirst asks for both before it launches any. It is not needed: the kernels of
// a package are all defined when the program starts.
func DefinedFirst() {
	check(qd.Build(kernelFoo, kernelBar))
	check(qd.Launch(kernelFoo, qd.Dim(1)))
	wait()
	check(qd.Launch(kernelBar, qd.Dim(1)))
	wait()
	// Output:
	// foo
	// bar
}

// HelloLoop makes one kernel again and again. It is the same each time, and is built
// and loaded once.
func HelloLoop() {
	for range 3 {
		hello := qd.NewKernel(func(t qd.Thread) { qd.Printf("hello\n") })
		check(hello.Launch(qd.Dim(1)))
		wait()
	}
	// Output:
	// hello
	// hello
	// hello
}

// myFunc needs no mark: it is compiled because a kernel calls it.
func myFunc(a, b float32) float32 {
	c := qd.Sin(b) * a
	return c
}

//qd:kernel
func callsMyFunc(t qd.Thread, x []float32) { x[t.ID()] = myFunc(x[t.ID()], 0) }

// SineFunction runs a kernel with a device function; `qdgen emit` shows the code.
func SineFunction() {
	x := []float32{1, 2, 3}
	check(qd.Launch(callsMyFunc, qd.Dim(len(x)), x))
	fmt.Println(x)
	// Output:
	// [0 0 0]
}
