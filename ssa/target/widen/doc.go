// Package widen runs the threads of a kernel in the lanes of vectors. From the code of one thread it makes that of
// as many threads as a vector has lanes, which follow each other in a row of the launch. The loop over threads runs
// these first, and those that remain at the end of a row by the code of one thread.
//
// Compilers look for vectors in a loop over threads, and find them if no thread has a loop or leaves early. This
// package needs no luck: it is the method of Karrenberg and Hack, "Whole-function vectorization" (2011), and of Pharr
// and Mark, "ispc: A SPMD compiler for high-performance CPU programming" (2012), on structured SSA. What is said there
// about graphs (Moll and Hack, "Partial control-flow linearization", 2018) is simple on a tree:
//
//   - What threads agree on stays a number, and control flow that they agree on stays as it is. Package analysis tells
//     both ([analysis.Lanes]).
//   - Where they part, a mask says which lanes run a block. A block of few operations is run by all lanes, and results
//     are selected. Around any other block is a test whether a lane wants it.
//   - A loop that threads leave apart runs while a lane wants it. What break, continue and return say is kept in masks
//     and vectors until the other lanes have come there: see exits.go.
//
// A thread's result does not depend on its lane, nor on whether it is run alone, to the bit. Each lane computes the
// operations of the thread in the order of the thread. A lane that a mask excludes computes what nobody sees, and
// touches no memory.
//
//	widen   which kernels, and how many lanes
//	accept  what a kernel must not have
//	cost    whether vectors pay
//	values  numbers and vectors in place of the thread's values
//	block   the instructions of a block
//	branch  Ifs
//	loop    loops
//	full    copies of loops for the iterations that all lanes are in
//	remaining  the iterations that are left behind such a copy
//	for     loops over the lanes of a block
//	exits   break, continue and return
//	memory  loads and stores
//	parts   numbers of structs and matrices, which are shuffled
//	prefetch  what later iterations load
//	atomic  atomic operations
package widen
