// Package randprog makes random kernel programs, and compares their results as Go with their
// results as emitted C++ and emitted CUDA.
//
// A program is a tree ([Program], [Node]) that prints as Go. It is safe by construction: an index
// prints with a mask that keeps it in range, a divisor with a bit that keeps it from zero, a loop
// with a limit that ends it. So the program keeps one meaning if any part of the tree is removed;
// shrinking needs this.
//
// Programs run in batches ([Runner]). One Go binary has the functions of a hundred programs, one
// library has their C++, and one has their CUDA code behind the shim of package hostshim. The
// binary runs all three in a process of its own, because a failing program may crash or never end.
// Results are compared bit for bit. All NaNs count as equal, because Go does not fix their bits.
//
// A GPU is mostly in a machine without Go. So one process writes batches to a file, with what each launch leaves behind
// ([Portable]), and another runs the CUDA text on the GPU ([GPURun]): TestExport and TestOnGPU.
//
// The generator avoids programs whose meaning Go leaves open: a statement that reads what a call
// may write contains at most one call with effects, and no program asks for the sign of a NaN.
package randprog
