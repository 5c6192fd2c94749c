// Package launch is what stands behind the functions of package qd that launch kernels. It checks whether
// arguments fit a kernel, finds which specialization of it they ask for, has a device make that ready, once, and
// run it. Arrays, streams and prepared launches are here too.
//
// Package qd has the documentation of what is exported here under the same names. It is a shell: a type of
// it has no field through which Go's compiler sees a type of this package, so that a program which uses
// package qd is compiled without it. Kernels' own types, Thread and Const and views among them, are package qd's, and
// known by their names.
package launch
