package quadrants

import (
	"fmt"

	"github.com/qdgen/qd"
)

//qd:kernel
func compute(g qd.Grid, useFastPath qd.Const[bool], a []int) {
	g.For(10, func(i int) {
		if qd.Static(useFastPath.V) {
			a[i] = i * 2
		} else {
			a[i] = i*3 + 1
		}
	})
}

// CompileTimeBranch compiles the kernel twice, each time with one branch.
func CompileTimeBranch() {
	a := make([]int, 10)
	for _, fast := range []bool{true, false} {
		check(qd.Run(compute, qd.C(fast), a))
		fmt.Println(a)
	}
	// Output:
	// [0 2 4 6 8 10 12 14 16 18]
	// [1 4 7 10 13 16 19 22 25 28]
}

//qd:kernel
func tens(g qd.Grid, a []int) {
	for i := range qd.Static(3) {
		a[i] = i * 10
	}
}

//qd:kernel
func tensByHand(g qd.Grid, a []int) {
	a[0] = 0
	a[1] = 10
	a[2] = 20
}

// Unrolled runs a loop that is unrolled, and what it is unrolled to.
func Unrolled() {
	a, b := make([]int, 3), make([]int, 3)
	check(qd.Run(tens, a))
	check(qd.Run(tensByHand, b))
	fmt.Println(a, b)
	// Output:
	// [0 10 20] [0 10 20]
}

//qd:kernel
func increment(g qd.Grid, enablePass qd.Const[bool], n int, a []int) {
	if qd.Static(enablePass.V) {
		g.For(n, func(i int) { // parallel: the if is gone when the kernel runs
			a[i] += 1
		})
	}
}

// StaticIfAroundParallelLoop leaves the loop parallel, or out.
func StaticIfAroundParallelLoop() {
	a := make([]int, 4)
	check(qd.Run(increment, qd.C(true), len(a), a))
	check(qd.Run(increment, qd.C(false), len(a), a))
	fmt.Println(a)
	// Output:
	// [1 1 1 1]
}

func runtimeCondition(g qd.Grid, val float64) {
	if qd.Static(val > 0.5) { // an error: val is a runtime value
		qd.Printf("large\n")
	}
}

// RuntimeValue is refused when it is launched, and by qdgen vet.
func RuntimeValue() {
	refused(qd.Run(runtimeCondition, 0.75))
	// Output:
	// argument of qd.Static is not known at compile time: val is a runtime parameter
	// help: make it a qd.Const parameter, or leave out qd.Static
}
