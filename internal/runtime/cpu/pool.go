package cpu

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// spinTime is how long a worker looks for a task, and a caller for the end of its
// last helper, before it waits in the system. To be woken there takes a thread from 10
// to 50 microseconds, so it pays to look about as long for programs that launch one
// kernel after the other; longer would take processor time from the program's own
// goroutines.
const spinTime = 50 * time.Microsecond

// sleepTime is how long a worker waits in the system for a task before it waits as any
// goroutine does, which needs no thread and lets Go notice that all goroutines are asleep.
const sleepTime = time.Second

// wakeFan is how many workers one thread wakes. Each takes it some microseconds, so the first that come wake the
// others.
const wakeFan = 4

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
	parked   int     // workers that wait for a permit
	asleep   int     // workers that wait for morning
	permits  semaphore
	morning  chan struct{}
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
	p.lock()
	t.wants = helpers
	p.open = append(p.open, t)
	p.wanted.Add(int64(helpers))
	n := p.call()
	p.mu.Unlock()
	p.rouse(n)
}

// call sees to it that workers come for what the open tasks want: those on the look-out see it by themselves, more are
// started, or given permits. It returns how many of these are to be roused once the lock, which is held, is free.
func (p *Pool) call() (parked int) {
	missing := int(p.wanted.Load()) - p.spinning
	parked = max(0, min(missing, p.parked, wakeFan))
	p.parked -= parked
	p.spinning += parked
	p.permits.give(parked)
	missing -= parked
	for n := 0; missing > 0 && n < wakeFan && p.asleep > 0; missing, n = missing-1, n+1 {
		p.asleep--
		p.spinning++
		p.morning <- struct{}{}
	}
	for ; missing > 0 && p.started < min(p.size(), maxWorkers)-1; missing-- {
		if p.morning == nil {
			p.morning = make(chan struct{}, maxWorkers)
		}
		p.started++
		p.spinning++
		go p.work(p.started)
	}
	return parked
}

// rouse wakes workers that have been given permits.
func (p *Pool) rouse(n int) {
	if n > 0 {
		p.permits.wake(n)
	}
}

// lock takes the pool's lock. It is held for well under a microsecond, often wanted by all workers at once, and a
// goroutine that waits for a Mutex is late by as much as one that waits for a channel: so it is tried for some time.
func (p *Pool) lock() {
	for range lockTries {
		if p.mu.TryLock() {
			return
		}
	}
	p.mu.Lock()
}

// lockTries take some ten microseconds.
const lockTries = 2000

// maxWorkers bounds a pool, and so the number of wake-ups under way.
const maxWorkers = 1024

// withdraw closes a task to further helpers.
func (p *Pool) withdraw(t *task) {
	p.lock()
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
func (p *Pool) work(number int) {
	c := &call{worker: number}
	for {
		if t := p.look(); t != nil {
			t.work(c, false)
			t.leave()
			p.lock()
			p.spinning++
			p.mu.Unlock()
			continue
		}
		p.rest()
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
	p.lock()
	if len(p.open) == 0 {
		p.mu.Unlock()
		return nil
	}
	t := p.open[0]
	p.spinning--
	p.wanted.Add(-1)
	if t.wants--; t.wants == 0 {
		p.close(t)
	}
	t.helpers.Add(1)
	n := p.call()
	p.mu.Unlock()
	p.rouse(n)
	return t
}

// park counts a worker that was looking for a task as parked, unless one has come.
func (p *Pool) park() bool {
	p.lock()
	defer p.mu.Unlock()
	if p.wanted.Load() > 0 {
		return false
	}
	p.spinning--
	p.parked++
	return true
}

// rest is what a parked worker does until it is called.
func (p *Pool) rest() {
	if p.permits.take(sleepTime) {
		return
	}
	p.lock()
	called := p.permits.try() // in the meantime
	if !called {
		p.parked--
		p.asleep++
	}
	p.mu.Unlock()
	if !called {
		<-p.morning
	}
}
