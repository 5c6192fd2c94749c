package shapes

import "github.com/qdgen/qd/ssa/target/split"

// Costs are what the decisions of this package are made by: a table for each machine. Each line says which measurement
// has set its value.
type Costs struct {
	// Elementwise operations, products, determinants and inverses of 3x3 and 4x4 matrices in float32 and
	// float64, compiled by clang (bench: batches of small matrices).

	// maxGroup is the largest stride, in numbers, that compilers do not gather: up to it they load whole vectors and
	// shuffle.
	maxGroup int
	// heavy is how many additions a division or a square root is worth.
	heavy int
	// A gathered number has to be made up for by operationsPerGather/gatherScale operations: below that, the loop
	// over threads is quicker without vectors.
	operationsPerGather, gatherScale int

	// Softmax of rows of 1024 numbers (bench: tiles).

	// maxShared is the size, in instructions, up to which a loop over lanes with an exponential has several vectors at
	// once.
	maxShared int

	// Functions called from two kernels, of growing size (bench: elementwise operations of vectors).

	// minInlined is the size, in instructions, below which compilers inline functions anyway.
	minInlined int

	// Split is how rows are split, and which loops are none to compilers.
	Split *split.Costs

	// Guesses, which only cost speed where they are wrong.

	// manyTurns is how often the body of a loop is taken to run.
	manyTurns int
}

// CPU is a processor with vectors of 64 bytes or fewer.
var CPU = Costs{
	maxGroup:            8,
	heavy:               8,
	operationsPerGather: 5, gatherScale: 2,
	maxShared:  40,
	minInlined: 30,
	Split:      &split.CPU,
	manyTurns:  16,
}

// Bounds of what compiling takes.
const (
	// maxInlined is the size of a kernel, in instructions, up to which its calls are inlined.
	maxInlined = 3000
	// maxGrowth is how many times longer a kernel may become by that than it and what it calls are.
	maxGrowth = 8
	// maxWork is where counting ends: with many loops in each other numbers become too large.
	maxWork = 1 << 30
	// maxAccesses is how many accesses are compared with each other.
	maxAccesses = 300
)
