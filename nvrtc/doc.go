// Package nvrtc compiles CUDA C++ source with NVIDIA's run-time compiler library,
// to PTX and to cubin. It needs neither a GPU nor a driver.
//
// Any NVRTC from CUDA 11 on will do. [Find] looks where toolkits, distributions
// and Python packages put it and chooses the newest; the package nvidia-cuda-nvrtc,
// which pip installs, is the smallest way to get one. Finding reads directories and
// opens nothing: the library is a hundred megabytes and is loaded by the first
// call that needs it, which is none when all modules come from the cache.
//
// [FindDisassembler] finds nvdisasm, the program that prints the machine code in a cubin;
// package cubin reads what kernels cost without it.
//
// Emitted code includes nothing and is compiled so that its arithmetic is Go's:
// no contraction of x*y+z, denormals kept, division and square root rounded as
// IEEE 754 says.
package nvrtc
