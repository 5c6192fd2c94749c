// Package cost computes the cost of a module's kernels on a GPU: registers, stack frame, spills,
// shared, local and constant memory, and code size. NVRTC compiles the same code that programs run,
// and package cubin reads the result. No GPU is needed.
//
// Local memory is slow: it is the GPU's memory, behind its caches, and a thread's registers are a
// hundred times as fast. A kernel should use it only on purpose. There are three reasons for local
// memory. A warning at a Go line tells them apart:
//
//   - An array is indexed by a value that is known only at run time: registers have no addresses.
//     The line is that of the local variable's declaration.
//   - Spills: more values are live at once than there are registers. A local variable that alone is
//     larger than all registers is named. Otherwise the lines are those of the statements whose
//     values are stored.
//   - A function of CUDA's library has an array of its own, such as the sine of a large number.
//     This is a note, not a warning.
//
// To find the Go line of an instruction, the package combines two tables: the line information of
// the cubin, which has lines of the emitted code, and the Go lines of the emitted code
// (emit.Text.Lines). For an inlined function the line information also has the calls; the first
// line that comes from Go counts.
package cost
