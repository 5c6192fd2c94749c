// Package launch implements the functions of package qd that launch kernels. It checks whether the
// arguments fit a kernel and finds the specialization that they ask for. A device makes the
// specialization ready, once, and runs it. Arrays, streams and prepared launches are here too.
//
// Package qd documents what this package exports under the same names. Package qd is a shell: none of
// its types has a field through which Go's compiler sees a type of this package, so a program that uses
// package qd is compiled without this package. The types that kernels use, such as Thread, Const and
// views, belong to package qd. This package recognizes them by their names.
package launch
