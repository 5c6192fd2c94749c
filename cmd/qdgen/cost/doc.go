// Package cost tells what the kernels of a module cost on a GPU: registers, stack frame,
// spills, shared, local and constant memory, and code. It has NVRTC compile the text that
// programs run and reads the cubin (package cubin), so that it needs no GPU.
//
// Local memory is what a kernel should not use without knowing: it is the GPU's memory,
// behind its caches, where a thread's registers are a hundred times as fast. There are
// three ways into it, and a warning tells them apart and stands at a Go line:
//
//   - An array that is indexed by what only the running program knows: registers have no
//     addresses. The line is where the local is declared.
//   - Spills: more values are alive at once than there are registers for them. A local
//     that alone is larger than all registers is named; else the lines are those of the
//     statements whose values are stored.
//   - Functions of CUDA's library that have an array of their own, as the sine of a large
//     number has. That is a note, no warning.
//
// The way back from an instruction to Go leads over the line information of the cubin,
// which counts in lines of the emitted text, and what the text says of each line
// (emit.Text.Lines). Where a function was inlined, the information has the calls too:
// the first line that comes from Go counts.
package cost
