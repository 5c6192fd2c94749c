// Package fakecuda is a CUDA driver for tests on machines without a GPU: a library
// with the driver's interface whose devices are the host's memory and whose kernels
// are host code.
//
// [Build] compiles it and gives a [Driver], whose Path is for cuda.OpenLibrary or
// the environment variable QD_CUDA_DRIVER. Only tests import this package.
//
// It is stricter than it is faithful. A call on a thread without a current context
// fails, as does one with memory, a stream or an event that was never made or has
// been given back. Work that is queued on a stream does not begin before the
// stream, an event in it, or the context is synchronised, so that a result which is
// read too early is missing always, not sometimes; and a copy from the host's
// memory looks at it no earlier, which a real driver may do too. A kernel that
// writes next to its memory fails as an illegal address does.
//
// A module's image must be a shared library for the host, in which the kernel NAME
// is the function
//
//	void NAME_host(const void *args, unsigned grid, unsigned block)
//
// that runs all threads of a launch. Errors are injected by [Driver.Configure], or
// for a whole process by the environment variable QD_FAKECUDA, with the same text.
package fakecuda
