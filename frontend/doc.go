// Package frontend turns type-checked Go into structured SSA.
//
// [Lower] walks the typed syntax of one kernel once and appends SSA as it goes:
// there is no intermediate form. What makes one walk enough is that Go's control
// flow, without goto, is as structured as the SSA is. The walk carries an
// environment from each local variable to its current value; an If or a Loop
// merges the values of the variables that are assigned inside it (found
// beforehand, by a scan of the syntax) through its results and parameters.
//
// A variable of which a part is assigned, or whose address is taken, is in memory
// instead: a scan of the function's syntax finds those beforehand, and their addresses
// stand for them. Expressions are evaluated to references, a value or an address, so
// that of x[i].f only f is loaded. What pointers may point to is checked before a
// function is lowered: none may outlive its variable, for there is no heap.
//
// Operands are evaluated from left to right, with the calls of a statement first, as
// Go's compiler orders them; an assignment evaluates all operands of both sides first
// and then stores from left to right.
//
// Of a kernel for a whole launch, one with a qd.Grid, the function itself becomes
// what the host runs; its parallel loops, which are bodies that are lowered where they
// stand, are made kernels of their own at the end, by [ssa.Outline].
//
// Device functions are lowered when the first call reaches them, once for each list
// of type arguments: the types of generic syntax are those of the instance, by
// substitution, and a method of a type parameter is the type argument's.
//
// Functions are values at compile time only. A variable of a function type holds a
// known function, and a call of a literal, or of a function that is passed one, is
// lowered into the caller, where captured variables are variables like any other.
//
// Everything that a kernel may not say gets a diagnostic with its position and
// with what to do instead. Lowering goes on after one, so that all of them come
// out at once: the expression's value becomes poison, and nothing that is
// computed from poison is complained about again.
//
// Package load, below this one, finds and checks the sources; package diag is
// the form of diagnostics. This package knows nothing of targets, devices or the
// cache.
package frontend
