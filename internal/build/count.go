package build

import "sync/atomic"

// Count has counters of the builds of this process.
var Count struct {
	Lowered  atomic.Int64 // kernels taken from source to SSA
	Compiled atomic.Int64 // runs of a compiler
	Cached   atomic.Int64 // kernels whose module was found in the cache, here or remote
	Loaded   atomic.Int64 // modules loaded on a device
}
