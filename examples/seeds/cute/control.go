package cute

import (
	"fmt"

	"github.com/qdgen/qd"
)

//qd:kernel
func loopExample(t qd.Thread) {
	n := 10
	for i := range qd.Dynamic(n) { // a loop, which may be left early
		if i == 5 {
			break
		}
		qd.Printf("%d\n", i)
	}
	for i := range qd.Static(n) { // unrolled: five statements, and no turn after them
		if i == 5 {
			break
		}
		qd.Printf("%d\n", i)
	}
}

// Loops leaves a loop early, one that is a loop and one that is unrolled.
func Loops() {
	check(qd.Launch(loopExample, qd.Dim(1)))
	wait()
	// Output:
	// 0
	// 1
	// 2
	// 3
	// 4
	// 0
	// 1
	// 2
	// 3
	// 4
}

//qd:kernel
func ranges(t qd.Thread, n int, out []int) {
	for i := range 4 { // known and at most qd.MaxUnroll: unrolled
		out[0] += i
	}
	for i := range n { // not known: a loop
		out[1] += i
	}
	for i := range qd.Dynamic(4) { // always a loop
		out[2] += i
	}
	for i := range qd.Static(40) { // always unrolled
		out[3] += i
	}
}

// Ranges has the three kinds of loops.
func Ranges() {
	out := make([]int, 4)
	check(qd.Launch(ranges, qd.Dim(1), 4, out))
	fmt.Println(out)
	// Output:
	// [6 6 6 780]
}

//qd:kernel
func branches(t qd.Thread, constVar qd.Const[bool], dynamicVar int32) {
	if constVar.V { // decided when the kernel is compiled
		qd.Printf("Const branch\n")
	} else {
		qd.Printf("Const else\n")
	}
	if dynamicVar == 10 { // decided by each thread
		qd.Printf("Dynamic True\n")
	} else {
		qd.Printf("Dynamic False\n")
	}
}

// IfElse has a branch of each kind.
func IfElse() {
	check(qd.Launch(branches, qd.Dim(1), qd.C(true), 10))
	wait()
	check(qd.Launch(branches, qd.Dim(1), qd.C(false), 11))
	wait()
	// Output:
	// Const branch
	// Dynamic True
	// Const else
	// Dynamic False
}

//qd:kernel
func halvings(t qd.Thread, n qd.Const[int], limit int, out []int) {
	for m := n.V; qd.Static(m > 0); { // run when the kernel is compiled
		out[0]++
		m /= 2
	}
	for m := n.V; m > limit; m /= 2 { // a loop
		out[1]++
	}
}

// While has a loop whose condition is known in each turn, and one whose is not.
func While() {
	out := make([]int, 2)
	check(qd.Launch(halvings, qd.Dim(1), qd.C(100), 10, out))
	fmt.Println(out)
	// Output:
	// [7 4]
}

//qd:kernel
func gemm(t qd.Thread, doReLU qd.Const[bool], a, b, c qd.View2[float32]) {
	i, j := t.ID2()
	sum := float32(0)
	for k := range a.Dim(1) {
		sum += a.At(i, k) * b.At(k, j)
	}
	if qd.Static(doReLU.V) { // compiled only where it is asked for
		sum = max(sum, 0)
	}
	c.Set(i, j, sum)
}

// OptionalReLU multiplies two matrices, without and with an epilogue.
func OptionalReLU() {
	a := qd.ViewOf2([]float32{1, -2, 3, 4}, 2, 2)
	b := qd.ViewOf2([]float32{1, 0, 1, 1}, 2, 2)
	for _, relu := range []bool{false, true} {
		c := make([]float32, 4)
		check(qd.Launch(gemm, qd.Dim(2, 2), qd.C(relu), a, b, qd.ViewOf2(c, 2, 2)))
		fmt.Println(c)
	}
	// Output:
	// [-1 -2 7 4]
	// [0 0 7 4]
}
