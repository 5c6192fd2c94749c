// Package cpu runs compiled kernels on the host's cores.
//
// A [Module] is a shared library that clang has built from emitted C++. Each kernel in it is a
// function
//
//	void NAME(const NAME_args *args, int64_t begin, int64_t end)
//
// that runs the threads begin..end-1 of a launch. A [Launch] is such a function with its arguments
// and number of threads. Running it gives the calling goroutine and each worker of a [Pool] a share
// of the threads, the same in each launch, for the data that a core's cache still has. They take
// chunks of their shares, then of the shares of others, until none are left.
//
// A launch may be one thread of a nanosecond or a billion of a second each. So it must choose well
// how many workers to ask for help and how long a chunk is. Both follow from the measured cost of a
// thread. A kernel remembers this cost from launch to launch. A launch that knows nothing yet
// begins alone, with chunks that grow until the clock can measure them (see split.go).
//
// Workers are goroutines. While a worker is in compiled code it occupies an operating system thread
// and lends its processor to other goroutines, as any foreign call does, so the Go scheduler needs
// no knowledge of launches. A worker that finds no work looks for more for some microseconds. Then it
// waits for a semaphore of the system, and after a second for a channel (see pool.go).
package cpu
