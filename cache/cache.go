package cache

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"
	"time"

	"github.com/qdgen/qd/internal/memo"
)

// A Cache is a directory of modules. All methods can be called from many
// goroutines, and any number of processes can use one directory.
type Cache struct {
	dir      string // "" if there is none
	kept     *store // nil if nothing can be kept; disabled says why
	disabled error  // nil, ErrOff or a *PlaceError
	limit    int64  // of the size on disk; 0 is none

	temporary temporary                 // where artifacts go that cannot be kept
	flights   memo.Flights[Key, *Entry] // builds of this process
	warning   sync.Once
	remote    remoteOnce
	trim      trimState

	lockWait time.Duration
	turns    memo.Map[Key, *sync.Mutex] // of Alone and EditNote
}

// Open opens the cache in dir; "" stands for the directory that QD_CACHE names, or else for qdgen
// in the user's cache directory. Nothing is created or read before it is needed. A directory that
// cannot be used is not an error: the cache then keeps nothing, and says so when it is first used.
// The error is a *SizeError; Open then also returns a cache of the default size.
func Open(dir string) (*Cache, error) {
	limit, err := parseSize(os.Getenv("QD_CACHE_SIZE"))
	if err != nil {
		limit = defaultSize
	}
	c := &Cache{limit: limit, lockWait: lockWait, remote: remoteOnce{wanted: dir == ""}}
	c.dir, c.disabled = place(dir)
	if c.disabled == nil {
		c.kept = newStore(c.dir)
	}
	return c, err
}

// place is the directory that Open is asked for, and why it cannot be used.
func place(dir string) (string, error) {
	if dir == "" {
		dir = os.Getenv("QD_CACHE")
		if dir == "off" {
			return "", ErrOff
		}
	}
	if dir == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return "", &PlaceError{Err: err}
		}
		dir = filepath.Join(user, "qdgen")
	}
	// Artifacts are named to the system's loader, which searches for relative
	// names, and the program may change its directory.
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", &PlaceError{Dir: dir, Err: err}
	}
	if info, err := os.Stat(abs); err == nil && !info.IsDir() {
		return abs, &PlaceError{Dir: abs, Err: errors.New("it is a file, not a directory")}
	} else if errors.Is(err, syscall.ENOTDIR) {
		return abs, &PlaceError{Dir: abs, Err: errors.New("a part of its path is not a directory")}
	}
	// Who can write here can have their code run. /tmp itself, where only owners
	// can rename, is no danger.
	for _, d := range []string{abs, newStore(abs).root} {
		info, err := os.Stat(d)
		if err != nil || runtime.GOOS == "windows" {
			continue
		}
		if info.Mode().Perm()&0o002 != 0 && info.Mode()&os.ModeSticky == 0 {
			return abs, &PlaceError{Dir: abs, Err: fmt.Errorf("everybody can write to %s, and so could run code in your programs; remove that permission (chmod o-w)", d)}
		}
	}
	return abs, nil
}

// Dir is the directory of the cache, "" if there is none.
func (c *Cache) Dir() string { return c.dir }

// Disabled says why nothing can be kept: ErrOff, a *PlaceError, or nil if the cache has a
// directory. Whether it can be written to is only known after a write.
func (c *Cache) Disabled() error { return c.disabled }

// Get returns the verified entry of a second key, and records its use. The error is ErrMiss if
// there is none. If the entry is damaged, Get warns, removes it, and returns ErrMiss.
func (c *Cache) Get(key Key) (*Entry, error) {
	if e := c.temporary.get(key); e != nil {
		return e, nil
	}
	if c.kept == nil {
		return nil, ErrMiss
	}
	e, err := c.kept.check(key)
	if err == nil && !c.Trusts(e.Origin) {
		err = errUntrusted
	}
	if err != nil && !errors.Is(err, ErrMiss) {
		// The lock is for those who repair at the same time: none of them may take
		// the other's new entry for the damaged one. Where it is busy, somebody
		// else is at it.
		if l, state := tryLock(c.kept.lock(key)); state != lockBusy {
			e, err = c.recheck(key)
			if l != nil {
				l.release()
			}
		}
	}
	if err != nil {
		return nil, ErrMiss
	}
	c.kept.touch(e)
	return e, nil
}

// recheck looks again at an entry, with its lock held, and removes it if it is
// damaged. The error is ErrMiss.
func (c *Cache) recheck(key Key) (*Entry, error) {
	e, err := c.kept.check(key)
	if err == nil && !c.Trusts(e.Origin) {
		slog.Warn("cache: removed a module of a remote cache that is not signed with a public key of QD_CACHE_KEY", "module", key.String(), "remote", e.Origin.URL)
		_ = c.kept.discard(c.kept.module(key))
		return nil, ErrMiss
	}
	if err == nil || errors.Is(err, ErrMiss) {
		return e, err
	}
	warnDamage("entry", key, err, c.kept.discard(c.kept.module(key)))
	return nil, ErrMiss
}

// warnDamage reports what was found damaged, and whether it could be removed.
func warnDamage(what string, key Key, err, removal error) {
	if removal != nil {
		slog.Warn("cache: a damaged "+what+" cannot be removed; continuing without it", what, key.String(), "problem", err, "error", removal)
		return
	}
	slog.Warn("cache: removed a damaged "+what+"; it will be built again", what, key.String(), "problem", err)
}

// warnPlace reports once that nothing can be kept. That the user has switched the
// cache off is no news.
func (c *Cache) warnPlace(err error) {
	if errors.Is(err, ErrOff) {
		return
	}
	c.warning.Do(func() {
		var placeErr *PlaceError
		if !errors.As(err, &placeErr) {
			err = &PlaceError{Dir: c.dir, Err: err}
		}
		slog.Warn("cache: what this run builds and measures is not kept; the next run does it again", "error", err)
	})
}

// Source returns the code that a module was built from. The error is ErrMiss or a *DamageError;
// nothing is removed.
func (c *Cache) Source(key Key) (string, error) {
	text, err := c.temporary.source(key)
	if err != nil && c.kept != nil {
		text, err = c.kept.source(key)
	}
	return text, err
}

// Close removes the modules that Build had to put into temporary directories. Call it when
// none of the modules is needed any more. If a program ends without it, the next program that needs
// such a directory removes them.
func (c *Cache) Close() error { return c.temporary.close() }
