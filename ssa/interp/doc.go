// Package interp executes SSA functions on the host. It runs the host's part of Grid kernels. In
// tests it also runs kernels, as the reference for other ways of running them.
//
// [Compile] turns a function and its callees into Go closures, one for each instruction, over a
// frame of bytes in which each value has a place. A [Program] runs any number of times, at some ten
// nanoseconds for each instruction.
//
// Values are passed as bytes, in the layout of memory and of launches. Addresses belong to the
// caller, whose [Memory] reads and writes them. Local variables belong to the interpreter, from
// [LocalBase] on. An index out of range that no check has caught is an error when it accesses
// memory.
//
// Every operation has one meaning, even where the IR leaves it open: a computed NaN has the bits of
// [math.NaN].
package interp
