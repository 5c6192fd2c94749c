package warp

import (
	"fmt"

	"github.com/qdgen/qd"
)

// LateBindingInGo is Go: a function uses what is declared after it, with the value
// that it has when the function is called.
func LateBindingInGo() {
	fmt.Println(fLater() + cLater)
	// Output:
	// 59
}

//qd:kernel
func usesLater(t qd.Thread) { qd.Printf("%d\n", fLater()+cLater) }

func fLater() int { return 42 }

var cLater = 17

// LateBinding is the same in a kernel: cLater is what it is at the launch.
func LateBinding() {
	check(qd.Launch(usesLater, qd.Dim(1)))
	wait()
	// Output:
	// 59
}

// CapturedLoopVariable makes kernels in a loop. Go's loop variable is a new one in each
// turn, and the capture takes its value.
func CapturedLoopVariable() {
	var kernels []*qd.Kernel
	for i := range 3 {
		kernels = append(kernels, qd.NewKernel(func(t qd.Thread) {
			qd.Printf("%d\n", i)
		}, qd.Capture("i", i)))
	}
	for _, k := range kernels {
		check(k.Launch(qd.Dim(1)))
		wait()
	}
	// Output:
	// 0
	// 1
	// 2
}

// A printer is a kernel that captures a number by value.
type printer struct{ I int }

//qd:kernel
func (k printer) Kernel(t qd.Thread) { qd.Printf("%d\n", k.I) }

// ReceiverLoopVariable is the same with a method: the receiver is what is captured.
func ReceiverLoopVariable() {
	var kernels []printer
	for i := range 3 {
		kernels = append(kernels, printer{i})
	}
	for _, k := range kernels {
		check(qd.Launch(k, qd.Dim(1)))
		wait()
	}
	// Output:
	// 0
	// 1
	// 2
}

var bound = 17

//qd:kernel
func printLate(t qd.Thread) { qd.Printf("%d\n", bound) }

//qd:kernel
func printEarly(t qd.Thread) { qd.Printf("%d\n", qd.Static(bound)) }

// EarlyBinding reads one variable twice: its value at the launch, and with qd.Static
// the value that it had when the kernel was defined, which is when the program started.
func EarlyBinding() {
	bound = 42
	check(qd.Launch(printLate, qd.Dim(1)))
	wait()
	check(qd.Launch(printEarly, qd.Dim(1)))
	wait()
	// Output:
	// 42
	// 17
}

func returns17() int { return 17 }
func returns42() int { return 42 }

var boundFunc = returns17

//qd:kernel
func callLate(t qd.Thread) { qd.Printf("%d\n", boundFunc()) }

//qd:kernel
func callEarly(t qd.Thread) { qd.Printf("%d\n", qd.Static(boundFunc)()) }

// EarlyBoundFunction does it with a variable that holds a function: in Go a declared
// function cannot be defined anew.
func EarlyBoundFunction() {
	boundFunc = returns42
	check(qd.Launch(callLate, qd.Dim(1)))
	wait()
	check(qd.Launch(callEarly, qd.Dim(1)))
	wait()
	// Output:
	// 42
	// 17
}
