// Package shapes decides how a CPU runs the threads of a kernel in loops, as far as that is known of certain shapes of
// kernels and not of programs in general: what a benchmark has bought. The passes to come that vectorize across threads
// and split loops replace it, file by file.
//
//	interior   rows of threads are split, so that a compiler can vectorize kernels that clamp or test an index at the
//	           edges
//	tile       threads run in groups whose numbers are transposed
//	vectorize  what the compiler is told of the loop over threads, and what it must inline for it
//	gather     loops that are better not vectorized at all, since they would gather
//	order      loops that the compiler must look at by itself, since the order of a thread's accesses matters
//	private    likewise, since threads have variables in memory
//
// What is decided is written on the SSA, which [ssa.Func] and [ssa.Instr] have fields for; the numbers that it is
// decided by are in costs.go.
package shapes
