package shapes

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

	// Stencils over rows of 64 to 4096 elements (bench: heat, and the clamped stencils beside it).

	// Constants below nearBegin are taken to be near the beginning of a row.
	nearBegin int64

	// Stencils with loops over 3 and 5 neighbours (bench: indexing).

	// A loop with at most fewTurns iterations, and at most maxUnrolled instructions in all of them, is unrolled by
	// compilers.
	fewTurns    int64
	maxUnrolled int

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
	nearBegin:  64,
	fewTurns:   16, maxUnrolled: 300,
	manyTurns: 16,
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
	// maxBound is how many parts the bound of an interior may have: it is repeated in the loop
	// over the rows, where nothing explains it.
	maxBound = 12
)

// Offsets of indices are smaller than maxOffset, so that neither an index and its
// offset nor a cut bound and an offset can wrap.
const maxOffset = 1 << 30
