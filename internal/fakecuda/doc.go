// Package fakecuda is a CUDA driver for tests on machines without a GPU. It is a library with the
// driver's interface. The memory of its devices is the host's memory, and its kernels are host
// code.
//
// [Build] compiles it and returns a [Driver], whose Path is for cuda.OpenLibrary or the environment
// variable QD_CUDA_DRIVER. Only tests import this package.
//
// It is stricter than a real driver. A call on a thread without a current context fails. So does a
// call with memory, a stream or an event that was never made or has been freed. Work that is queued
// on a stream begins only when the stream, an event in it, or the context is synchronized. So a
// result that is read too early is always missing, not sometimes. A copy from the host's memory
// reads it no earlier, which a real driver may do too. A kernel that writes next to its memory
// fails with an illegal address.
//
// The image of a module must be a shared library for the host, in which the kernel NAME is the
// function
//
//	void NAME_host(const void *args, unsigned grid, unsigned block)
//
// that runs all threads of a launch. [Driver.Configure] injects errors. The environment variable
// QD_FAKECUDA, with the same text, does so for a whole process.
package fakecuda
