package cute

import (
	"fmt"

	"github.com/qdgen/qd"
)

//qd:kernel
func forced(t qd.Thread, c qd.Const[int], x []int) {
	if qd.Static(c.V > 1) { // decided by the compiler
		x[0] = 1
	} else {
		x[0] = 2
	}
	if qd.Dynamic(c.V > 1) { // decided by the thread
		x[1] = 1
	} else {
		x[1] = 2
	}
}

// ForcedBranches has one condition twice: once it must be known, and once it is forgotten that it is.
func ForcedBranches() {
	x := make([]int, 2)
	for _, c := range []int{1, 2} {
		check(qd.Launch(forced, qd.Dim(1), qd.C(c), x))
		fmt.Println(x)
	}
	// Output:
	// [2 2]
	// [1 1]
}

//qd:kernel
func unstructured(t qd.Thread, early qd.Const[bool], x []int) {
	i := t.ID()
	if early.V {
		x[i] = -1
		return
	}
	if x[i] > 2 {
		x[i] = -2
		return
	}
	switch {
	case x[i] == 0:
		x[i] = 10
		fallthrough
	case x[i] == 1:
		x[i]++
	}
}

// Unstructured returns under a condition that is known, and under one that is not.
func Unstructured() {
	for _, early := range []bool{true, false} {
		x := []int{0, 1, 2, 3}
		check(qd.Launch(unstructured, qd.Dim(4), qd.C(early), x))
		fmt.Println(x)
	}
	// Output:
	// [-1 -1 -1 -1]
	// [11 2 2 -2]
}

//qd:kernel
func notCompiled(t qd.Thread, debug qd.Const[bool], x []int) {
	if debug.V {
		seen := map[int]bool{} // no kernel can have a map
		seen[t.ID()] = true
	}
	x[t.ID()] = 1
}

// NotCompiled has a branch that no kernel could have: it is not compiled unless it is taken.
func NotCompiled() {
	x := make([]int, 2)
	check(qd.Launch(notCompiled, qd.Dim(2), qd.C(false), x))
	fmt.Println(x)
	refused(qd.Launch(notCompiled, qd.Dim(2), qd.C(true), x))
	// Output:
	// [1 1]
	// maps are not supported
	// help: keep the values in a slice that the kernel takes
}

//qd:kernel
func dynamicWhile(t qd.Thread, n qd.Const[int], x []int) {
	m := n.V
	for m > 1 { // known at first; the compiler does not follow it
		m = m/2 + x[1]
		x[0]++
	}
	k := 8
	for qd.Dynamic(k) > 1 { // never known
		k /= 2
		x[2]++
	}
}

// DynamicWhile has loops with a condition alone.
func DynamicWhile() {
	x := make([]int, 3)
	check(qd.Launch(dynamicWhile, qd.Dim(1), qd.C(100), x))
	fmt.Println(x)
	// Output:
	// [6 0 3]
}

//qd:kernel
func staticWhile(t qd.Thread, n qd.Const[int], x []int) {
	m, turns := n.V, 0
	for qd.Static(m != 1) {
		if m%2 == 0 {
			m /= 2
		} else {
			m = 3*m + 1
		}
		turns++
		if turns == 20 {
			break
		}
	}
	x[0] = qd.Static(turns)
}

// StaticWhile has a loop that is run by the compiler: its condition is known in each turn.
func StaticWhile() {
	x := make([]int, 1)
	for _, n := range []int{6, 27} {
		check(qd.Launch(staticWhile, qd.Dim(1), qd.C(n), x))
		fmt.Println(x)
	}
	// Output:
	// [8]
	// [20]
}

func unknownWhile(t qd.Thread, x []int) {
	m := 4
	for qd.Static(m > 0) {
		m -= x[0]
	}
}

// UnknownWhile has a condition that is known in the first turn only.
func UnknownWhile() {
	refused(qd.Launch(unknownWhile, qd.Dim(1), []int{1}))
	// Output:
	// argument of qd.Static is not known at compile time: the elements of x are read when the kernel runs
	// help: leave out qd.Static
}

// An epilogue is what a kernel does to its results at last.
type epilogue struct {
	ReLU  bool
	Scale float32
	Then  func(float32) float32
}

func squared(x float32) float32 { return x * x }
func same(x float32) float32    { return x }

//qd:kernel
func rowSums(t qd.Thread, e qd.Const[epilogue], x qd.View2[float32], out []float32) {
	sum := float32(0)
	for j := range x.Dim(1) {
		sum += x.At(t.ID(), j)
	}
	if e.V.ReLU {
		sum = max(sum, 0)
	}
	if e.V.Scale != 1 {
		sum *= e.V.Scale
	}
	out[t.ID()] = e.V.Then(sum)
}

// Metaprogramming makes kernels with several epilogues of one function.
func Metaprogramming() {
	x := qd.ViewOf2([]float32{1, 2, 3, -4, -5, 6}, 2, 3)
	for _, e := range []epilogue{{Scale: 1, Then: same}, {ReLU: true, Scale: 1, Then: same}, {ReLU: true, Scale: 0.5, Then: squared}} {
		out := make([]float32, 2)
		check(qd.Launch(rowSums, qd.Dim(2), qd.C(e), x, out))
		fmt.Println(out)
	}
	// Output:
	// [6 -3]
	// [6 0]
	// [9 0]
}
