package qd

import (
	"context"
	"maps"
	"slices"
	"sync"
)

// A Stream is an ordered queue of launches on a device: each starts after the
// one before has ended, while the host and other streams go on. It is safe for use
// by several goroutines at once.
type Stream struct {
	dev   *Device
	queue queue
}

// NewStream makes a stream on the device. Close gives it back.
func (d *Device) NewStream() (*Stream, error) {
	q, err := d.backend.newQueue()
	if err != nil {
		return nil, err
	}
	return &Stream{dev: d, queue: q}, nil
}

// Launch queues a launch, with arguments as for [Device.Launch]. An error about
// the kernel or the arguments is returned at once; one of the run by [Stream.Sync].
// Slices must not be used until then. A launch with plain slices on a CUDA device is waited for.
func (s *Stream) Launch(kernel any, dim Dims, args ...any) error {
	r, _, err := s.dev.prepare(kernel, dim, args, s.queue)
	if err != nil {
		return err
	}
	return runOnce(r, args)
}

// Sync waits until every launch queued so far has ended, and returns the first
// error among them since the last Sync. If ctx ends before, its error is returned
// and the launches go on.
func (s *Stream) Sync(ctx context.Context) error { return s.queue.wait(ctx) }

// Close waits for the launches, gives the stream back, and returns their first
// error. A launch on it afterwards is an error.
func (s *Stream) Close() error { return s.queue.close() }

// errClosed is the error of a launch on a stream that has been closed.
var errClosed = &LaunchError{Reason: "the stream has been closed"}

// queued makes a runner that goes through the launch's queue, if it has one.
func (l *launch) queued(r runner) runner {
	if l.queue == nil {
		return r
	}
	return queuedRun{l.queue, r}
}

// queuedRun is a launch on a stream of the host's.
type queuedRun struct {
	queue queue
	r     runner
}

func (q queuedRun) run() error { return q.queue.submit(q.r) }

// hostQueues makes the queues of a device whose launches run on the host's
// threads, and waits for all of them.
type hostQueues struct {
	mu     sync.Mutex
	active map[*hostQueue]struct{} // those with launches, or with an error that nobody has had
}

func (h *hostQueues) newQueue() (queue, error) {
	return &hostQueue{all: h, last: closedChan}, nil
}

// wait waits for what all queues hold, and gives one of their errors, which
// stays for the Sync of its own stream.
func (h *hostQueues) wait() error {
	h.mu.Lock()
	queues := slices.Collect(maps.Keys(h.active))
	h.mu.Unlock()
	var first error
	for _, q := range queues {
		q.mu.Lock()
		last := q.last
		q.mu.Unlock()
		<-last
		q.mu.Lock()
		if first == nil {
			first = q.err
		}
		q.mu.Unlock()
	}
	return first
}

// note keeps track of which queues wait has to look at. It is called with the
// queue's lock held.
func (h *hostQueues) note(q *hostQueue) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !q.busy && q.err == nil {
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
	all *hostQueues

	// Locked before all.mu.
	mu     sync.Mutex
	todo   []hostLaunch
	last   chan struct{} // the done of the launch that was submitted last
	busy   bool
	closed bool
	err    error // the first since the last wait
}

// hostLaunch is a queued launch.
type hostLaunch struct {
	runner
	done chan struct{} // closed when it has run
}

func (q *hostQueue) submit(r runner) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return errClosed
	}
	q.last = make(chan struct{})
	q.todo = append(q.todo, hostLaunch{r, q.last})
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
		err := l.run()
		q.mu.Lock()
		if q.err == nil {
			q.err = err
		}
		close(l.done)
	}
	q.busy = false
	q.all.note(q)
}

func (q *hostQueue) wait(ctx context.Context) error {
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
	err := q.err
	q.err = nil
	q.all.note(q)
	return err
}

func (q *hostQueue) close() error {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	return q.wait(context.Background())
}
