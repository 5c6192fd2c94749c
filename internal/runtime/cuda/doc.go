// Package cuda binds the CUDA driver, without cgo, and runs kernels on NVIDIA's GPUs.
//
// [Open] finds the driver's library and returns a [Driver]. If something is missing, the error is a
// [*MissingError], which says what was found and how to get the rest. A [Device] is one GPU with
// its primary context. It owns [Memory], [Module] with its [Kernel]s, [Stream] and [Event]. A
// [Launch] is a kernel with arguments, bound to a stream. It runs any number of times without
// allocation.
//
// Errors of the driver are [*Error], with the driver's own name and message. Some of them, such as
// an illegal address, make the device unusable for the rest of the process. These errors say so,
// and every later operation on the device fails with the same error.
//
// Contexts and goroutines: the driver keeps the current context per operating system thread, and a
// goroutine may change threads between any two calls. So each operation locks its goroutine to the
// thread, makes the device's context current, calls, and unlocks. Setting a context that is already
// current takes the driver some tens of nanoseconds. With the foreign call, that is about a tenth
// of a microsecond in a launch of two or three. The alternative is one thread that owns the context
// and receives closures over a channel. It would cost each launch several microseconds, and all
// launches would wait in one queue, even behind a synchronization.
//
// Memory of the host is pageable: it is Go's heap. The driver may read or write it until the stream
// is synchronized, so a stream keeps the slices of its copies reachable until then. Go's heap does
// not move.
package cuda
