package quadrants

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/qdgen/qd"
)

//qd:kernel
func unmarked(g qd.Grid, fast qd.Const[bool], a []int) {
	g.For(len(a), func(i int) {
		if fast.V { // known, though nothing says that it must be
			a[i] = i * 2
		} else {
			a[i] = i*3 + 1
		}
	})
}

// UnmarkedBranch has a condition that is known without a mark: there is no branch either.
func UnmarkedBranch() {
	a := make([]int, 4)
	for _, fast := range []bool{true, false} {
		check(qd.Run(unmarked, qd.C(fast), a))
		fmt.Println(a)
	}
	// Output:
	// [0 2 4 6]
	// [1 4 7 10]
}

//qd:kernel
func atRunTime(g qd.Grid, fast bool, a []int) {
	g.For(len(a), func(i int) {
		if fast { // each thread decides: the kernel has both branches
			a[i] = i * 2
		} else {
			a[i] = i*3 + 1
		}
	})
}

// RuntimeBranch is one kernel for both values.
func RuntimeBranch() {
	a := make([]int, 4)
	before := qd.Stats().Specializations
	for _, fast := range []bool{true, false} {
		check(qd.Run(atRunTime, fast, a))
		fmt.Println(a)
	}
	fmt.Println(qd.Stats().Specializations-before, "specializations")
	// Output:
	// [0 2 4 6]
	// [1 4 7 10]
	// 1 specializations
}

// BranchSpecializations builds a kernel for each value of the condition, once.
func BranchSpecializations() {
	a := make([]int, 4)
	before := qd.Stats().Specializations
	for _, fast := range []bool{true, false, true, false} {
		check(qd.Run(unmarked, qd.C(fast), a))
	}
	fmt.Println(qd.Stats().Specializations-before, "specializations")
	// Output:
	// 2 specializations
}

//qd:kernel
func serial(g qd.Grid, a []int) {
	for i := range qd.Static(4) { // in order: each turn reads what the last has written
		a[i+1] = a[i] + 1
	}
}

// StaticLoopOfGrid unrolls a loop at the top level of a kernel, which is then a sequence of statements.
func StaticLoopOfGrid() {
	a := make([]int, 5)
	check(qd.Run(serial, a))
	fmt.Println(a)
	// Output:
	// [0 1 2 3 4]
}

//qd:kernel
func doublings(g qd.Grid, passes qd.Const[int], a []int) {
	for p := range qd.Static(passes.V) {
		g.For(len(a), func(i int) { // parallel, once for each pass
			a[i] += a[i] << p
		})
	}
}

// ParallelInStaticLoop unrolls a loop around a parallel one, which stays parallel.
func ParallelInStaticLoop() {
	a := []int{1, 2, 3}
	check(qd.Run(doublings, qd.C(3), a))
	fmt.Println(a)
	// Output:
	// [30 60 90]
}

func derived(g qd.Grid, val float64, a []float64) {
	half := val / 2
	for i := range qd.Static(int(half)) {
		a[i] = half
	}
}

func fromElement(g qd.Grid, a []float64) {
	if qd.Static(a[0] > 1) {
		a[0] = 0
	}
}

// DerivedFromRuntime has values that are computed from an argument, and from an element.
func DerivedFromRuntime() {
	refused(qd.Run(derived, 8, make([]float64, 4)))
	refused(qd.Run(fromElement, make([]float64, 4)))
	// Output:
	// argument of qd.Static is not known at compile time: val is a runtime parameter
	// help: make it a qd.Const parameter, or leave out qd.Static
	// argument of qd.Static is not known at compile time: the elements of a are read when the kernel runs
	// help: leave out qd.Static
}

// ErrorPosition shows that the error is one of a type of its own, with the position and the source line.
func ErrorPosition() {
	err := qd.Run(fromElement, make([]float64, 4))
	var found *qd.Diagnostics
	if errors.As(err, &found) {
		d := found.List[0]
		fmt.Println(filepath.Base(d.Pos.Filename), d.Pos.Line > 0, d.Pos.Column)
		fmt.Println(strings.TrimSpace(d.Line))
	}
	// Output:
	// static.go true 15
	// if qd.Static(a[0] > 1) {
}
