package cache

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"time"

	"github.com/gofrs/flock"

	"github.com/qdgen/qd/internal/report"
)

const (
	// lockWait bounds the wait for another builder. No compiler takes that long
	// for a module; a builder that was suspended may.
	lockWait = 10 * time.Minute

	// lockNotice is how long a wait is before it is mentioned.
	lockNotice = 2 * time.Second

	lockPollMin = 500 * time.Microsecond
	lockPollMax = 20 * time.Millisecond
)

// A fileLock is a lock across processes, held until release. The operating
// system frees it when the process ends, however it ends.
type fileLock struct {
	flock *flock.Flock
}

// lockState is how an attempt to lock ended.
type lockState int

const (
	lockHeld lockState = iota // it is ours
	lockBusy                  // somebody else has it
	lockNone                  // it cannot be had: no locks here, or no permission
)

// tryLock attempts to take the lock of a path once. Its directory has to exist.
func tryLock(path string) (*fileLock, lockState) {
	// Locks of some network file systems need a file that is open for writing.
	l := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(filePerm))
	locked, err := l.TryLock()
	switch {
	case err != nil:
		return nil, lockNone
	case !locked:
		return nil, lockBusy
	}
	// The holder before us removes the file while it holds the lock, so the file
	// that we have locked may be one that nobody finds any more.
	ours, err := l.Stat()
	if err == nil {
		var named os.FileInfo
		if named, err = os.Stat(path); err == nil && os.SameFile(ours, named) {
			return &fileLock{flock: l}, lockHeld
		}
	}
	_ = l.Unlock()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, lockNone
	}
	return nil, lockBusy
}

// release gives the lock up and removes its file, so that a cache does not fill
// with the locks of all that was ever built. On Windows an open file cannot be
// removed; sweep does it later.
func (l *fileLock) release() {
	_ = os.Remove(l.flock.Path())
	_ = l.flock.Unlock()
}

// waitLock takes the lock of a path, waiting for another holder up to wait, and no
// longer than a context lasts. It gives nil when there is no lock to be had: whoever
// locks here only saves work by it, and goes on without.
func waitLock(ctx context.Context, path string, wait time.Duration, doing string, what slog.Attr) *fileLock {
	start := time.Now()
	noticed := false
	for poll := lockPollMin; ; poll = min(2*poll, lockPollMax) {
		l, state := tryLock(path)
		switch state {
		case lockHeld:
			return l
		case lockNone:
			return nil
		}
		waited := time.Since(start)
		if waited >= wait {
			slog.Warn("cache: another process is still "+doing+"; doing it here too", what, "waited", waited.Round(time.Second))
			return nil
		}
		if !noticed && waited >= lockNotice {
			noticed = true
			report.Info("cache: waiting for another process that is "+doing, what)
		}
		select {
		case <-time.After(poll):
		case <-ctx.Done():
			return nil
		}
	}
}
