// Package split splits rows of threads where indices are clamped, tested or wrap: index-set splitting.
//
// A kernel that reads its neighbours clamps their indices at the edges, as in u[max(j-1, 0)], or tests for the
// edges: if j < m-1. Compilers vectorize loops over such a j with a gather for each clamped index, and with masks
// or not at all where it is tested. In all but a few threads of a row the clamps change nothing and the tests have
// the same result. But clang does not split the row: its pass for that (IRCE, inductive range check elimination)
// is off by default, and it handles only comparisons, not min and max. It does not fold min and max with the help
// of __builtin_assume either.
//
// So the row is split here where the clamps and tests change. The middle part, the interior, is run by a
// function of its own, in which they are decided. The optimizing passes then remove what is not needed in it.
//
// The places are called clampings. The index is j, the one along the last axis, or the flat index if a row is the
// whole launch. A clamping is
//
//	max(j+c, A), min(j+c, B)    which is j+c in the interior
//	(j+c)%B, (j+B+c)%B          likewise
//	j+c < B and the like        of which the interior is one side
//	a*(j+c)+d < B and the like  likewise, if a and d are constants
//
// in which c is a constant, a number that is the same for the whole row, the counter of a loop between such numbers, or
// a sum of these, and A, B are the same for the whole row: made of constants, parameters, launch sizes and indices along
// the other axes. Where such numbers are so large that a sum might wrap, nothing is in the interior. A test alone
// decides which side is the interior: small constants are assumed to be near the beginning of a row, and everything
// else near its end. If this guess is wrong, it only costs speed.
//
//	split     the clampings of a kernel, the bounds of its interior, and the function for it
//	scaled    multiples of an index
//	offset    what is added to an index before it is clamped
//	rows      rows of a kernel's own, in a launch over one dimension
//	unrolled  short loops, which compilers unroll
//	kernels   which kernels are worth it, and what must be put in the place of their calls
//	clamps    which functions clamp
package split
