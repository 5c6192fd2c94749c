package triton

import (
	"fmt"

	"github.com/qdgen/qd"
)

//qd:kernel
func halvings(t qd.Thread, size qd.Const[int], x []int) {
	n := size.V
	for qd.Static(n > 1) { // known: size is no variable, and n is computed from it
		n /= 2
		x[0]++
	}
	x[1] = qd.Static(size.V * size.V)
}

// NotAVariable uses a compile-time argument where only a value will do that is known at compile time.
func NotAVariable() {
	x := make([]int, 2)
	check(qd.Launch(halvings, qd.Dim(1), qd.C(20), x))
	fmt.Println(x)
	// Output:
	// [4 400]
}

func runtimeShape(b qd.Block, n int, x []float32) {
	part := qd.Shared[float32](b, n)
	b.For(n, func(lane int) { part[lane] = x[lane] })
}

// RuntimeShape asks for memory of a size that only the launch knows.
func RuntimeShape() {
	refused(qd.Launch(runtimeShape, qd.Dim(1), 4, make([]float32, 4)))
	// Output:
	// the length of shared memory is not known at compile time: n is a runtime parameter
	// help: compute it from constants, qd.Const parameters and captured values
}

//qd:kernel
func rotated(b qd.Block, n qd.Const[int], x []float32) {
	part := qd.Shared[float32](b, n.V)
	b.For(n.V, func(lane int) { part[lane] = x[lane] })
	b.For(n.V, func(lane int) { x[lane] = part[(lane+1)%n.V] })
}

// SharedShape has shared memory of two sizes, each known in its specialization.
func SharedShape() {
	for _, n := range []int{3, 5} {
		x := []float32{1, 2, 3, 4, 5}
		check(qd.Launch(rotated, qd.Dim(1), qd.C(n), x))
		fmt.Println(x)
	}
	// Output:
	// [2 3 1 4 5]
	// [2 3 4 5 1]
}

// A row is an array of some length, which is its type's.
type row interface{ [2]float32 | [4]float32 }

//qd:kernel
func sumsOfRows[R row](t qd.Thread, x []R, sums []float32) {
	r := x[t.ID()] // in registers: as many as the type says
	for i := range len(r) {
		sums[t.ID()] += r[len(r)-1-i]
	}
}

// ArrayShape has registers for two and for four numbers. In Go the length of an array is its type's, and
// so a type argument decides it.
func ArrayShape() {
	sums := make([]float32, 2)
	check(qd.Launch(sumsOfRows[[2]float32], qd.Dim(2), [][2]float32{{1, 2}, {3, 4}}, sums))
	check(qd.Launch(sumsOfRows[[4]float32], qd.Dim(2), [][4]float32{{1, 2, 3, 4}, {5, 6, 7, 8}}, sums))
	fmt.Println(sums)
	// Output:
	// [13 33]
}
