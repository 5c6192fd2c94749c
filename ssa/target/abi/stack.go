package abi

// GPUStack is how many bytes of stack each thread of a GPU has for recursion, if there is any in its module. The driver
// sets them aside for all threads that the GPU can hold at once: 32 KiB for 2048 threads on each of 132 multiprocessors
// are 8 GiB.
const GPUStack = 32 << 10

// GPUFrames is how many bytes of local memory a thread of a GPU can have: its variables in memory, and those of the functions
// that it calls. The driver sets aside as many as the kernel's code needs.
const GPUFrames = 512 << 10
