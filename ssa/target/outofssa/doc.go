// Package outofssa translates the functions of a module out of SSA: from values to the variables and expressions of
// a language with assignments. It changes no SSA. Its result is a [Func] for each function, which says
//
//   - which instructions are statements, and which are expressions inside the statements that use their results;
//   - which values share a variable;
//   - where each variable is declared;
//   - which assignments, in which order, are done on each edge of the control flow in place of block arguments.
//
// A printer reads that, chooses names, and prints. It decides none of it.
//
// # Stages
//
// A function goes through these steps. Each is in the file of its name:
//
//	expression  which instructions are inside their use: an unnamed value with one use in the same statement, unless a
//	            write to memory lies between (see reads). What else is used is a statement
//	logical     which Ifs are Go's && and ||
//	coalesce    which values share a variable: those that block arguments, or Go's name, join, and that are never live
//	            at once. Liveness (package ssa/analysis/live) is that of the statements: an instruction inside its use
//	            reads its operands there
//	copies      the assignments of an edge, one after the other
//	ahead       assignments of one block of an If that are done before the If
//	place       where each variable is declared
//
// # Why the result is correct
//
// Block arguments are the phi functions of structured SSA. If all values that share a variable are pairwise not live
// at once, replacing them by one variable changes nothing (conventional SSA; Sreedhar and others, "Translating Out of
// Static Single Assignment Form", 1999). If an argument could not share its parameter's variable, the edge copies it.
// All copies of one edge happen at once: a copy that would overwrite a value that another copy still reads goes through
// a temporary. Where each expression is evaluated is decided before liveness is computed, so that an expression that is
// evaluated late keeps its operands alive until then.
//
// A read of memory can be evaluated in its use, after writes that stand between, if they cannot change what it reads. A
// part of a value, v.f or v[0], is an expression wherever it is used, however often: it costs nothing, and the variable
// of the value does not change while it is live.
//
// [Func.Check] follows which value each variable holds, on all ways through a function, and finds a translation that
// is wrong. Tests check all kernels by it.
package outofssa
