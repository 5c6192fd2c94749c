package gorun

import (
	"runtime"
	"sync/atomic"
)

// share is how a launch on device "go" divides its units, threads or blocks, among
// goroutines.
type share struct {
	units   int
	workers int
	chunk   int // units that are taken at once
	next    atomic.Int64
}

// raceWorkers is the number of goroutines under the race detector.
const raceWorkers = 7

// newShare divides a number of units.
func newShare(units int) *share {
	if raceDetector {
		return &share{units: units, workers: min(units, raceWorkers), chunk: 1}
	}
	workers := min(runtime.GOMAXPROCS(0), units)
	return &share{units: units, workers: workers, chunk: max(1, min(units/(workers*8), 4096))}
}

// of calls run with the units that a worker is to do, by ranges, until there are none
// left or run returns false.
//
// Chunks are taken from a common counter. To the race detector that would be
// synchronization: what one worker did before it took a chunk happens before what
// another one does after it has taken a later one. So under the detector each worker has
// fixed units, which are spread so that neighbours, and most others that may get into
// each other's way, are different workers'.
func (s *share) of(worker int, run func(begin, end int) bool) {
	if raceDetector {
		for u := range s.units {
			if uint64(u)*0x9e3779b97f4a7c15>>32%uint64(s.workers) == uint64(worker) && !run(u, u+1) {
				return
			}
		}
		return
	}
	for {
		begin := int(s.next.Add(int64(s.chunk))) - s.chunk
		if begin >= s.units || !run(begin, min(begin+s.chunk, s.units)) {
			return
		}
	}
}
