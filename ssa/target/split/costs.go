package split

// Costs are what decides about rows: a table for each machine. Each line says which measurement has set its value.
type Costs struct {
	// Stencils over rows of 64 to 4096 elements (bench: heat, and the clamped stencils beside it).

	// Constants below nearBegin are taken to be near the beginning of a row.
	nearBegin int64

	// Kernels over one dimension with i/w and i%w (bench: indexing).

	// leastRow is how many threads a row has at least that an index is taken apart into: shorter ones do not fill a vector. By
	// a constant, lanes divide without a division. So there it is leastConst.
	leastRow, leastConst int64

	// Stencils with loops over 3 and 5 neighbours (bench: indexing).

	// A loop with at most fewTurns iterations, and at most maxUnrolled instructions in all of them, is unrolled by
	// compilers.
	fewTurns    int64
	maxUnrolled int

	// Functions called from two kernels, of growing size (bench: elementwise operations of vectors).

	// minInlined is the size, in instructions, below which compilers inline functions anyway.
	minInlined int
}

// CPU is a processor with vectors of 64 bytes or fewer.
var CPU = Costs{nearBegin: 64, leastRow: 16, leastConst: 64, fewTurns: 16, maxUnrolled: 300, minInlined: 30}

// Bounds of what compiling takes.
const (
	// maxWork is where counting ends: with many loops in each other numbers become too large.
	maxWork = 1 << 30
	// maxBound is how many parts the bound of an interior may have: it is repeated in the loop
	// over the rows, where nothing explains it.
	maxBound = 12
	// maxRooms is how many numbers that may be any are added to an index.
	maxRooms = 4
)

// maxRoom bounds the numbers that are added to an index: larger ones leave nothing to the interior.
const maxRoom = 1 << 40

// Offsets of indices are smaller than maxOffset, so that neither an index and its
// offset nor a cut bound and an offset can wrap.
const maxOffset = 1 << 30
