// Package lower turns type-checked Go into structured SSA.
//
// [Lower] walks the typed syntax of one kernel once and appends SSA as it goes. There is no other intermediate form.
// One walk is enough because Go's control flow, in which package load has replaced goto, is as structured as the SSA
// is. The walk carries an environment from each local variable to its current value. An If or a Loop merges the values
// of the variables that are assigned inside it through its results and parameters. A scan of the syntax finds these
// variables beforehand.
//
// Compile-time values are computed on the way: an operation on constants becomes a constant where
// it is lowered. If the condition of an if, a switch, && or || is known, only the taken part is
// lowered, and the rest need not make sense for this kernel's types and constants. The same holds
// for code after a return, break or continue that is known to be taken. A loop over a known range,
// or with a condition that is a qd.Static, is unrolled: its body is lowered once for each
// iteration. A segment is code that can be left early without being a loop: an iteration of such a
// loop, a switch, an inlined body. It is a Loop with one iteration, and is removed if it is left in
// one place only.
//
// Structs and arrays are values like numbers. A variable is in memory if a part of it is assigned
// or its address is taken. A scan of the function's syntax finds these variables beforehand, and
// their addresses stand for them. Their contents are followed as far as they are known, until their
// addresses escape. Expressions are evaluated to references, a value or an address, so that x[i].f
// loads only f. The targets of pointers are checked before a function is lowered: no pointer may
// outlive its variable, because there is no heap.
//
// Operands are evaluated from left to right, with the calls of a statement first, in the order of
// Go's compiler. An assignment evaluates all operands of both sides first and then stores from left
// to right.
//
// A field with the tag qd:"unpacked" is an array in Go, and separate scalar fields in the SSA type
// of its struct. Go types number fields as Go does, and instructions number them as SSA does. An
// element of an unpacked field is a field, selected by a known index.
//
// Device functions are lowered when the first call reaches them, once for each list of type
// arguments. The types of generic syntax are those of the instance, by substitution. A method of a
// type parameter is the method of the type argument. If the known arguments of a call make a
// difference, the function is lowered once for each list of them too, and they are no longer
// parameters; recursion ends in this way. If all arguments of a call are known and its result is
// demanded at compile time, package interp runs the call.
//
// Functions, strings, lists, maps, qd.Const, and everything that contains one of these are
// front-end values: known at compile time only, and never operands of instructions. The parts of a
// struct in a variable have separate variables, so that some of them can be values of the running
// kernel. Some calls are lowered into the caller: a call of a literal, a call of a function that
// takes front-end values with runtime parts or returns front-end values, and a call of a function
// that waits for the threads of its block. The parameters become variables there, captured
// variables are variables like any other, and a return in the middle leaves a segment. A literal
// keeps the values of captured variables that are not assigned again, so that it can be returned. A
// literal that no call reaches is lowered at the end, to report its errors.
//
// An interface value is a front-end value too: a dynamic type with a value of that type, and a tag, a number that
// tells the dynamic types apart. Where paths meet, values with one dynamic type are merged part by part, like
// variables; of values with several only the tags are left, for comparisons. A loop carries an interface variable
// with the dynamic type that it has when the loop begins. If the loop gives it another one, that is an error at the
// first use that relied on it. Calls with interface arguments are lowered into the caller.
//
// A package variable that a kernel reads is a constant of the specialization. The running program
// is asked for its value. If it does not know the variable, the initial value in the source is
// evaluated, provided that nothing changes the variable. The program also evaluates the argument of
// a qd.Static, if it has Go code for it.
//
// The function of a Grid kernel becomes the part that the host runs. The bodies of its parallel
// loops are lowered in place; a later stage makes them kernels of their own, see package compile.
// Errors about variables that they cannot share with the code around them are reported here. In a
// Block kernel these bodies are the work of the lanes of the block, with a barrier after them.
//
// In a checked build each operation that panics in Go has a check before it, unless it cannot fail.
// Packages ssa/opt and ssa/target prove and hoist checks.
//
// Code that a kernel cannot contain gets a diagnostic with its position and with what to do
// instead. Lowering continues, so that all diagnostics are reported at once: the expression's value
// becomes poison, and nothing that is computed from poison is reported again. Everything that can
// grow beyond the size of the source has a limit, so that the compiler always ends.
//
// One object does the walk: the builder. It embeds the types that it appends with: control flow,
// places, checks, and package eval's variables and code. Calls, loops, literals, assignments and so
// on are lowered by types of their own, which share the builder.
package lower
