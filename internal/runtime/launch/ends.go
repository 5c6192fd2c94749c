package launch

import (
	"context"
	"runtime"
	"sync"

	"github.com/qdgen/qd/internal/runtime/failure"
)

// ends are contexts that each end a launch. Those that never end are not among them.
type ends []context.Context

// and is e and a context, nil for none.
func (e ends) and(ctx context.Context) ends {
	if e.has(ctx) {
		return e
	}
	return append(e[:len(e):len(e)], ctx)
}

// has reports whether a launch that ends with e ends with a context, nil for none. Contexts with one channel end at
// once.
func (e ends) has(ctx context.Context) bool {
	if ctx == nil || ctx.Done() == nil {
		return true
	}
	for _, c := range e {
		if c.Done() == ctx.Done() {
			return true
		}
	}
	return false
}

// ended is the error of a launch of something that has not been started, if one of the contexts has ended.
func (e ends) ended(what interface{ Name() string }) error {
	for _, ctx := range e {
		if err := failure.Ended("launch", what, "not started", ctx); err != nil {
			return err
		}
	}
	return nil
}

// equal reports whether two lists, with nothing twice, have the same contexts.
func (e ends) equal(f ends) bool {
	for _, c := range f {
		if !e.has(c) {
			return false
		}
	}
	return len(e) == len(f)
}

// joins are contexts that end with the first of several.
type joins struct {
	mu   sync.Mutex
	made []joined
}

// A joined context ends with the first of several.
type joined struct {
	ctx  context.Context
	of   ends
	stop func() // lets go of those
}

// context is the context that ends with the first of e, nil for none. Launches that end with the same contexts have one
// together.
func (j *joins) context(e ends) context.Context {
	switch len(e) {
	case 0:
		return nil
	case 1:
		return e[0]
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, m := range j.made {
		if m.of.equal(e) {
			return m.ctx
		}
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	var stops []func() bool
	for _, end := range e {
		if end.Err() != nil {
			cancel(context.Cause(end)) // now: AfterFunc does it on a goroutine
		}
		stops = append(stops, context.AfterFunc(end, func() { cancel(context.Cause(end)) }))
	}
	stop := func() {
		for _, stop := range stops {
			stop()
		}
		cancel(nil)
	}
	// What they are made of knows ctx, but not the context around it. That one is lost when no launch has it any more.
	around := context.WithValue(ctx, joinedKey{}, nil)
	runtime.SetFinalizer(around, func(context.Context) { stop() })
	j.made = append(j.made, joined{around, e, stop})
	return around
}

type joinedKey struct{}

// stop lets go of the contexts, after the launches that end with them.
func (j *joins) stop() {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, m := range j.made {
		m.stop()
	}
	j.made = nil
}
