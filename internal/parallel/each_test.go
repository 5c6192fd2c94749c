package parallel

import (
	"sync"
	"sync/atomic"
	"testing"
)

// Each number is used once, and as many calls as there are workers run at once, and not more.
func TestEach(t *testing.T) {
	for workers := range 5 {
		for n := range 9 {
			used := make([]atomic.Int64, n)
			var running, most atomic.Int64
			// The first calls wait for each other.
			var first sync.WaitGroup
			together := min(max(workers, 1), n)
			first.Add(together)
			Each(workers, n, func(i int) {
				now := running.Add(1)
				for old := most.Load(); now > old && !most.CompareAndSwap(old, now); old = most.Load() {
				}
				if i < together {
					first.Done()
					first.Wait()
				}
				used[i].Add(1)
				running.Add(-1)
			})
			for i := range used {
				if got := used[i].Load(); got != 1 {
					t.Errorf("%d workers: f(%d) of %d is called %d times", workers, i, n, got)
				}
			}
			if most.Load() != int64(together) {
				t.Errorf("%d workers: %d of %d calls run at once", workers, most.Load(), n)
			}
		}
	}
}

// A panic comes to the caller, and ends the work.
func TestEachPanics(t *testing.T) {
	for workers := range 4 {
		calls := 0
		var mu sync.Mutex
		func() {
			defer func() {
				if v := recover(); v != "the third" {
					t.Errorf("%d workers: recovered %v", workers, v)
				}
			}()
			Each(workers, 1000, func(i int) {
				if i == 2 {
					panic("the third")
				}
				mu.Lock()
				defer mu.Unlock()
				calls++
			})
			t.Errorf("%d workers: no panic", workers)
		}()
		if workers < 2 && calls != 2 {
			t.Errorf("%d workers: %d calls before the third", workers, calls)
		}
	}
}
