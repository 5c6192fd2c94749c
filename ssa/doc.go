// Package ssa is the intermediate representation between the front end and the emitters: structured
// static single assignment.
//
// A [Func] is a tree of blocks. Straight-line code is a list of [Instr]. The structured
// instructions [OpIf] and [OpLoop] own blocks of their own. Code that leaves a block early (break,
// continue, return) is a terminator that names the instruction it leaves. There is no control-flow
// graph to recover loops from: the emitters print C++ statements, and a C++ statement is a tree.
//
// There are no phi instructions. If control reaches a place on several paths, values that differ
// between the paths are passed as arguments, in the style of MLIR's scf dialect and of Cranelift's
// block parameters:
//
//	v9:int64 = if v3 {              // the instruction's results
//		yield v4                // the results of the taken block
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
//		yield v14, sum.v11      // i and sum of the next iteration
//	}
//
// The three parts of a loop correspond to those of Go's and C++'s "for". The emitters need not find
// the pattern again, and "continue" runs the post part because it goes there.
//
// Values keep the name of the Go variable that they come from, so that emitted code keeps it too.
// Instructions keep the statement, for the comments. The printer writes a value as v7, or as sum.v7
// if it has a name, with the type after a colon where it is defined. [Op] has the form of each
// instruction.
//
// Structs and arrays are values like numbers. A variable is in memory only if its address is
// needed: [OpLocal] makes one. All other memory operations are loads, stores and address
// arithmetic.
//
// Integer arithmetic wraps, shifts past the width give 0 or the sign, and division is total at this
// level (a zero divisor gives 0). Where Go panics, a checked build has an explicit check before the
// operation. Nothing in this package is undefined, so a pass may move or remove any pure
// instruction. A check is ordered with the writes: no load moves over it. A pass removes checks
// that are proven; ssa/target's HoistChecks finds those that a launch can decide for all of its
// threads.
//
// This package has the operations, the builder, the printer and the verifier, and helpers for the
// structure of functions. Package ssa/analysis computes facts about functions, ssa/opt has the
// target-independent passes, and ssa/target has the passes that lower for one target. Each imports
// only the ones before it.
//
// Package interp executes functions. The tests of the passes use it to compare what random modules
// do before and after each pass.
//
// The package knows neither Go syntax nor C++. [Verify] finds broken invariants. A broken invariant
// is always a bug of this project, never of a user: users' errors are diagnostics of the front end
// and do not get here.
package ssa
