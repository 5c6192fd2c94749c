package qd

import (
	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/runtime/launch"
)

// Counts are what the launches of a process have cost so far, on all devices. They only
// grow: what something cost is the difference.
type Counts struct {
	// Specializations are the programs made ready to run: one for each kernel, list of
	// types and constants, and device, and for each value of the package variables in it.
	// A launch that adds none has found all it needs in memory.
	Specializations int64

	// Lowered are the kernels taken from source to SSA. The kernels of a package that are
	// built together all count, and so do those that device "go" only looks at for errors.
	Lowered int64

	// Compiled are the runs of a C++ or CUDA compiler. One may be of several kernels.
	Compiled int64

	// Cached are the kernels whose module was found in the cache, on disk or remote.
	Cached int64

	// Loaded are the modules loaded on a device. Kernels whose code is the same share one.
	Loaded int64

	// RemoteHits and RemoteMisses are what the remote cache that QD_CACHE_REMOTE names was asked
	// for, and has or has not: modules, records that name modules, and tuned times.
	RemoteHits, RemoteMisses int64

	// RemoteFailures are the requests that the remote cache has failed, and RemoteUploads what
	// the process has stored there.
	RemoteFailures, RemoteUploads int64
}

// Stats gives what the launches of the process have cost so far.
func Stats() Counts {
	return Counts{
		Specializations: launch.Made.Load(),
		Lowered:         build.Count.Lowered.Load(),
		Compiled:        build.Count.Compiled.Load(),
		Cached:          build.Count.Cached.Load(),
		Loaded:          build.Count.Loaded.Load(),
		RemoteHits:      cache.RemoteCount.Hits.Load(),
		RemoteMisses:    cache.RemoteCount.Misses.Load(),
		RemoteFailures:  cache.RemoteCount.Failures.Load(),
		RemoteUploads:   cache.RemoteCount.Uploads.Load(),
	}
}
