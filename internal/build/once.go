package build

import (
	"context"
	"errors"
	"sync"
)

// A Once builds each module of one device once, however many goroutines ask for it. It keeps no errors: a build that
// has failed is tried again when somebody asks again.
type Once[K comparable, V any] struct {
	mu sync.Mutex
	m  map[K]*onceEntry[V]
}

type onceEntry[V any] struct {
	done  chan struct{}
	v     V
	err   error
	ended bool // the context of f has ended, so err may be the context's
}

// Do returns the value of key, made by f if there is none yet.
func (o *Once[K, V]) Do(key K, f func() (V, error)) (V, error) {
	return o.DoWithin(context.Background(), key, f)
}

// DoWithin is Do for an f that ends with a context. It waits for another goroutine's f no longer than the context lasts,
// and returns the context's error then; that f goes on. If another one's f has ended with its own context, f is called.
func (o *Once[K, V]) DoWithin(ctx context.Context, key K, f func() (V, error)) (V, error) {
	o.mu.Lock()
	for e, ok := o.m[key]; ok; e, ok = o.m[key] {
		o.mu.Unlock()
		select {
		case <-e.done:
		case <-ctx.Done():
			var none V
			return none, context.Cause(ctx)
		}
		if e.err == nil || !e.ended {
			return e.v, e.err
		}
		o.mu.Lock()
	}
	e := &onceEntry[V]{done: make(chan struct{}), err: errors.New("qd: a panic ended the build")}
	if o.m == nil {
		o.m = make(map[K]*onceEntry[V])
	}
	o.m[key] = e
	o.mu.Unlock()
	defer func() {
		e.ended = ctx.Err() != nil
		if e.err != nil {
			o.mu.Lock()
			delete(o.m, key)
			o.mu.Unlock()
		}
		close(e.done)
	}()
	e.v, e.err = f()
	return e.v, e.err
}
