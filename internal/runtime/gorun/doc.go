// Package gorun is device "go": it calls a kernel's own Go function, for each thread or block of a launch, over as
// many goroutines as there are cores. It knows threads that wait for each other, the memory of a block, the
// parallel loops of a Grid kernel, and makes faults of panics. It has no notion of source, of arrays, or of other devices.
package gorun
