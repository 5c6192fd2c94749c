// Package ssa is the intermediate representation between the front end and
// the emitters: structured static single assignment.
//
// A [Func] is a tree of blocks. Straight-line code is a list of [Instr]; the
// structured instructions [OpIf] and [OpLoop] own blocks of their own, and what
// leaves a block early (break, continue, return) is a terminator that names the
// instruction it leaves. There is no control-flow graph to recover loops from:
// the emitters print C++ statements, and a C++ statement is a tree.
//
// Values that differ between the ways into a place are passed as arguments, in
// the style of MLIR's scf dialect and of Cranelift's block parameters, instead
// of phi instructions:
//
//	v9:int64 = if v3 {              // the instruction's results
//		yield v4                // what the taken block gives
//	} else {
//		yield v1
//	}
//	i.v12:int64, sum.v13:float32 = loop L0 (i.v5:int64 = v1, sum.v6:float32 = v2) {
//		v7:bool = lt i.v5, n.v0
//		test v7                 // false leaves, the results are i and sum
//	} do {
//		v8:float32 = add sum.v6, v4
//		continue L0 (i.v5, v8)  // to post, as its parameters
//	} post (i.v10:int64, sum.v11:float32) {
//		v14:int64 = add i.v10, v3
//		yield v14, sum.v11      // the next turn's i and sum
//	}
//
// A loop's three parts map one to one onto Go's and onto C++'s "for": the
// emitters need not find the pattern again, and "continue" runs the post part
// because that is where it goes.
//
// Values keep the name of the Go variable that they come from, so that emitted
// code keeps it too, and instructions keep the statement, for the comments. The
// printer writes a value as v7, or as sum.v7 where it has a name, and the type
// after a colon where it is defined; see [Op] for the form of each instruction.
//
// Structs and arrays are values like numbers. A variable is in memory only if its
// address is needed: [OpLocal] makes one, and everything else about memory is loads,
// stores and the arithmetic of addresses.
//
// Integer arithmetic wraps, shifts past the width give 0 or the sign, and
// division is total at this level (a zero divisor gives 0): where Go panics, a
// checked build has an explicit check in front. Nothing in this package is
// undefined, so a pass may move or remove any pure instruction. A check is in the
// order of the writes: no load moves over it. Checks that are proven are removed by a
// pass; ssa/target's HoistChecks finds those that a launch can answer for all of its threads.
//
// This package has the operations, the builder, the printer and the verifier, and helpers for the
// structure of functions. What is known of functions is in package ssa/analysis, passes that hold for every
// target in ssa/opt, and those that lower for one in ssa/target; each knows the ones before it.
//
// Package interp below this one executes functions; the tests of the passes compare
// what random modules do before and after each.
//
// The package knows nothing of Go syntax nor of C++. A broken invariant is
// found by [Verify] and is always a bug of this project, never of a user: users'
// errors are diagnostics of the front end and do not get here.
package ssa
