package shapes

// The costs of a CPU with vectors of 64 bytes or fewer. Each says which measurement has set it; what is not
// measured here bounds the time or the memory that compiling takes.
const (
	// Elementwise operations, products, determinants and inverses of 3x3 and 4x4 matrices in float32 and
	// float64, compiled by clang (bench: batches of small matrices).

	// maxGroup is the largest stride, in numbers, that compilers do not gather: up to it they load whole vectors and
	// shuffle.
	maxGroup = 8
	// heavy is how many additions a division or a square root is worth.
	heavy = 8
	// A gathered number has to be made up for by operationsPerGather/gatherScale operations: below that, the loop
	// over threads is quicker without vectors.
	operationsPerGather = 5
	gatherScale         = 2
	// How many hundredths of an operation make up for a number that is transposed: results that are matrices themselves
	// are computed well by rows, other large ones less well, and wide numbers fill vectors sooner.
	perNumberOfRows  = 250
	perNumberOfLarge = 200
	perWideNumber    = 110
	perNarrowNumber  = 60
	// tileBytes is the size of a vector of a tile: a line of memory.
	tileBytes = 64
	// tileRun is how many numbers of an element are read at once.
	tileRun = 4

	// Functions called from two kernels, of growing size (bench: elementwise operations of vectors).

	// minInlined is the size, in instructions, below which compilers inline functions anyway.
	minInlined = 30

	// Stencils over rows of 64 to 4096 elements (bench: heat, and the clamped stencils beside it).

	// Constants below nearBegin are taken to be near the beginning of a row.
	nearBegin = 64

	// Guesses, which only cost speed where they are wrong.

	// manyTurns is how often the body of a loop is taken to run.
	manyTurns = 16

	// Bounds of what compiling takes.

	// maxInlined is the size of a kernel, in instructions, up to which its calls are inlined by force.
	maxInlined = 3000
	// maxTileNumbers is how many numbers the elements of a thread have at most, for which there must be room on the
	// stack.
	maxTileNumbers = 256
	// maxWork is where counting ends: with many loops in each other numbers become too large.
	maxWork = 1 << 30
	// maxAccesses is how many accesses are compared with each other.
	maxAccesses = 300
	// maxBound is how many parts the bound of an interior may have: it is repeated in the loop
	// over the rows, where nothing explains it.
	maxBound = 12

	// What numbers can hold.

	// Offsets of indices are smaller than maxOffset, so that neither an index and its
	// offset nor a cut bound and an offset can wrap.
	maxOffset = 1 << 30
)
