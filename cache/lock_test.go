package cache

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/qdgen/qd/internal/testenv"
)

// A lock that is never given back costs the wait and a second build, not the
// result.
func TestWaitForLockEnds(t *testing.T) {
	log := testenv.Logged(t)
	c := open(t, t.TempDir())
	c.lockWait = 50 * time.Millisecond
	if err := c.kept.prepare(); err != nil {
		t.Fatal(err)
	}
	l, state := tryLock(c.kept.lock(key("k")))
	if state != lockHeld {
		t.Fatalf("tryLock: %v", state)
	}
	build(t, c, "k", 100)
	log.Want(t, "another process is still building", key("k").String())
	hit(t, c, "k", 100)
	l.release()
	clean(t, c)
}

// A build that a context bounds waits no longer than that for whoever builds the same module: another process, which
// has the lock, or another goroutine.
func TestBuildWithin(t *testing.T) {
	testenv.Logged(t)
	c := open(t, t.TempDir())
	if err := c.kept.prepare(); err != nil {
		t.Fatal(err)
	}
	why := errors.New("enough")
	never := func() (*Artifact, error) {
		t.Error("it is built after the end")
		return nil, why
	}
	l, state := tryLock(c.kept.lock(key("locked")))
	if state != lockHeld {
		t.Fatalf("tryLock: %v", state)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(20*time.Millisecond, func() { cancel(why) })
	if _, _, err := c.BuildWithin(ctx, key("locked"), never); err != why {
		t.Errorf("while another process builds: %v", err)
	}
	l.release()
	build(t, c, "locked", 100)

	// One that is ended is no error of those who wait and are not: they build it.
	building := make(chan struct{})
	first, cancelFirst := context.WithCancelCause(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() {
		_, _, err := c.BuildWithin(first, key("k"), func() (*Artifact, error) {
			close(building)
			<-first.Done()
			return nil, context.Cause(first)
		})
		if err != why {
			t.Errorf("what is ended: %v", err)
		}
	})
	<-building
	if _, _, err := c.BuildWithin(ctx, key("k"), never); err != why {
		t.Errorf("while another goroutine builds: %v", err)
	}
	wg.Go(func() { build(t, c, "k", 100) })
	for waiting() < 1 {
		time.Sleep(time.Millisecond)
	}
	cancelFirst(why)
	wg.Wait()
	hit(t, c, "k", 100)
	clean(t, c)
}

// Where there are no locks, modules are built without.
func TestNoLocks(t *testing.T) {
	log := testenv.Logged(t)
	c := open(t, t.TempDir())
	if err := c.kept.prepare(); err != nil {
		t.Fatal(err)
	}
	// A directory in the place of the lock's file: it can be opened by nobody.
	if err := os.MkdirAll(filepath.Join(c.kept.lock(key("k")), "x"), dirPerm); err != nil {
		t.Fatal(err)
	}
	e := build(t, c, "k", 100)
	hit(t, c, "k", 100)
	log.WantNone(t)
	if err := os.Truncate(e.Path, 1); err != nil {
		t.Fatal(err)
	}
	build(t, c, "k", 100)
	log.Want(t, "removed a damaged entry")
}

// Without locks, those who build the same module at once all succeed.
func TestNoLocksManyBuilders(t *testing.T) {
	testenv.Logged(t)
	dir := t.TempDir()
	var wg sync.WaitGroup
	for range 8 {
		c := open(t, dir)
		if err := c.kept.prepare(); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Join(c.kept.lock(key("k")), "x"), dirPerm); err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			e, _, err := c.Build(key("k"), func() (*Artifact, error) {
				time.Sleep(time.Millisecond)
				return artifact("k", 10_000), nil
			})
			if err != nil {
				t.Error(err)
				return
			}
			sameData(t, e, "k", 10_000)
		})
	}
	wg.Wait()
	if problems, err := open(t, dir).Verify(); err != nil || len(problems) > 0 {
		t.Errorf("Verify: %+v, %v", problems, err)
	}
}

// The file of a lock is removed when it is released, and yet no two hold one lock.
func TestLockExcludes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.lock")
	var held, doubly atomic.Int64
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for taken := 0; taken < 500; {
				l, state := tryLock(path)
				if state == lockNone {
					t.Error("no lock")
					return
				}
				if state == lockBusy {
					runtime.Gosched() // or the one who has it waits until the scheduler stops the others
					continue
				}
				if held.Add(1) > 1 {
					doubly.Add(1)
				}
				runtime.Gosched()
				held.Add(-1)
				l.release()
				taken++
			}
		})
	}
	wg.Wait()
	if n := doubly.Load(); n > 0 {
		t.Errorf("two held the lock at once, %d times", n)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("the lock's file is left")
	}
}
