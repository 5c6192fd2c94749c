package triton

import (
	"fmt"

	"github.com/qdgen/qd"
)

//qd:kernel
func myKernel(b qd.Block,
	x []float32, // a runtime value: a slice
	n int, // a runtime value: a number
	blockSize qd.Const[int], // a compile-time constant
) {
	first := b.ID() * blockSize.V
	b.For(blockSize.V, func(lane int) {
		if i := first + lane; i < n {
			x[i]++
		}
	})
}

// blocks is how many blocks of a size cover n elements.
func blocks(n, size int) qd.Dims { return qd.Dim(qd.CeilDiv(n, size)) }

// Signature launches a kernel whose last parameter is a constant.
func Signature() {
	x := make([]float32, 5)
	check(qd.Launch(myKernel, blocks(len(x), 4), x, len(x), qd.C(4)))
	fmt.Println(x)
	// Output:
	// [1 1 1 1 1]
}

//qd:kernel
func sized(b qd.Block, x []int, size qd.Const[int]) {
	b.For(size.V, func(lane int) { qd.AtomicAdd(&x[0], 1) })
}

// Specialization launches a kernel with two sizes: it is compiled twice, and the third
// launch finds what the first has made.
func Specialization() {
	x, y, z := make([]int, 1), make([]int, 1), make([]int, 1)
	before := qd.Stats().Specializations
	check(qd.Launch(sized, qd.Dim(1), x, qd.C(128)))
	check(qd.Launch(sized, qd.Dim(1), y, qd.C(256)))
	check(qd.Launch(sized, qd.Dim(1), z, qd.C(128)))
	fmt.Println(x, y, z, qd.Stats().Specializations-before)
	// Output:
	// [128] [256] [128] 2
}

//qd:kernel
func reversed(b qd.Block, x, y []float32, blockSize qd.Const[int]) {
	// 1. Memory of a fixed size, shared by the lanes: its length is a constant.
	tile := qd.Shared[float32](b, blockSize.V)

	// 2. The block's part of the data.
	first := b.ID() * blockSize.V

	// 3. What is behind the end is masked: the length is a runtime value.
	b.For(blockSize.V, func(lane int) {
		if i := first + lane; i < len(x) {
			tile[lane] = x[i]
		}
	})
	b.For(blockSize.V, func(lane int) {
		if i := first + blockSize.V - 1 - lane; i < len(x) {
			y[i] = 2 * tile[blockSize.V-1-lane]
		}
	})
}

// FixedTileVariableMask covers any number of elements with blocks of one size.
func FixedTileVariableMask() {
	x := make([]float32, 10500)
	for i := range x {
		x[i] = float32(i)
	}
	y := make([]float32, len(x))
	check(qd.Launch(reversed, blocks(len(x), 1024), x, y, qd.C(1024)))
	fmt.Println(y[0], y[1], y[10499])
	// Output:
	// 0 2 20998
}

// A config of add: the length of a block's part, and how many threads of a GPU work on it.
type config struct{ BlockSize, Threads int }

//qd:kernel
func add(b qd.Block, x, y, out []float32, c qd.Const[config]) {
	first := b.ID() * c.V.BlockSize
	b.For(c.V.BlockSize, func(lane int) {
		if i := first + lane; i < len(out) {
			out[i] = x[i] + y[i]
		}
	})
}

// Autotuned runs add with the configuration that is the fastest for the length of out.
func Autotuned() {
	tuned := qd.Tune(add,
		[]config{{128, 128}, {256, 128}, {512, 128}, {1024, 256}},
		qd.TuneKey("out"),
		qd.TuneGrid(func(c config, a qd.Args) qd.Dims { return blocks(a.Len("out"), c.BlockSize) }),
		qd.TuneBlockDim(func(c config) int { return c.Threads }))

	x, y, out := make([]float32, 1000), make([]float32, 1000), make([]float32, 1000)
	for i := range x {
		x[i], y[i] = float32(i), 1
	}
	check(tuned.Run(x, y, out))
	fmt.Println(out[0], out[999])
	// Output:
	// 1 1000
}
