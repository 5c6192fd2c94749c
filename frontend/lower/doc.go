// Package lower turns type-checked Go into structured SSA.
//
// [Lower] walks the typed syntax of one kernel once and appends SSA as it goes:
// there is no intermediate form. What makes one walk enough is that Go's control
// flow, without goto, is as structured as the SSA is. The walk carries an
// environment from each local variable to its current value; an If or a Loop
// merges the values of the variables that are assigned inside it (found
// beforehand, by a scan of the syntax) through its results and parameters.
//
// What is known at compile time is computed on the way: an operation on constants becomes
// a constant where it is lowered. Of an if, a switch, && or || whose condition is known
// only what is taken is lowered, and the rest need not make sense for this kernel's types and
// constants; nor need what follows a return, break or continue that is known to be taken.
// A loop over a range that is known, or with a condition that is a qd.Static, is
// unrolled: its body is lowered once for each turn. What can be left early without
// being a loop, a turn of such a loop, a switch, an inlined body, is a segment: a Loop of one turn
// that goes away where it is left in one place only.
//
// Structs and arrays are values like numbers. A variable of which a part is assigned,
// or whose address is taken, is in memory instead: a scan of the function's syntax
// finds those beforehand, and their addresses stand for them. What they hold is followed
// as far as it is known, until their addresses go where that is not seen. Expressions are
// evaluated to references, a value or an address, so that of x[i].f only f is loaded.
// What pointers may point to is checked before a function is lowered: none may outlive
// its variable, for there is no heap.
//
// Operands are evaluated from left to right, with the calls of a statement first, as
// Go's compiler orders them; an assignment evaluates all operands of both sides first
// and then stores from left to right.
//
// A field with the tag qd:"unpacked" is an array for Go, and as many scalar fields in the SSA
// type of its struct. Fields are numbered as Go has them wherever there is a Go type, and as
// SSA has them in instructions; an element of one is a field there, by an index that is known.
//
// Device functions are lowered when the first call reaches them, once for each list of
// type arguments: the types of generic syntax are those of the instance, by substitution,
// and a method of a type parameter is the type argument's. Where it makes a difference
// which known arguments a function is given, it is lowered once for each list of these
// too, and they are no parameters then: that is how recursion ends. A call whose arguments
// are all known is run, by package interp, where its result is demanded at compile time.
//
// Functions, strings, lists, maps, qd.Const, and what holds any of these are front-end
// values: known at compile time only, and operands of no instruction. A part of a struct
// that a variable holds is in a variable of its own, so that parts of the running kernel
// may stand beside them. A call of a literal, of a function that is given front-end values
// with such parts or gives front-end values, or of one that waits for the threads of its
// block, is lowered into the caller: the parameters become variables there, captured
// variables are variables like any other, and a return in the middle leaves a segment. A
// literal keeps the values of what it captures and nobody assigns again, so that it may be
// returned. One that no call reaches is lowered in the end, for its errors.
//
// A package variable that a kernel reads is a constant of the specialization: the running
// program is asked for its value, and where that knows nothing of it, the initial value in
// the source is evaluated, if nothing changes the variable. The argument of a qd.Static is
// evaluated by the program too, where it has Go code for it.
//
// Of a kernel for a whole launch, one with a qd.Grid, the function itself becomes
// what the host runs; its parallel loops, which are bodies that are lowered where they
// stand, are made kernels of their own by a later stage, see package compile; what they cannot
// share with what is around them is refused here. Those of a
// kernel with a qd.Block are what the lanes of the block do, with a barrier behind.
//
// In a checked build each operation that panics in Go has a check in front, but where
// it cannot fail. Which of them are proved or hoisted is the business of packages ssa/opt and
// ssa/target.
//
// Everything that a kernel may not say gets a diagnostic with its position and
// with what to do instead. Lowering goes on after one, so that all of them come
// out at once: the expression's value becomes poison, and nothing that is
// computed from poison is complained about again. There are limits on all that can
// grow beyond the size of the source, so that none of it makes the compiler run away.
//
// The walk is one object, the builder, that embeds what it appends to: control flow, places,
// checks, and package eval's variables and code. What lowers calls, loops, literals, assignments
// and so on are types of their own, which share it.
package lower
