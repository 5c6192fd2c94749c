// Package emit prints SSA as readable C++ source. The output looks like C++ that a person would
// write for the Go function, with the Go statements as comments above the code.
//
// There is one printer and there are two dialects. A dialect is a [Dialect] value, made by package
// emit/cpp or emit/cuda. Dialects differ in how a kernel is entered, in how functions are marked,
// and in a few pieces of the prelude.
//
// # Stages
//
// A function goes through these stages. Each is in files of its name:
//
//	plan      which values are used
//	inline    which instructions are printed inside their use, and which are
//	          statements ("roots"): an unnamed value with one use in the same statement
//	          is printed there, unless a write lies between
//	liveness  which values are live at once, over roots only: an instruction that is
//	          printed inside its use is read there (package ssa/analysis/live)
//	coalesce  values become C++ variables: values that are joined by block arguments,
//	          or by Go's name, and are never live at once share a variable
//	scope     where each variable is declared, and under which name
//	stmt, if, loop, expr, place, arith, vector, moves   printing
//
// Two things are computed before, for the whole module: structs finds the types that it defines;
// interior chooses names for the decisions of package ssa/target/shapes about rows of threads.
//
// The printer makes no decision that changes what runs: it asks which values are live, and chooses
// names. Earlier stages have written their decisions into the SSA: whether a matrix is read by rows,
// whether one thread of a block acts for all, the number of a check, which arithmetic needs no
// handling of overflow or of its divisor, and which functions may take aggregates by reference.
//
// # Blocks
//
// If the threads of a block wait for each other, [ssa/target.Fission] has split the kernel at its
// barriers into loops over the lanes of the block, and C++ prints these loops. CUDA prints the
// barriers. C++ prints the code of a Block kernel as it is, with its parallel loops as loops. In
// CUDA all threads of the block run the code, and one of them does the parts that are marked to be
// done once: see block.go. [BlockWords] has the words of the two languages.
//
// # Why the result is correct
//
// Block arguments are the phi functions of structured SSA. If all values that share a variable are
// pairwise not live at once, replacing them by one variable changes nothing (conventional SSA;
// Sreedhar and others, "Translating Out of Static Single Assignment Form", 1999). If an argument
// could not share its parameter's variable, the edge copies it. All copies of one edge happen at
// once: a copy that would overwrite a value that another copy still reads goes through a temporary.
// The printer decides where each expression is printed before it computes liveness, so that an
// expression that is printed late keeps its operands alive until then.
//
// # Memory
//
// An OpLocal is a C++ variable that is declared at the place of the OpLocal, so each execution
// makes a new one. Its address is printed only where it is passed on. A memory access through an
// address that is used at once is printed as Go writes it: p.pos.x or q[i].x. A read can be printed
// in its use, after writes that stand between, if alias.go finds that they cannot change what it
// reads. Types that have no size in Go are not read, written or laid out, because C++ gives them a
// byte.
//
// A part of a value, v.f or v[0], is printed wherever it is used, however often: it costs nothing,
// and the variable of the value does not change while it is live. Structs and arrays are passed by
// reference to functions that change no memory but their own, see [ssa.Func].
//
// # Go's semantics
//
// Operators are printed plainly if C++ gives them Go's meaning, and otherwise as a small function
// of the prelude: [go::div], [go::shl], [math::Mod], [bits::Len64], [qd::AtomicAdd]. Their names
// are those that a Go programmer knows. The prelude contains only the functions that are used;
// there is no #include.
package emit
