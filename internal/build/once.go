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
	done chan struct{}
	v    V
	err  error
}

// Do returns the value of key, made by f if there is none yet.
func (o *Once[K, V]) Do(key K, f func() (V, error)) (V, error) {
	return o.DoWithin(context.Background(), key, f)
}

// DoWithin is Do that does not wait for another goroutine's f longer than a context lasts, whose error it returns then.
// That f goes on.
func (o *Once[K, V]) DoWithin(ctx context.Context, key K, f func() (V, error)) (V, error) {
	o.mu.Lock()
	if e, ok := o.m[key]; ok {
		o.mu.Unlock()
		select {
		case <-e.done:
			return e.v, e.err
		case <-ctx.Done():
			var none V
			return none, context.Cause(ctx)
		}
	}
	e := &onceEntry[V]{done: make(chan struct{}), err: errors.New("qd: a panic ended the build")}
	if o.m == nil {
		o.m = make(map[K]*onceEntry[V])
	}
	o.m[key] = e
	o.mu.Unlock()
	defer func() {
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
