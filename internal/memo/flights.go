package memo

import (
	"context"
	"sync"
)

// Flights are works in progress, one for each key, for which other goroutines wait. Nothing is kept of them. The zero
// Flights has none.
type Flights[K comparable, V any] struct {
	mu    sync.Mutex
	going map[K]*flight[V]
}

// A flight is one work. Its other fields are read after done is closed.
type flight[V any] struct {
	done  chan struct{}
	v     V
	err   error
	ended bool // by its context or a panic, so that its result is none for others
}

// Do calls f, which must return when the context ends, and returns its results. While another goroutine's f for the same key goes on, it waits for
// that, and returns what that one returns. If that has ended with its own context, or in a panic, f is called. mine is
// whether f was called. Once the context has ended, f is not called and nobody waits: the context's error is returned.
func (fs *Flights[K, V]) Do(ctx context.Context, key K, f func() (V, error)) (v V, mine bool, err error) {
	for {
		if ctx.Err() != nil {
			return v, false, context.Cause(ctx)
		}
		w, first := fs.join(key)
		if first {
			return fs.fly(ctx, key, w, f)
		}
		select {
		case <-w.done:
		case <-ctx.Done():
			return v, false, context.Cause(ctx)
		}
		if !w.ended {
			return w.v, false, w.err
		}
	}
}

// join gives the flight of a key, and whether it is the caller's own to fly.
func (fs *Flights[K, V]) join(key K) (w *flight[V], first bool) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if w := fs.going[key]; w != nil {
		return w, false
	}
	if fs.going == nil {
		fs.going = make(map[K]*flight[V])
	}
	w = &flight[V]{done: make(chan struct{}), ended: true}
	fs.going[key] = w
	return w, true
}

// fly calls f and ends the flight, also when f panics.
func (fs *Flights[K, V]) fly(ctx context.Context, key K, w *flight[V], f func() (V, error)) (V, bool, error) {
	defer func() {
		fs.mu.Lock()
		delete(fs.going, key)
		fs.mu.Unlock()
		close(w.done)
	}()
	w.v, w.err = f()
	w.ended = w.err != nil && ctx.Err() != nil
	return w.v, true, w.err
}
