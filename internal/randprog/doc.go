// Package randprog makes random kernel programs and compares what they compute as
// Go with what they compute as emitted C++ and as emitted CUDA.
//
// A program is a tree of its own ([Program], [Node]) that prints as Go. It is safe
// by construction: an index prints with the mask that keeps it in range, a divisor
// with the bit that keeps it from zero, a loop with the fuel that ends it. So any
// part of a tree may be taken out, and what is left still has one meaning: that is
// what shrinking needs.
//
// Programs run in batches ([Runner]): one Go binary holds the functions of a hundred programs,
// one library their C++ and one their CUDA text behind the shim of package hostshim.
// The binary runs all three, in a process of its own, because a program that fails
// may well crash or never end. Results are compared bit for bit; one NaN is as good
// as another, as Go does not fix their bits.
//
// Where Go leaves open what a program does, the generator does not go: it makes at
// most one call with effects in a statement that reads what the call may write, and
// never asks for the sign of a NaN.
package randprog
