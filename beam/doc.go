// Package qdbeam runs kernels of [qd] over the elements of Apache Beam's collections, on the best
// device of each worker.
//
//	//qd:kernel
//	func price(t qd.Thread, steps qd.Const[int], in []Option, out []Quote) { ... }
//
//	func init() { qdbeam.Register(price) }
//
//	quotes := qdbeam.Map(s, price, options, qdbeam.Args(qd.C(1000)))
//
// # Kernels
//
// The last two parameters of a kernel are slices: the elements of a batch, and what becomes of them.
// The types of their elements are those of the collections. What the first parameter describes decides
// how a batch is launched:
//
//   - A [qd.Thread] kernel has one thread for each element. With [ThreadsPerElement] it has several, in
//     further dimensions.
//   - A [qd.Block] kernel has one block for each element.
//   - A [qd.Grid] kernel has the whole batch.
//
// Parameters between them are constants ([qd.Const]) and values that are the same for all elements.
// [Args] gives them. They travel with the pipeline, bit by bit.
//
// A kernel is a function in the worker's binary, which [Register] makes known, in init, as Beam's own
// registration does. Register gives the types of its elements a coder too, if they have none: the
// bytes of their fields. For workers that have no source of the program, `qdgen gen` embeds it.
//
// # Batches
//
// The elements of a bundle are collected in batches. A batch is launched when it is full, and at the end
// of its bundle. Each result has the windows, the timestamp and the pane of its element, whatever else
// is in the batch. A kernel reads its elements and writes its results, and nothing else: so Beam can repeat a bundle,
// and can drop what a failed one has computed. A kernel of Map must compute each
// element alone, because Beam decides what elements a batch has.
//
// # Devices
//
// Each worker takes the best device that runs the kernel: a GPU, then all cores of the CPU, each by its compiler or by
// what a shared cache has for it, then the Go function itself. The environment variable QD_DEVICE of a
// worker, or the option [Device], names another one.
//
// # Errors and metrics
//
// An error of a launch is the error of its bundle, which Beam repeats or reports. An error of
// the pipeline's construction is a panic, as in package beam; functions whose names begin with Try return it.
//
// The metrics of a step are the counters qdbeam/launches and qdbeam/elements, and the distribution
// qdbeam/device_microseconds, with one value for each launch: the time from the launch to the results
// in the memory of the host.
package qdbeam
