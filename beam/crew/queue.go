package crew

import "sync"

// A queue hands messages to the one goroutine that may send on a stream, and never makes the sender wait: who sends may
// hold a lock that the other side needs.
type queue[T any] struct {
	mu     sync.Mutex
	ready  sync.Cond
	list   []T
	closed bool
}

func newQueue[T any]() *queue[T] {
	q := &queue[T]{}
	q.ready.L = &q.mu
	return q
}

func (q *queue[T]) put(x T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.list = append(q.list, x)
	q.ready.Signal()
}

func (q *queue[T]) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.ready.Broadcast()
}

// sendAll sends what is put, until the queue is closed or the stream ends.
func (q *queue[T]) sendAll(send func(T) error) {
	for {
		q.mu.Lock()
		for len(q.list) == 0 && !q.closed {
			q.ready.Wait()
		}
		if q.closed {
			q.mu.Unlock()
			return
		}
		x := q.list[0]
		q.list = q.list[1:]
		q.mu.Unlock()
		if send(x) != nil {
			return
		}
	}
}
