package triton

import (
	"fmt"

	"github.com/qdgen/qd"
)

// made prints how many specializations something makes.
func made(do func()) {
	before := qd.Stats().Specializations
	do()
	fmt.Println(qd.Stats().Specializations-before, "specializations")
}

// A shape is a constant with several numbers.
type shape struct{ Rows, Columns int }

//qd:kernel
func constants(t qd.Thread, n qd.Const[int32], f qd.Const[float32], s qd.Const[string], v qd.Const[shape], w qd.Const[[2]uint8], g qd.Const[func(int) int], x []int) {
	x[0] = int(n.V) + v.V.Rows*v.V.Columns + int(w.V[1])
	if f.V > 0.5 && s.V == "add" {
		x[0] = g.V(x[0])
	}
}

func successor(x int) int { return x + 1 }

// KindsOfConstants has a constant of each kind.
func KindsOfConstants() {
	x := make([]int, 1)
	launch := func(f float32) {
		check(qd.Launch(constants, qd.Dim(1), qd.C[int32](1), qd.C(f), qd.C("add"), qd.C(shape{2, 3}), qd.C([2]uint8{4, 5}), qd.C(successor), x))
		fmt.Println(x)
	}
	made(func() {
		launch(0.75)
		launch(0.25)
		launch(0.75)
	})
	// Output:
	// [13]
	// [12]
	// [13]
	// 2 specializations
}

//qd:kernel
func axpy[T qd.Number](t qd.Thread, a T, x, y []T) { y[t.ID()] += a * x[t.ID()] }

// TypesOfArguments launches a kernel for two types: each is a specialization.
func TypesOfArguments() {
	made(func() {
		y32, y64 := []float32{1}, []float64{1}
		for range 2 {
			check(qd.Launch(axpy[float32], qd.Dim(1), 2, []float32{3}, y32))
			check(qd.Launch(axpy[float64], qd.Dim(1), 2, []float64{3}, y64))
		}
		fmt.Println(y32, y64)
	})
	// Output:
	// [13] [13]
	// 2 specializations
}

//qd:kernel
func plus(b qd.Block, c float32, x []float32, n int, blockSize qd.Const[int]) {
	b.For(blockSize.V, func(lane int) {
		if i := b.ID()*blockSize.V + lane; i < n {
			x[i] += c
		}
	})
}

// blocks is how many blocks of a size cover n elements.
func blocks(n, size int) qd.Dims { return qd.Dim((n + size - 1) / size) }

// Tails covers lengths around multiples of the size of a block. No element behind the end is written.
func Tails() {
	for _, n := range []int{0, 1, 127, 128, 129, 1000} {
		x := make([]float32, n+200)
		check(qd.Launch(plus, blocks(n, 128), 1, x, n, qd.C(128)))
		sum := float32(0)
		for _, v := range x[:n] {
			sum += v
		}
		behind := float32(0)
		for _, v := range x[n:] {
			behind += v
		}
		fmt.Println(n, sum, behind)
	}
	// Output:
	// 0 0 0
	// 1 1 0
	// 127 127 0
	// 128 128 0
	// 129 129 0
	// 1000 1000 0
}

//qd:kernel
func counts(b qd.Block, blockSize qd.Const[int], x []int) {
	b.For(blockSize.V, func(lane int) {
		if lane == 0 {
			qd.AtomicAdd(&x[0], 1)
		}
		qd.AtomicAdd(&x[1], 1)
	})
}

// GridOfTiles counts the blocks that cover 10500 elements, and their lanes.
func GridOfTiles() {
	x := make([]int, 2)
	check(qd.Launch(counts, blocks(10500, 1024), qd.C(1024), x))
	fmt.Println(x)
	// Output:
	// [11 11264]
}

// RegularArguments launches a kernel with other numbers, arrays and lengths: one specialization serves
// all of them.
func RegularArguments() {
	made(func() {
		for n := range 5 {
			x := make([]float32, 100*n)
			check(qd.Launch(plus, blocks(len(x), 64), float32(n), x, len(x), qd.C(64)))
		}
	})
	// Output:
	// 1 specializations
}

//qd:kernel
func sized(t qd.Thread, n qd.Const[int], x []int) { x[t.ID()] = n.V }

// SizesAsConstants gives the length of the data as a constant, which makes a specialization of each.
func SizesAsConstants() {
	made(func() {
		for n := 1; n <= 3; n++ {
			x := make([]int, n)
			check(qd.Launch(sized, qd.Dim(n), qd.C(n), x))
			fmt.Println(x)
		}
	})
	// Output:
	// [1]
	// [2 2]
	// [3 3 3]
	// 3 specializations
}
