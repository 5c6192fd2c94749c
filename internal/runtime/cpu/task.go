package cpu

import (
	"slices"
	"sync/atomic"
	"time"
)

// A task is one run of a launch, or what is left of it, which several workers share.
type task struct {
	launch *Launch
	splitting
	wants int // helpers that may still join; guarded by the pool's lock

	// Each worker begins with a share of its own, and with the same in the next launch, as its core's cache may still have
	// what those threads read and write. One that has no more takes from the others.
	shares []share

	_       [64]byte     // what changes is kept apart from what is only read
	helpers atomic.Int64 // that have joined and not left, and callerParked
	left    semaphore    // a permit: the last helper has left while the caller was parked
}

// A share is a range of threads of which workers take chunks from the front. It has cache lines of its own.
type share struct {
	next atomic.Int64 // the first thread that nobody has taken
	end  int64
	_    [112]byte
}

// callerParked in a task's count of helpers says that the caller has parked and is
// to be woken by the last helper.
const callerParked = 1 << 32

// begin makes a task of the threads of a launch from first on.
func (t *task) begin(l *Launch, first int64, s splitting) {
	t.launch, t.splitting = l, s
	n := int64(s.helpers) + 1
	t.shares = slices.Grow(t.shares[:0], int(n))[:n]
	all := units(l.threads-first, s.lanes)
	// Not all*k/n, which may be too large.
	size, more := all/n, all%n
	for k, begin := int64(0), first; k < n; k++ {
		end := l.threads
		if k < n-1 {
			end = max(begin, s.align(first+(size*(k+1)+min(more, k+1))*s.lanes, size*s.lanes))
		}
		t.shares[k].next.Store(begin)
		t.shares[k].end, begin = end, end
	}
}

// take takes a chunk of threads for a worker, none when all are taken.
func (t *task) take(worker int) (begin, end int64) {
	for k := range t.shares {
		s := &t.shares[(worker+k)%len(t.shares)]
		for {
			begin := s.next.Load()
			rest := s.end - begin
			if rest <= 0 {
				break
			}
			end := begin + t.chunk(begin, rest)
			if s.next.CompareAndSwap(begin, end) {
				return begin, end
			}
		}
	}
	return 0, 0
}

// work runs chunks until none are left. The caller's are measured.
func (t *task) work(c *call, measure bool) {
	start := now()
	var calls, threads int64
	for {
		begin, end := t.take(c.worker)
		if begin == end {
			break
		}
		c.threads(t.launch, begin, end)
		calls++
		threads += end - begin
	}
	if measure && threads > 0 {
		t.launch.learn(now()-start, calls, threads)
	}
}

// leave ends a helper's part. Once the permit is given the task may be in use for another run already, to which waking
// somebody for nothing does no harm.
func (t *task) leave() {
	if t.helpers.Add(-1) == callerParked {
		t.left.give(1)
		t.left.wake(1)
	}
}

// wait waits until all helpers have left.
func (t *task) wait() {
	for start := now(); now()-start < spinTime; {
		for range 64 {
			if t.helpers.Load() == 0 {
				return
			}
		}
	}
	if t.helpers.Add(callerParked) != callerParked {
		for !t.left.take(time.Hour) {
		}
	}
	t.helpers.Store(0)
}
