// Package par has common operations around kernels: sums and other reductions, scans, sorting,
// histograms, and compaction of arrays. All of them are written as kernels and run on every device.
//
//	x := qd.From(dev, host)
//	sum := qd.Zeros[float32](dev, 1)
//	err := par.Sum(dev, x, sum)
//
// The first argument says how the kernels are launched. A *qd.Device runs them. A *qd.Stream queues
// them. A *qd.Tape records them, so that Backward differentiates them. Arguments and results are arrays
// on the device, so no function waits for the device. Functions allocate memory for intermediate
// results, so it is an error to call them in a function that [qd.Device.Record] calls. Package parslice
// has the same functions for plain slices.
//
// # The same result everywhere
//
// The order in which elements are combined depends only on their number, not on the device or its number
// of threads. So floating-point results are the same from run to run and from device to device, to the
// last bit.
//
// # Gradients
//
// On a tape, these functions have gradients by their floats: [Sum], [Dot], [Min], [Max], [Reduce],
// [Scan], [ScanFunc], [Select], [Unique] and [ReduceByKey]. [SortPairs] has one by its values.
package par
