// Package parslice is package par for plain slices. Its functions sum, scan, sort and pack slices on a
// device, wait, and return the result.
//
//	sum, err := parslice.Sum(dev, x)
//	err := parslice.Sort(dev, x)
//
// On the devices "go" and "cpu" the kernels work on the slices in place. A CUDA device copies a slice to
// the device, and copies it back if it has changed; a call waits for the whole device, as
// [qd.Array.CopyTo] does. Nothing stays on the device between calls: if several calls follow each other,
// the arrays of package par save copies.
//
// The kernels are those of package par. So results are the same to the last bit, on every device and
// with every number of threads. The rules for functions as arguments, and the errors, are those of
// package par too. A nil device, and slices of types that kernels cannot have, such as strings, are
// mistakes in the program: they panic, as in [qd.From].
package parslice
