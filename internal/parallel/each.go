package parallel

import (
	"sync"
	"sync/atomic"
)

// Each calls f for the numbers below n, in order, at most workers at once, and returns when all calls have. If calls
// panic, no others begin, and Each panics with what one of them has panicked with: the caller can recover from it as
// if it had called f itself. The stack is then the caller's, so where it matters f recovers by itself.
func Each(workers, n int, f func(i int)) {
	if workers = min(workers, n); workers < 2 {
		for i := range n {
			f(i)
		}
		return
	}
	var next atomic.Int64
	var fault atomic.Pointer[any]
	work := func() {
		defer func() {
			if v := recover(); v != nil {
				fault.Store(&v)
			}
		}()
		for i := int(next.Add(1)) - 1; i < n && fault.Load() == nil; i = int(next.Add(1)) - 1 {
			f(i)
		}
	}
	var wg sync.WaitGroup
	for range workers {
		wg.Go(work)
	}
	wg.Wait()
	if v := fault.Load(); v != nil {
		panic(*v)
	}
}
