// Package parslice is package par for plain slices: it sums, scans, sorts and packs them on a device, waits, and returns what comes of
// it.
//
//	sum, err := parslice.Sum(dev, x)
//	err := parslice.Sort(dev, x)
//
// On the devices "go" and "cpu" the kernels work on the slices in place. On a CUDA device the slices are copied there, and back where
// they have changed, and a call waits for the whole device, as [qd.Array.CopyTo] does. Between calls nothing stays on the device: if
// several follow each other, the arrays of package par save copies.
//
// The kernels are those of package par, so results are the same to the last bit, on every device and with every number of threads. What
// a function that is an argument may be, and what is an error, is as there. A nil device, and slices
// of what kernels cannot have, such as strings, are mistakes in the program, and panic as in [qd.From].
package parslice
