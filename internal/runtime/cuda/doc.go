// Package cuda binds the CUDA driver, without cgo, and runs kernels on NVIDIA's
// GPUs.
//
// [Open] finds the driver's library and gives a [Driver]; what is missing is a
// [*MissingError] that says what was found and how to get the rest. A [Device] is
// one GPU with its primary context. On it live [Memory], [Module] with its [Kernel]s,
// [Stream] and [Event]. A [Launch] is a kernel with arguments, bound to a stream,
// that runs any number of times without allocation.
//
// Errors of the driver are [*Error], with the driver's own name and text. Some of
// them, such as an illegal address, leave the device unusable for the rest of the
// process; these say so, and every later operation on the device fails with the same error.
//
// Contexts and goroutines: the driver keeps the current context per operating
// system thread, and a goroutine may change threads between any two calls. So each
// operation locks its goroutine to the thread, makes the device's context
// current, calls, and unlocks. Setting a context that is current already takes the
// driver some tens of nanoseconds, which with the foreign call is about a tenth of a
// microsecond in a launch of two or three. The alternative, a thread that owns the
// context and is handed closures over a channel, would cost each launch several
// microseconds and make all of them wait in one line, behind a synchronise too.
//
// Memory of the host is pageable: Go's heap. The driver may read or write it up
// to the moment when the stream is synchronised, so a stream keeps the slices of its
// copies reachable until then. Go's heap does not move.
package cuda
