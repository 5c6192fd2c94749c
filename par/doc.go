// Package par has what programs need around their own kernels: sums and other reductions, scans, sorting, histograms,
// and compaction of arrays. All of it is written as kernels, and runs on every device.
//
//	x := qd.From(dev, host)
//	sum := qd.Zeros[float32](dev, 1)
//	err := par.Sum(dev, x, sum)
//
// The first argument says how the kernels are launched: a *qd.Device runs them, a *qd.Stream queues them, and a
// *qd.Tape records them, so that Backward goes through them. Arguments are arrays on the device. Results are written to
// arrays too, so that nothing waits for the device. What a function has to keep between its kernels it
// allocates, which is an error in a function that [qd.Device.Record] has called. Package parslice has the same functions
// for plain slices.
//
// # The same result everywhere
//
// In which order elements are combined follows from their number alone, not from the device, or how many threads it
// has. So floating-point results are the same from run to run and from device to device, to the last bit.
//
// # Gradients
//
// On a tape, [Sum], [Dot], [Min], [Max], [Reduce], [Scan], [ScanFunc], [Select], [Unique] and [ReduceByKey] have gradients by their floats, and
// [SortPairs] by its values.
package par
