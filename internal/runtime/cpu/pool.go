package cpu

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// spinTime is how long a worker looks for a task, and a caller for the end of its
// last helper, before it parks. Waking a parked goroutine takes Go from 5 to 50
// microseconds, so it pays to wait about as long for programs that launch one
// kernel after the other; longer would take processor time from the program's own
// goroutines.
const spinTime = 50 * time.Microsecond

// A Pool is a set of workers that help to run launches. The zero Pool has as many
// as there are processors for goroutines, the calling goroutine counted. Workers
// are started when they are first needed and stay.
//
// Any number of goroutines may run launches on a pool at once. A launch never
// waits for a worker to come: whoever asks for help goes on working, and takes
// all of the work if nobody comes.
type Pool struct {
	fixed int // size, if it is not that of the machine

	// wanted is how many helpers the open tasks want. Workers look at it without
	// the lock; it changes under the lock.
	wanted atomic.Int64
	_      [56]byte // to a cache line of its own, which is read all the time

	mu       sync.Mutex
	open     []*task // that want more helpers
	started  int     // workers
	spinning int     // workers on the look-out
	parked   int     // workers that wait for wake
	wake     chan struct{}
}

// defaultPool is what launches run on.
var defaultPool Pool

// NewPool makes a pool of n workers, the calling goroutine counted, whatever the
// number of processors.
func NewPool(n int) *Pool { return &Pool{fixed: n} }

// size is the number of workers, counting the caller.
func (p *Pool) size() int {
	if p.fixed > 0 {
		return p.fixed
	}
	return min(runtime.GOMAXPROCS(0), runtime.NumCPU())
}

// run runs a task with the caller and up to so many helpers.
func (p *Pool) run(t *task, c *call, helpers int) {
	p.offer(t, helpers)
	t.work(c, true)
	p.withdraw(t)
	t.wait()
}

// offer opens a task to helpers.
func (p *Pool) offer(t *task, helpers int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	t.wants = helpers
	p.open = append(p.open, t)
	wanted := int(p.wanted.Add(int64(helpers)))
	// Those on the look-out see the task by themselves; more are woken, or started.
	missing := wanted - p.spinning
	if p.wake == nil {
		p.wake = make(chan struct{}, maxWorkers)
	}
	for ; missing > 0 && p.parked > 0; missing-- {
		p.parked--
		p.spinning++
		p.wake <- struct{}{}
	}
	for ; missing > 0 && p.started < min(p.size(), maxWorkers)-1; missing-- {
		p.started++
		p.spinning++
		go p.work()
	}
}

// maxWorkers bounds a pool, and so the number of wake-ups under way.
const maxWorkers = 1024

// withdraw closes a task to further helpers.
func (p *Pool) withdraw(t *task) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if t.wants > 0 {
		p.wanted.Add(-int64(t.wants))
		t.wants = 0
		p.close(t)
	}
}

// close takes a task from the list of open ones. The lock is held.
func (p *Pool) close(t *task) {
	for i, o := range p.open {
		if o == t {
			copy(p.open[i:], p.open[i+1:])
			p.open[len(p.open)-1] = nil
			p.open = p.open[:len(p.open)-1]
			return
		}
	}
	panic("BUG: the task is not open")
}

// work is a worker's life. It is counted as spinning when it begins.
func (p *Pool) work() {
	c := new(call)
	for {
		if t := p.look(); t != nil {
			t.work(c, false)
			t.leave()
			p.mu.Lock()
			p.spinning++
			p.mu.Unlock()
			continue
		}
		<-p.wake
	}
}

// look finds a task that wants help and joins it. When there is none for some
// time it counts the worker as parked and returns nil.
func (p *Pool) look() *task {
	for start := now(); ; {
		for range 64 {
			if p.wanted.Load() > 0 {
				if t := p.join(); t != nil {
					return t
				}
			}
		}
		if now()-start > spinTime && p.park() {
			return nil
		}
	}
}

// join makes the worker a helper of an open task, if there still is one.
func (p *Pool) join() *task {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.open) == 0 {
		return nil
	}
	t := p.open[0]
	p.spinning--
	p.wanted.Add(-1)
	if t.wants--; t.wants == 0 {
		p.close(t)
	}
	t.helpers.Add(1)
	return t
}

// park counts a worker that was looking for a task as parked, unless one has come.
func (p *Pool) park() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.wanted.Load() > 0 {
		return false
	}
	p.spinning--
	p.parked++
	return true
}
