// Package cpu runs compiled kernels on the host's cores.
//
// A [Module] is a shared library that clang has made of emitted C++; each kernel in
// it is a function
//
//	void NAME(const NAME_args *args, int64_t begin, int64_t end)
//
// that runs the threads begin..end-1 of a launch. A [Launch] is such a function
// with its arguments and number of threads; running it cuts the threads into
// chunks, which the calling goroutine and the workers of a [Pool] take from a
// common counter until there are none left.
//
// What must be decided well, because a launch may be one thread of a nanosecond
// or a billion of a second each, is how many workers to ask for help and how long a
// chunk is. Both follow from what a thread costs, which is measured: a kernel
// remembers it from launch to launch, and a launch that knows nothing yet begins
// alone, with pieces that grow until the clock can tell (see split.go).
//
// Workers are goroutines. While one is in compiled code it occupies an operating
// system thread and lends its processor to other goroutines as any foreign call
// does, so the Go scheduler needs to know nothing of launches. A worker that finds nothing
// to do looks for more for some microseconds before it parks (see pool.go).
package cpu
