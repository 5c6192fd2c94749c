// Package load finds the source of kernels, parses it and type-checks what the
// kernels reach, and nothing else.
//
// A program that contains a kernel contains much more: the kernel's package has
// functions that open windows and files, and imports packages whose source may not be
// there when the program runs. None of that concerns a kernel, so [Check] works in
// two steps:
//
//  1. Before type checking, by syntax: from each kernel it follows names, through
//     the lexical scopes of Go, to package-level declarations of the same package
//     and of imported packages that the [Sources] know. A method is followed when
//     its name is selected somewhere and its receiver's type is mentioned. What is not
//     reached is left out; of functions that are only mentioned (in the initial value of a
//     variable) the signature stays.
//  2. After type checking, by type: the same walk again over go/types' results
//     gives the exact set, [Program.Funcs]. Errors inside it are reported as
//     diagnostics, errors elsewhere are none of ours.
//
// What is computed before a launch is left to who lowers the kernel: the initial values of
// package variables, with what shows that nothing changes them ([Var]), and the arguments of
// qd.Static ([Static]), which may be any Go. Functions in either are reached by their
// declarations; who needs their bodies, or functions that are known as values only, checks
// again and asks for them ([Also]). What is wrong there is no error.
//
// A kernel that is a function literal is declared as a function that has, of those around
// it, nothing but what the literal needs: what it captures has a type that way.
//
// Packages math and math/bits are checked from embedded source, whole and once per process.
// Package qd, and those of this module's vectors and matrices, are checked from their kernel-facing
// files, which the Sources supply, as far as
// programs reach them: their declarations are found by the text at the beginning of lines, parsed
// when something names them, and checked together with those that programs before have
// reached. So a program pays for what it uses of large packages, and several share them. What
// the type checker says of a library is in tables of its own ([Function].Info). Functions
// without a body are operations of the device; the others are compiled like a user's.
// A package that the Sources do not know is empty, and using it in a kernel is a
// diagnostic.
package load
