// Package nvrtc compiles CUDA C++ source to PTX and to cubin with NVRTC, NVIDIA's run-time compiler
// library. It needs neither a GPU nor a driver.
//
// Any NVRTC from CUDA 11 on works. [Find] looks where toolkits, distributions and Python packages
// install it, and chooses the newest. The smallest way to get one is the Python package
// nvidia-cuda-nvrtc. Find reads directories and opens nothing: the library has a hundred megabytes.
// The first call that needs the library loads it; if all modules come from the cache, no call does.
//
// [FindDisassembler] finds nvdisasm, the program that prints the machine code in a cubin. Package
// cubin reads the cost of kernels without it.
//
// Emitted code includes nothing. It is compiled so that its arithmetic is Go's: x*y+z is not
// contracted, denormals are kept, and division and square root are rounded as IEEE 754 requires.
package nvrtc
