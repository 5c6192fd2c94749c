// Package load finds the source of kernels, parses it, and type-checks what the kernels reach and
// nothing else.
//
// A program that contains a kernel contains much more. The kernel's package has functions that open
// windows and files, and imports packages whose source may not be available when the program runs.
// None of that concerns a kernel, so [Check] works in two steps:
//
//  1. Before type checking, by syntax: from each kernel it follows names, through the lexical
//     scopes of Go, to package-level declarations of the same package and of imported packages
//     that the [Sources] know. It follows a method if its name is selected somewhere and its
//     receiver's type is mentioned. Declarations that are not reached are left out. If a function
//     is only mentioned, in the initial value of a variable, its signature is kept.
//  2. After type checking, by type: the same walk over go/types' results gives the exact set,
//     [Program.Funcs]. Errors inside the set are reported as diagnostics; errors elsewhere are
//     ignored.
//
// Values that are computed before a launch are left to the package that lowers the kernel: the
// initial values of package variables, with the evidence that nothing changes them ([Var]), and the
// arguments of qd.Static ([Static]), which can be any Go code. Only the declarations of the
// functions in them are checked. A caller that needs their bodies, or functions that are known only
// as values, checks again and asks for them ([Also]). Errors in these are not reported.
//
// A kernel that is a function literal becomes a declared function. It keeps only those declarations
// around it that the literal needs, so that captured variables have their types.
//
// Packages math, math/bits, math/cmplx and errors are checked from embedded source, whole and once per process. Package
// qd and the packages of this module's vectors and matrices are checked from the files that kernels
// can call into, which the Sources supply, as far as programs reach them. Their declarations are
// found by the text at the beginning of lines, parsed when a name refers to them, and checked
// together with the declarations that earlier programs have reached. So a program pays only for the
// parts of large packages that it uses, and several programs share them. The type checker's results
// for a library are in separate tables ([Function].Info). Functions without a body are operations
// of the device; the others are compiled like a user's. A package that the Sources do not know is
// empty, and using it in a kernel is an error.
package load
