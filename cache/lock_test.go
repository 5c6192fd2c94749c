package cache

import (
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
