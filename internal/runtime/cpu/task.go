package cpu

import "sync/atomic"

// A task is one run of a launch, or what is left of it, which several workers share.
type task struct {
	launch *Launch
	splitting
	wants int // helpers that may still join; guarded by the pool's lock

	_       [64]byte     // what changes is kept apart from what is only read
	next    atomic.Int64 // the first thread that nobody has taken
	_       [56]byte
	helpers atomic.Int64  // that have joined and not left, and callerParked
	parked  chan struct{} // takes one word: the last helper has left
}

// callerParked in a task's count of helpers says that the caller has parked and is
// to be woken by the last helper.
const callerParked = 1 << 32

// begin makes a task of the threads of a launch from first on.
func (t *task) begin(l *Launch, first int64, s splitting) {
	t.launch, t.splitting = l, s
	t.next.Store(first)
	if t.parked == nil {
		t.parked = make(chan struct{}, 1)
	}
}

// take takes a chunk of threads, none when all are taken.
func (t *task) take() (begin, end int64) {
	for {
		begin := t.next.Load()
		rest := t.launch.threads - begin
		if rest <= 0 {
			return 0, 0
		}
		end := begin + t.chunk(begin, rest)
		if t.next.CompareAndSwap(begin, end) {
			return begin, end
		}
	}
}

// work runs chunks until none are left. The caller's are measured.
func (t *task) work(c *call, measure bool) {
	start := now()
	var calls, threads int64
	for {
		begin, end := t.take()
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

// leave ends a helper's part. The task must not be touched afterwards: it may be
// in use for another run already.
func (t *task) leave() {
	parked := t.parked
	if t.helpers.Add(-1) == callerParked {
		parked <- struct{}{}
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
		<-t.parked
	}
	t.helpers.Store(0)
}
