// Package widen runs the threads of a kernel in the lanes of vectors. From the code of one thread it
// makes code for as many consecutive threads as a vector has lanes. The loop over threads first runs
// this code, and then the code of one thread for the remaining threads of a row. If threads may run
// twice, these run in lanes too, with threads that have run before.
//
// A compiler finds vectors in a loop over threads only if no thread has a loop or leaves early. This
// package does not depend on that. It is the method of Karrenberg and Hack, "Whole-function
// vectorization" (2011), and of Pharr and Mark, "ispc: A SPMD compiler for high-performance CPU
// programming" (2012), on structured SSA. Their work on graphs (Moll and Hack, "Partial control-flow
// linearization", 2018) becomes simple on a tree:
//
//   - A value that is the same in all threads stays a number, and a branch that all threads take
//     together stays a branch. Package analysis finds both ([analysis.Lanes]).
//   - If threads take different branches, a mask says which lanes run a block. All lanes run a block
//     with few operations, and the results are selected. A larger block has a test in front of it:
//     does any lane need it?
//   - A loop that threads leave at different times runs while any lane needs it. Masks and vectors keep
//     the effect of break, continue and return until the other lanes have come there: see exits.go.
//   - What a thread calls stands in the place of the calls. A large function that is called at several
//     places stays a function. It has vectors as parameters and results, and as its last parameter the
//     mask of the lanes that call it. There is a test in front of the call: is a lane here?
//   - Numbers of 64 bits that fit in 32 are computed in 32, because a vector has room for twice as many of these: see
//     package narrow.
//   - A function that calls itself runs for one lane after the other. So do copies of slices, and functions of package math
//     with two results.
//
// The result of a thread does not depend on its lane, nor on whether the thread runs alone, to the bit.
// Each lane computes the operations of its thread in the order of the thread. A lane that a mask
// excludes computes values that nothing uses, and accesses no memory.
//
// The interior of a row that package split has found gets lanes too. It is a function with a kernel's parameters.
//
//	widen      which kernels, and how many lanes
//	accept     what a kernel must not have
//	cost       what operations cost on a processor
//	reckon     whether vectors pay off
//	carried    what iterations of loops need of earlier ones
//	calls      which functions stay functions
//	inturn     what lanes do one after the other
//	version    these functions, as their calls need them
//	values     numbers and vectors in place of the values of a thread
//	block      the instructions of a block
//	branch     Ifs
//	loop       loops
//	count      results of loops that count their turns
//	full       copies of loops for the iterations that all lanes run
//	groups     groups of lanes that run an iteration of such a copy one after the other
//	remaining  the iterations after such a copy
//	for        loops over the lanes of a block
//	exits      break, continue and return
//	memory     loads and stores
//	locals     variables in memory
//	elements   elements of values at indices that are not known
//	subslice   elements of the parts of slices that threads take
//	params     strides of elements that are arguments
//	twice      whether the last threads of a row may run with some that have run before
//	parts      numbers of structs and matrices, which are shuffled
//	prefetch   loads for later iterations
//	atomic     atomic operations
//	stop       checks and panics
package widen
