package device

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/qdgen/qd/internal/runtime/failure"
	"github.com/qdgen/qd/internal/runtime/fault"
)

// errClosed is the error of a launch on a stream that has been closed.
var errClosed = &failure.LaunchError{Reason: "the stream has been closed"}

// Queued makes a runner that goes through the launch's queue, if it has one.
func (l *Launch) Queued(r Runner) Runner {
	if l.Queue == nil {
		return r
	}
	return queuedRun{l.Queue, r}
}

// queuedRun is a launch on a stream of the host's.
type queuedRun struct {
	queue Queue
	r     Runner
}

func (q queuedRun) Run() error { return q.queue.Submit(q.r) }

// Awaiting is a queue in which each launch has ended when it has been submitted. Errors of runs are for Wait, as ever.
func Awaiting(q Queue) Queue { return awaiting{q} }

type awaiting struct{ Queue }

func (q awaiting) Submit(r Runner) error {
	done := make(chan struct{})
	if err := q.Queue.Submit(signalling{r, done}); err != nil {
		return err
	}
	<-done
	return nil
}

// signalling is a launch that closes a channel when it has run.
type signalling struct {
	Runner
	done chan struct{}
}

func (s signalling) Run() error {
	defer close(s.done)
	return s.Runner.Run()
}

// HostQueues makes the queues of a device whose launches run on the host's
// threads, and waits for all of them.
type HostQueues struct {
	launches atomic.Int64 // that have been submitted

	mu     sync.Mutex
	active map[*hostQueue]struct{} // those with launches, or with an error for those who wait for the device
}

// NewQueue implements [Backend].
func (h *HostQueues) NewQueue() (Queue, error) {
	return &hostQueue{all: h, last: closedChan}, nil
}

// Settle implements [Backend].
func (h *HostQueues) Settle() error {
	for _, q := range h.now() {
		q.mu.Lock()
		last := q.last
		q.mu.Unlock()
		<-last
	}
	return nil
}

// TakeError implements [Backend]. The error of a queue stays for its own Wait, but not in active: nobody may wait for
// that queue, and the device has to go on.
func (h *HostQueues) TakeError() error {
	var list []fault.Failed
	for _, q := range h.now() {
		q.mu.Lock()
		list = append(list, q.untold.ToDevice())
		h.note(q)
		q.mu.Unlock()
	}
	return joined(fault.OfDevice(list))
}

// joined is one error for several; one alone stays as it is.
func joined(errs []error) error {
	if len(errs) == 1 {
		return errs[0]
	}
	return failure.Join(errs...)
}

// now are the active queues.
func (h *HostQueues) now() []*hostQueue {
	h.mu.Lock()
	defer h.mu.Unlock()
	list := make([]*hostQueue, 0, len(h.active))
	for q := range h.active {
		list = append(list, q)
	}
	return list
}

// note keeps track of which queues are active. It is called with the
// queue's lock held.
func (h *HostQueues) note(q *hostQueue) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !q.busy && !q.untold.ForDevice() {
		delete(h.active, q)
		return
	}
	if h.active == nil {
		h.active = make(map[*hostQueue]struct{})
	}
	h.active[q] = struct{}{}
}

var closedChan = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// hostQueue runs launches one after the other on a goroutine that lives as long
// as there are some.
type hostQueue struct {
	all *HostQueues

	// Locked before all.mu.
	mu     sync.Mutex
	todo   []hostLaunch
	last   chan struct{} // the done of the launch that was submitted last
	busy   bool
	closed bool
	untold fault.Untold
}

// hostLaunch is a queued launch.
type hostLaunch struct {
	Runner
	number int64
	done   chan struct{} // closed when it has run
}

func (q *hostQueue) Submit(r Runner) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return errClosed
	}
	q.last = make(chan struct{})
	q.todo = append(q.todo, hostLaunch{r, q.all.launches.Add(1), q.last})
	if !q.busy {
		q.busy = true
		q.all.note(q)
		go q.work()
	}
	return nil
}

func (q *hostQueue) work() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.todo) > 0 {
		l := q.todo[0]
		q.todo = q.todo[1:]
		q.mu.Unlock()
		err := l.Run()
		q.mu.Lock()
		q.untold.Add(fault.Failed{Err: err, Launch: l.number})
		close(l.done)
	}
	q.busy = false
	q.all.note(q)
}

func (q *hostQueue) Wait(ctx context.Context) error {
	q.mu.Lock()
	last := q.last
	q.mu.Unlock()
	select {
	case <-last:
	case <-ctx.Done():
		return ctx.Err()
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	err := q.untold.ToStream()
	q.all.note(q)
	return err
}

func (q *hostQueue) Close() error {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	return q.Wait(context.Background())
}
