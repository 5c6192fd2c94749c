package cache

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
)

// Build returns the entry of a second key, and whether it was a hit, here or in the remote. On a miss it calls build
// and stores the result; others that ask for the key meanwhile, in this process or another, wait. An error of build is
// returned unchanged, also to those that waited in this process, and nothing is stored. Other errors are *FullError. If
// the cache cannot be written to, Build only warns.
func (c *Cache) Build(key Key, build func() (*Artifact, error)) (*Entry, bool, error) {
	return c.BuildWithin(context.Background(), key, build)
}

// BuildWithin is Build that waits for others no longer than a context lasts, and returns the context's error then. build
// has to end with the context by itself. Others who wait for the same key then build it.
func (c *Cache) BuildWithin(ctx context.Context, key Key, build func() (*Artifact, error)) (*Entry, bool, error) {
	for {
		if e, err := c.Get(key); err == nil {
			return e, true, nil
		}
		f, first := c.flights.join(key)
		if first {
			return c.buildFirst(ctx, key, f, build)
		}
		select {
		case <-f.done:
		case <-ctx.Done():
			return nil, false, context.Cause(ctx)
		}
		if f.err != nil && !f.ended {
			return nil, false, f.err
		}
		// It is stored now. Should the builder have panicked or been ended, or should
		// the entry be gone again, this turn or the next finds that out.
	}
}

// buildFirst is Build for the first of this process to ask for the key.
func (c *Cache) buildFirst(ctx context.Context, key Key, f *flight, build func() (*Artifact, error)) (e *Entry, hit bool, err error) {
	// Also when build panics: whoever waits then builds on their own.
	defer func() {
		f.ended = ctx.Err() != nil
		c.flights.leave(key, f, err)
	}()

	if c.kept == nil {
		c.warnPlace(c.disabled)
	} else {
		// Without a place for locks there is none to store in: install says so.
		_ = c.kept.prepare()
		if l := waitLock(ctx, c.kept.lock(key), c.lockWait, "building this module", slog.String("key", key.String())); l != nil {
			defer l.release()
		} else if ctx.Err() != nil {
			return nil, false, context.Cause(ctx)
		}
		if e, err = c.recheck(key); err == nil {
			c.kept.touch(e)
			return e, true, nil
		}
	}
	// Another goroutine may have built it between our Get and our turn.
	if e = c.temporary.get(key); e != nil {
		return e, true, nil
	}
	if e, err := c.fetch(key); err == nil {
		return e, true, nil
	}
	a, err := build()
	if err != nil {
		return nil, false, err
	}
	a.mustBeValid()
	if e, err = c.put(key, a); err == nil {
		c.share(KindModule, key)
	}
	return e, false, err
}

// put stores an artifact where it can be stored.
func (c *Cache) put(key Key, a *Artifact) (*Entry, error) {
	refused := c.disabled
	if c.kept != nil {
		var e *Entry
		if e, refused = c.kept.install(key, a); refused == nil {
			c.grown(e.Size)
			return e, nil
		}
		c.warnPlace(refused)
	}
	e, err := c.temporary.install(key, a)
	if err != nil {
		return nil, &FullError{Key: key, Kernel: a.Kernel, Reasons: errors.Join(refused, err)}
	}
	return e, nil
}

// mustBeValid checks what only a mistake in qdgen can make wrong.
func (a *Artifact) mustBeValid() {
	switch {
	case a == nil:
		panic("BUG: a build that gave neither an artifact nor an error")
	case !validExt.MatchString(a.Ext):
		panic(fmt.Sprintf("BUG: %q is not the extension of an artifact", a.Ext))
	case a.Meta != nil && !json.Valid(a.Meta):
		panic("BUG: the Meta of an artifact is not JSON")
	}
}

// flights are the builds that go on in this process. Goroutines wait for one
// another here, without polling; processes at the lock.
type flights struct {
	mu    sync.Mutex
	going map[Key]*flight
}

// A flight is one build.
type flight struct {
	done  chan struct{}
	err   error // of the build; to be read after done
	ended bool  // the context of the build has ended, so err may be the context's; to be read after done
}

// join gives the flight of a key, and whether it is the caller's own to fly.
func (fs *flights) join(key Key) (f *flight, first bool) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if f := fs.going[key]; f != nil {
		return f, false
	}
	if fs.going == nil {
		fs.going = map[Key]*flight{}
	}
	f = &flight{done: make(chan struct{})}
	fs.going[key] = f
	return f, true
}

// leave ends a flight.
func (fs *flights) leave(key Key, f *flight, err error) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	delete(fs.going, key)
	f.err = err
	close(f.done)
}
