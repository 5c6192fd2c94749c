// Package interp executes SSA functions on the host: the host's part of Grid
// kernels, and kernels themselves in tests, where it is what the other ways of
// running them are compared with.
//
// [Compile] turns a function and what it calls into Go closures, one for each
// instruction, over a frame of bytes in which each value has a place. A [Program]
// runs any number of times, at some ten nanoseconds for each instruction.
//
// Values come and go as bytes, as they lie in memory and as launches pack them.
// Addresses are those of the caller, whose [Memory] reads and writes them; local
// variables are the interpreter's own, from [LocalBase] on. An index out of range
// that no check has caught is an error where memory is touched by it.
//
// Everything has one meaning, also what the IR leaves open: a NaN that is computed
// has the bits of [math.NaN].
package interp
