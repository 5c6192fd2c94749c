// Package shapes decides how a CPU runs the threads of a kernel in loops. It recognizes certain
// shapes of kernels, which benchmarks have shown to matter, and does not treat programs in general.
// Later passes that vectorize across threads and split loops will replace it, file by file.
//
//	vectorize    chooses the pragmas for the loop over threads. Softmax of rows needs several vectors at once, and
//	             loops over few lanes of a block must not be unrolled before they are vectorized
//	inline       finds the calls that prevent vectorization, or the splitting of a row
//	gather       finds loops that are faster without vectorization, because they would gather: elementwise
//	             operations on matrices of float64 take four times as long with it
//	rows         finds matrices that are read by whole rows: the transposition of matrices needs it
//	order        finds loops that the compiler must analyze itself, because the order of a thread's accesses
//	             matters. All others promise that their iterations do not depend on each other. Matrix products in
//	             blocks need that promise
//	localmemory  the same, because threads have variables in memory
//
// docs/measurements.md says how many kernels each of them changes, and what they gain ("what package shapes decides").
//
// The decisions are written into fields of [ssa.Func] and [ssa.Instr]. The thresholds are in a table
// of costs for the machine, [Costs].
package shapes
