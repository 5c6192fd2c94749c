package qd

import (
	"context"
	"runtime"
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
	r, err := s.dev.prepare(kernel, dim, args, s.queue)
	if err != nil {
		return err
	}
	err = r.run()
	runtime.KeepAlive(args)
	return err
}

// Sync waits until every launch queued so far has ended, and returns the first
// error among them since the last Sync. If ctx ends before, its error is returned
// and the launches go on.
func (s *Stream) Sync(ctx context.Context) error { return s.queue.wait(ctx) }

// Close waits for the launches and gives the stream back.
func (s *Stream) Close() error { return s.queue.close() }

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
	mu   sync.Mutex
	open map[*hostQueue]struct{}
}

func (h *hostQueues) newQueue() (queue, error) {
	q := &hostQueue{all: h, idle: closedChan}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.open == nil {
		h.open = make(map[*hostQueue]struct{})
	}
	h.open[q] = struct{}{}
	return q, nil
}

// wait waits for all queues; their errors stay for their own Sync.
func (h *hostQueues) wait() error {
	h.mu.Lock()
	idle := make([]<-chan struct{}, 0, len(h.open))
	for q := range h.open {
		q.mu.Lock()
		idle = append(idle, q.idle)
		q.mu.Unlock()
	}
	h.mu.Unlock()
	for _, c := range idle {
		<-c
	}
	return nil
}

var closedChan = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// hostQueue runs launches one after the other on a goroutine that lives as long
// as there are some.
type hostQueue struct {
	all  *hostQueues
	mu   sync.Mutex
	todo []runner
	idle chan struct{} // closed when todo has been worked off
	busy bool
	err  error
}

func (q *hostQueue) submit(r runner) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.todo = append(q.todo, r)
	if !q.busy {
		q.busy = true
		q.idle = make(chan struct{})
		go q.work()
	}
	return nil
}

func (q *hostQueue) work() {
	for {
		q.mu.Lock()
		if len(q.todo) == 0 {
			q.busy = false
			close(q.idle)
			q.mu.Unlock()
			return
		}
		r := q.todo[0]
		q.todo = q.todo[1:]
		q.mu.Unlock()
		if err := r.run(); err != nil {
			q.mu.Lock()
			if q.err == nil {
				q.err = err
			}
			q.mu.Unlock()
		}
	}
}

func (q *hostQueue) wait(ctx context.Context) error {
	q.mu.Lock()
	idle := q.idle
	q.mu.Unlock()
	select {
	case <-idle:
	case <-ctx.Done():
		return ctx.Err()
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	err := q.err
	q.err = nil
	return err
}

func (q *hostQueue) close() error {
	err := q.wait(context.Background())
	q.all.mu.Lock()
	defer q.all.mu.Unlock()
	delete(q.all.open, q)
	return err
}
