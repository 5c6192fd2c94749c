// Package emit prints SSA as C++ source that is meant to be read: the text that
// a person would have written for the Go function, with the Go statements as
// comments above what became of them.
//
// There is one printer and there are two dialects, [Dialect] values that
// packages emit/cpp and emit/cuda make: they differ in how a kernel is entered,
// in how functions are marked, and in a few pieces of the prelude.
//
// # Stages
//
// A function goes through these, each in files of its name:
//
//	plan      what is used at all
//	inline    which instructions are printed inside their use, and which are
//	          statements ("roots"): an unnamed value of one use in its own statement
//	          is printed there, unless a write lies between
//	liveness  which values are live at once, over roots only: what is printed
//	          inside a use is read where the use is
//	coalesce  values become C++ variables: a variable's values are joined by
//	          block arguments, or by Go's name, and never live at once
//	scope     where each variable is declared, and under which name
//	stmt, if, loop, expr, place, arith, moves   the text
//
// Found for the module as a whole, before: in structs, the types that it defines; in interior and tile, the names of
// what the stages of package ssa/target/shapes have decided about loops over threads.
//
// The printer decides nothing that changes what runs: it asks what is live and gives names. What it
// cannot ask it finds written on the SSA: whether a call must be inlined, a matrix is read by rows, a
// clamp is decided by the interior of a row, one thread of a block acts for all, which number a check has, what arithmetic
// needs no care for overflow or its divisor, which functions may have aggregates by reference.
//
// # Blocks
//
// Where threads of a block wait for each other, C++ prints what [ssa/target.Fission] has made
// of the kernel: loops over the block's lanes, between which the barriers were. CUDA
// prints the barriers. The code of a Block kernel is printed as it is in C++, its parallel
// loops as loops; in CUDA all threads of the block run it, and what is marked to be done once is
// done by one of them: see block.go, and [BlockWords] for how the two languages say it.
//
// # Why the result is right
//
// Block arguments are the phi functions of structured SSA. When all values that
// share a variable are pairwise not live at once, putting one variable in their
// place changes nothing (conventional SSA; Sreedhar and others, "Translating Out
// of Static Single Assignment Form", 1999). Where an argument could not share its
// parameter's variable, the edge copies it, all copies of one edge at once: a copy
// that would overwrite what another still reads goes through a temporary. Liveness is
// computed after the decision what is printed where, so that an expression
// printed late keeps its operands alive until then.
//
// # Memory
//
// An OpLocal is a C++ variable that is declared where the OpLocal stands, so that
// each time it is executed makes a new one. Its address is printed only where
// it is passed on: what an address that is used at once leads to is printed as Go
// writes it, p.pos.x or q[i].x. A read is printed in its use, after writes that stand
// between, only if alias.go finds that they cannot change what it reads. What has
// no size in Go is not read, written or laid out at all: C++ gives it a byte.
//
// A part of a value, v.f or v[0], is printed wherever it is used, however often: it costs
// nothing, and the value's variable has not changed as long as it is live. Structs
// and arrays are given by reference to functions that change no memory but their own, see [ssa.Func].
//
// # Go's meaning
//
// Operators are printed plain where C++ means what Go means, and through a small
// function of the prelude otherwise: [go::div], [go::shl], [math::Mod], [bits::Len64],
// [qd::AtomicAdd], under the names that a Go programmer knows. The prelude
// contains what is used and nothing else; there is no #include.
package emit
