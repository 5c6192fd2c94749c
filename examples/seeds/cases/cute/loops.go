package cute

import (
	"errors"
	"fmt"

	"github.com/qdgen/qd"
)

//qd:kernel
func mixed(t qd.Thread, depth qd.Const[int], n int, x []int) {
	for i := range n { // a loop, for n is not known
		for d := range qd.Static(depth.V) { // unrolled in it
			if d%2 == 0 { // known in each copy
				x[d] += i
			} else if i > 1 { // not known
				x[d] -= i
			}
		}
	}
}

// Mixed has statements of both kinds in each other: the compiler decides one by one.
func Mixed() {
	x := make([]int, 3)
	check(qd.Launch(mixed, qd.Dim(1), qd.C(3), 4, x))
	fmt.Println(x)
	// Output:
	// [6 -5 6]
}

//qd:kernel
func knownBounds(t qd.Thread, n qd.Const[int], x []int) {
	for i := range n.V {
		x[0] += i
	}
	for i := n.V; i > 0; i -= 3 {
		x[1]++
	}
}

// KnownBounds has loops whose bounds are constants: few turns are unrolled, many are a loop.
func KnownBounds() {
	for _, n := range []int{16, 17, 1000} {
		x := make([]int, 2)
		check(qd.Launch(knownBounds, qd.Dim(1), qd.C(n), x))
		fmt.Println(x)
	}
	// Output:
	// [120 6]
	// [136 6]
	// [499500 334]
}

//qd:kernel
func dynamicFor(t qd.Thread, x []int) {
	for i := range qd.Dynamic(3) {
		x[0] += i
	}
}

// DynamicFor is a loop in the code, though its bounds are known.
func DynamicFor() {
	x := make([]int, 1)
	check(qd.Launch(dynamicFor, qd.Dim(1), x))
	fmt.Println(x)
	// Output:
	// [3]
}

//qd:kernel
func staticFor(t qd.Thread, n qd.Const[int], x []int) {
	for i := range qd.Static(n.V) {
		for j := range qd.Static(i + 1) {
			x[0] += qd.Static(i * j)
		}
	}
}

// StaticFor unrolls loops whose variables are compile-time values, in each other.
func StaticFor() {
	x := make([]int, 1)
	check(qd.Launch(staticFor, qd.Dim(1), qd.C(20), x))
	fmt.Println(x)
	// Output:
	// [19285]
}

func staticOverRuntime(t qd.Thread, n int32, x []int) {
	for i := range n {
		for j := range qd.Static(i) {
			x[0] += int(j)
		}
	}
}

// StaticIndex has an unrolled loop over the variable of one that is not.
func StaticIndex() {
	refused(qd.Launch(staticOverRuntime, qd.Dim(1), 3, make([]int, 1)))
	// Output:
	// argument of qd.Static is not known at compile time: i is assigned in a loop that is not unrolled
	// help: range over qd.Static(n), or leave out qd.Static
}

//qd:kernel
func exits(t qd.Thread, n int, x []int) {
	for i := range n { // a loop
		if i == 1 {
			continue
		}
		if i == 4 {
			break
		}
		x[0] += i
	}
rows:
	for i := range qd.Static(5) { // unrolled, and left under a condition that is not known
		for j := range n {
			if j > i {
				continue rows
			}
			if i+j == n {
				break rows
			}
			x[1]++
		}
	}
	for i := range qd.Dynamic(10) {
		if i == n {
			return
		}
		x[2]++
	}
	x[2] = -1 // not reached
}

// Exits leaves loops of each kind with break, continue, and return, with labels and without.
func Exits() {
	x := make([]int, 3)
	check(qd.Launch(exits, qd.Dim(1), 6, x))
	fmt.Println(x)
	// Output:
	// [5 9 6]
}

//qd:kernel
func panics(t qd.Thread, n int, x []int) {
	for i := range n {
		if x[i] < 0 {
			panic("negative")
		}
		x[i] *= 2
	}
}

// PanicInLoop ends a launch from within a loop. It is the error of the launch, or of the wait.
func PanicInLoop() {
	err := qd.Launch(panics, qd.Dim(1), 3, []int{1, -1, 1})
	err = errors.Join(err, device().Wait())
	var fault *qd.Fault
	if errors.As(err, &fault) {
		fmt.Println(fault.Reason)
	}
	// Output:
	// panic: negative
}

//qd:kernel
func printsStatic(t qd.Thread, n qd.Const[int], x []int) {
	for i := range qd.Static(n.V) {
		qd.StaticPrint("turn ", i)
		x[0] += i
	}
}

// CompileTimePrint runs a kernel that also prints when it is compiled, to standard error: once for each turn.
func CompileTimePrint() {
	x := make([]int, 1)
	check(qd.Launch(printsStatic, qd.Dim(2), qd.C(3), x))
	fmt.Println(x)
	// Output:
	// [6]
}
