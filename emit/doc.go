// Package emit prints SSA as readable C++ source. The output looks like C++ that a person would
// write for the Go function, with the Go statements as comments above the code.
//
// There is one printer and there are two dialects. A dialect is a [Dialect] value, made by package
// emit/cpp or emit/cuda. Dialects differ in how a kernel is entered, in how functions are marked,
// and in a few pieces of the prelude.
//
// The printer makes no decision that changes what runs. Earlier stages have written their decisions into the SSA:
// whether a matrix is read by rows, whether one thread of a block acts for all, the number of a check, which arithmetic
// needs no handling of overflow or of its divisor, and which functions may take aggregates by reference. Package
// [github.com/qdgen/qd/ssa/target/outofssa] has decided which instructions are expressions, which values share a
// variable, where that is declared, and which assignments stand on each edge of the control flow. The printer chooses
// names, and prints.
//
// # Blocks
//
// If the threads of a block wait for each other, [ssa/target.Fission] has split the kernel at its
// barriers into loops over the lanes of the block, and C++ prints these loops. CUDA prints the
// barriers. C++ prints the code of a Block kernel as it is, with its parallel loops as loops. In
// CUDA all threads of the block run the code, and one of them does the parts that are marked to be
// done once: see once.go. [BlockWords] has the words of the two languages.
//
// # Memory
//
// An OpLocal is a C++ variable that is declared at the place of the OpLocal, so each execution
// makes a new one. Its address is printed only where it is passed on. A memory access through an
// address that is used at once is printed as Go writes it: p.pos.x or q[i].x. Types that have no size
// in Go are not read, written or laid out, because C++ gives them a byte. Structs and arrays are passed
// by reference to functions that change no memory but their own, see [ssa.Func].
//
// # Go's semantics
//
// Operators are printed plainly if C++ gives them Go's meaning, and otherwise as a small function
// of the prelude: [go::div], [go::shl], [math::Mod], [bits::Len64], [qd::AtomicAdd]. Their names
// are those that a Go programmer knows. The prelude contains only the functions that are used;
// there is no #include.
package emit
