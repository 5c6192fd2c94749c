// Package shapes decides how a CPU runs the threads of a kernel in loops. It recognizes certain
// shapes of kernels, which benchmarks have shown to matter, and does not treat programs in general.
// Later passes that vectorize across threads and split loops will replace it, file by file.
//
//	vectorize  chooses the pragmas for the loop over threads
//	inline     finds the calls that prevent vectorization, or the splitting of a row
//	gather     finds loops that are faster without vectorization, because they would gather
//	rows       finds matrices that are read by whole rows
//	order      finds loops that the compiler must analyze itself, because the order of a
//	           thread's accesses matters
//	local      the same, because threads have variables in memory
//
// The decisions are written into fields of [ssa.Func] and [ssa.Instr]. The thresholds are in a table
// of costs for the machine, [Costs].
package shapes
