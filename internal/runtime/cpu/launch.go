package cpu

import (
	"math"
	"runtime"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/qdgen/qd/internal/dl"
	"github.com/qdgen/qd/internal/runtime/fault"
)

// A Launch is a kernel with its arguments and number of threads, ready to run
// any number of times without allocation, by several goroutines at once too.
type Launch struct {
	kernel  *Kernel
	args    []byte
	threads int64
	row     int64
	cost    cost // what a thread of this launch has been measured to take

	done    <-chan struct{} // closed when no further threads are to be started; nil for a launch that runs to its end
	skipped atomic.Bool     // threads have not been started because of that

	own     run         // the state of a run, for one at a time
	claimed atomic.Bool // own is in use: further runs make their own
}

// run is what one run of a launch needs besides the launch.
type run struct {
	task task
	call call
}

// call is what a worker runs threads with.
type call struct {
	worker int       // its number in the pool, 0 for the goroutine that launches
	args   dl.Direct // of a foreign call
}

// boundPieces is how many pieces a chunk of a launch that may be abandoned is run in.
const boundPieces = 64

// Bound has the launch start no further threads once a channel is closed. It is called before the launch is run.
func (l *Launch) Bound(done <-chan struct{}) { l.done = done }

// Abandoned reports whether a run since the last call has not started all threads, as its channel was closed.
func (l *Launch) Abandoned() bool { return l.done != nil && l.skipped.Swap(false) }

// ended reports whether no further threads are to be started.
func (l *Launch) ended() bool {
	select {
	case <-l.done:
		l.skipped.Store(true)
		return true
	default: // always of a nil channel
		return false
	}
}

// threads runs threads begin..end-1 of a launch, none once one has failed.
func (c *call) threads(l *Launch, begin, end int64) {
	if l.done == nil {
		c.chunk(l, begin, end)
		return
	}
	step := max(1, (end-begin)/boundPieces)
	for ; begin < end && !l.ended(); begin += step {
		c.chunk(l, begin, min(begin+step, end))
	}
}

// chunk is threads in one call.
func (c *call) chunk(l *Launch, begin, end int64) {
	if l.kernel.solo.failed() {
		return
	}
	c.args = dl.Direct{l.kernel.fn, uintptr(unsafe.Pointer(unsafe.SliceData(l.args))), uintptr(begin), uintptr(end)}
	dl.Call3(&c.args)
	runtime.KeepAlive(l)
}

// Launch prepares a launch over a number of threads. args is the kernel's argument
// struct; the launch uses it in place and keeps it alive, but not what it points
// to, which the caller keeps. row is the size of the last of several dimensions,
// whose multiples are the better ends of chunks, or 0.
func (k *Kernel) Launch(args []byte, threads, row int64) *Launch {
	l := new(Launch)
	l.Prepare(k, args, threads, row)
	return l
}

// Prepare makes a zero launch what [Kernel.Launch] returns: for who has it as a part of something else.
func (l *Launch) Prepare(k *Kernel, args []byte, threads, row int64) {
	l.kernel, l.args, l.threads, l.row = k, args, threads, row
	if c := k.cost.get(); c != l.cost.get() { // to set it takes longer
		l.cost.set(c)
	}
}

// Forget leaves nothing of a launch whose runs have ended, but its kernel and the memory of the arguments, so that
// it can be prepared for another one.
func (l *Launch) Forget() {
	if l.done != nil {
		l.done = nil
		l.skipped.Store(false)
	}
}

// Run runs the launch on all cores and returns when every thread has run, or when
// one has failed, with the record of it.
func (l *Launch) Run() *fault.Record { return l.RunOn(&defaultPool) }

// RunOn runs the launch on the workers of a pool.
func (l *Launch) RunOn(p *Pool) *fault.Record {
	if l.claimed.CompareAndSwap(false, true) {
		defer l.claimed.Store(false)
		return l.runIn(&l.own, p)
	}
	return l.runIn(new(run), p)
}

// RunOnly is Run of a launch that no one else runs meanwhile.
func (l *Launch) RunOnly() *fault.Record { return l.runIn(&l.own, &defaultPool) }

// runIn runs the launch with the state of a run.
func (l *Launch) runIn(r *run, p *Pool) *fault.Record {
	if n := l.kernel.running; n != nil {
		atomic.AddInt64(n, 1)
		defer atomic.AddInt64(n, -1)
	}
	if s := l.kernel.solo; s != nil {
		return s.run(l, r, p)
	}
	l.runPrinting(r, p)
	return nil
}

// run begins alone and asks for help if that is worth it.
func (l *Launch) run(r *run, p *Pool) {
	if l.threads <= 1 {
		if l.threads == 1 {
			r.call.threads(l, 0, 1)
		}
		return
	}
	workers := p.size()
	if workers == 1 {
		start := now()
		r.call.threads(l, 0, l.threads)
		l.learn(now()-start, 1, l.threads) // what a thread costs decides more than how work is divided
		return
	}
	begin, cost := l.alone(&r.call)
	if begin == l.threads {
		return
	}
	s := split(l.threads-begin, l.row, l.kernel.Lanes(), workers, cost)
	if s.helpers == 0 {
		start := now()
		r.call.threads(l, begin, l.threads)
		l.learn(now()-start, 1, l.threads-begin)
		return
	}
	r.task.begin(l, begin, s)
	p.run(&r.task, &r.call, s.helpers)
}

// alone runs the first threads on the calling goroutine: all of them where that is
// a matter of microseconds, none where the launch is known to take longer, and as
// many as it takes to find out where nothing is known. It returns the first thread
// that has not run, and what a thread costs in nanoseconds.
//
// What was measured earlier may be wrong by any factor, because arguments differ. So
// even a launch that should be short is begun with an eighth of it: only when that was
// short indeed the rest follows in one piece.
func (l *Launch) alone(c *call) (begin int64, cost float64) {
	cost = l.cost.get()
	lanes := l.kernel.Lanes()
	piece := min(lanes, l.threads)
	if cost != 0 {
		if cost*float64(l.threads) > shortLaunch {
			return 0, cost
		}
		piece = min(units(max(1, l.threads/growth), lanes)*lanes, l.threads)
	}
	first := now()
	calls := int64(0)
	for last := first; ; {
		c.threads(l, begin, begin+piece)
		begin += piece
		calls++
		t := now()
		if begin == l.threads {
			l.learn(t-first, calls, begin)
			return begin, 0
		}
		if t-last >= shortPiece {
			return begin, l.learn(t-last, 1, piece)
		}
		last = t
		piece = min(growth*piece, l.threads-begin)
	}
}

// learn takes a measurement into account: so many threads in so many calls took
// so long. It returns the new cost of a thread.
func (l *Launch) learn(took time.Duration, calls, threads int64) float64 {
	if l.skipped.Load() {
		return l.cost.get() // nobody knows how many have run
	}
	// The calls themselves are no part of what a thread costs. The least that is
	// believed is there for launches which vanish beside them.
	ns := max(float64(took)-float64(calls)*callCost, 0)
	cost := max(ns/float64(threads), minThreadCost)
	if old := l.cost.get(); old != 0 {
		// Half of it: one measurement may have been interrupted by another process.
		cost = (cost + old) / 2
	}
	l.cost.set(cost)
	l.kernel.cost.set(cost)
	return cost
}

// cost is a number of nanoseconds, 0 when it is not known, that several goroutines
// may read and set.
type cost struct{ bits atomic.Uint64 }

func (c *cost) get() float64  { return math.Float64frombits(c.bits.Load()) }
func (c *cost) set(v float64) { c.bits.Store(math.Float64bits(v)) }

// epoch is what now counts from. Reading only the monotonic clock takes half the
// time of time.Now.
var epoch = time.Now()

func now() time.Duration { return time.Since(epoch) }
