// Package gorun is device "go". It calls a kernel's own Go function for each thread or block of a launch,
// on as many goroutines as there are cores. It implements threads that wait for each other, the memory of
// a block, and the parallel loops of a Grid kernel, and turns panics into faults. It does not know source
// code, arrays or other devices.
package gorun
