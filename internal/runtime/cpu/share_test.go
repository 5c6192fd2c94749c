package cpu

import (
	"sync"
	"testing"
	"time"
)

// The shares of a launch cover its threads without overlap, however many there are, and end at whole rows or cache lines.
func TestShares(t *testing.T) {
	for _, c := range []struct{ first, threads, row int64 }{{0, 7, 0}, {3, 10, 0}, {1, 1 << 20, 0}, {8, 1000 * 1000, 1000}, {0, 5, 4}, {1, 1<<63 - 1, 0}, {1, 1<<63 - 1, 1 << 60}} {
		for helpers := range 6 {
			if int64(helpers) >= c.threads-c.first {
				continue
			}
			var task task
			task.begin(&Launch{threads: c.threads}, c.first, splitting{helpers: helpers, least: 1, row: c.row, lanes: 1})
			at := c.first
			for k := range task.shares {
				s := &task.shares[k]
				if s.next.Load() != at || s.end < at {
					t.Fatalf("%+v, %d helpers: share %d is %d to %d, want it to begin at %d", c, helpers, k, s.next.Load(), s.end, at)
				}
				at = s.end
				if size := (c.threads - c.first) / int64(helpers+1); at != c.threads && size >= chunkAlign && at%chunkAlign != 0 && (c.row == 0 || at%c.row != 0) {
					t.Errorf("%+v, %d helpers: share %d ends at %d", c, helpers, k, at)
				}
			}
			if len(task.shares) != helpers+1 || at != c.threads {
				t.Errorf("%+v, %d helpers: %d shares up to %d", c, helpers, len(task.shares), at)
			}
		}
	}
}

// A worker takes its own share first, and the same in each launch, then what others have left.
func TestOwnShareFirst(t *testing.T) {
	var task task
	l := &Launch{threads: 4000}
	for range 2 {
		task.begin(l, 0, splitting{helpers: 3, least: 100, lanes: 1})
		own := &task.shares[2]
		for at := own.next.Load(); at < own.end; at = own.next.Load() {
			if begin, end := task.take(2); begin != at || end <= begin || end > own.end {
				t.Fatalf("worker 2 takes %d to %d, want from %d to %d at most", begin, end, at, own.end)
			}
		}
		if begin, _ := task.take(2); begin != own.end {
			t.Errorf("after its own share worker 2 takes from %d, want %d", begin, own.end)
		}
		left := int64(0)
		for k := range task.shares {
			left += task.shares[k].end - task.shares[k].next.Load()
		}
		for begin, end := task.take(0); begin != end; begin, end = task.take(0) {
			left -= end - begin
		}
		if left != 0 {
			t.Errorf("%d threads are left", left)
		}
	}
}

// Permits are neither lost nor doubled, and who is not patient gets none.
func TestSemaphore(t *testing.T) {
	var s semaphore
	if s.try() || s.take(time.Millisecond) {
		t.Error("a permit that nobody has given")
	}
	const takers, each = 4, 1000
	var wg sync.WaitGroup
	for range takers {
		wg.Go(func() {
			for range each {
				if !s.take(time.Minute) {
					t.Error("a permit is lost")
					return
				}
			}
		})
	}
	for n := takers * each; n > 0; n -= 2 {
		s.give(2)
		s.wake(2)
	}
	wg.Wait()
	if s.try() {
		t.Error("a permit is left")
	}
}

// A worker that has waited in the system for long waits for the morning, and comes back from there.
func TestWorkersSleep(t *testing.T) {
	k := kernel(t, module(t, "kernels.cpp", nil), "meet")
	p := NewPool(3)
	for range 2 {
		spread(t, func(a *args) { k.Launch(a.buf, 4, 0).RunOn(p) }, 4)
		for asleep, deadline := 0, time.Now().Add(time.Minute); asleep != 2; time.Sleep(sleepTime / 10) {
			p.mu.Lock()
			asleep = p.asleep
			if time.Now().After(deadline) {
				t.Fatalf("of %d workers %d are parked, %d asleep, %d spinning", p.started, p.parked, p.asleep, p.spinning)
			}
			p.mu.Unlock()
		}
	}
}

// Shares and chunks are whole vectors, but for the last ones, and no worker is called for less than one.
func TestWholeVectors(t *testing.T) {
	for _, lanes := range []int64{4, 16, 32} {
		for _, threads := range []int64{1, 15, 16, 17, 40, 100, 1000, 8192, 8199, 100_003} {
			for _, cost := range []float64{1, 1000, 1e6} {
				s := split(threads, 0, lanes, 4, cost)
				if int64(s.helpers) >= units(threads, lanes) {
					t.Errorf("%d threads in vectors of %d: %d helpers", threads, lanes, s.helpers)
				}
				var task task
				task.begin(&Launch{threads: threads}, 0, s)
				for begin, end := task.take(1); begin != end; begin, end = task.take(1) {
					if begin%lanes != 0 || end%lanes != 0 && end != threads {
						t.Fatalf("%d threads in vectors of %d, of %g ns each: a chunk is %d to %d", threads, lanes, cost, begin, end)
					}
				}
			}
		}
	}
}
