package cache

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
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
		hit := false
		e, mine, err := c.flights.Do(ctx, key, func() (e *Entry, err error) {
			e, hit, err = c.buildFirst(ctx, key, build)
			return e, err
		})
		if mine || err != nil {
			return e, hit, err
		}
		// It is stored now. Should the entry be gone again, the next turn finds that out.
	}
}

// buildFirst is Build for the first of this process to ask for the key.
func (c *Cache) buildFirst(ctx context.Context, key Key, build func() (*Artifact, error)) (e *Entry, hit bool, err error) {
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
