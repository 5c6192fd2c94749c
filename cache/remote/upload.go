package remote

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/internal/report"
)

// Uploads go on behind the program's back. What is to be uploaded has a mark, an empty file, in the
// local cache until the remote has it: a program may end at any time, and does not wait. The next
// one goes on where it has ended.

const (
	// markGrace is how long a mark is left to the process that has made it.
	markGrace = 10 * time.Second

	// markLife is after how long a mark is forgotten: the remote has failed all that time.
	markLife = 7 * 24 * time.Hour
)

// uploads are those of a remote.
type uploads struct {
	remote *remote

	mu    sync.Mutex
	queue []cache.Name
	idle  chan struct{} // closed when nothing is to be done; nil before the first upload
	err   error         // why nothing is uploaded any more
	left  int           // what could not be uploaded
}

// Share implements [cache.Remote].
func (r *remote) Share(kind cache.Kind, key cache.Key) {
	if r.ReadOnly {
		return
	}
	n := cache.Name{Kind: kind, Key: key}
	mark(r.local, n)
	r.uploads.add(n)
}

// add adds to the queue, and sees to it that somebody works it off.
func (u *uploads) add(names ...cache.Name) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.err != nil {
		u.left += len(names)
		return
	}
	u.queue = append(u.queue, names...)
	if u.idle == nil || isClosed(u.idle) {
		u.idle = make(chan struct{})
		go u.work()
	}
}

func isClosed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// work uploads until the queue is empty.
func (u *uploads) work() {
	for {
		u.mu.Lock()
		if len(u.queue) == 0 {
			close(u.idle)
			u.mu.Unlock()
			return
		}
		n := u.queue[0]
		u.queue = u.queue[1:]
		u.mu.Unlock()

		down := u.remote.down.Load()
		err := error(nil)
		if down != nil {
			err = down.err // which was told
		} else if err = u.upload(n); err != nil {
			u.remote.down.Store(&failure{err})
		}
		if err != nil {
			u.mu.Lock()
			u.left++
			u.mu.Unlock()
			if u.stop(err) && down == nil {
				slog.Warn("cache: the remote cache does not take what this program has built; it uploads nothing more", "remote", u.remote.URL.String(), "error", err,
					"help", "QD_CACHE_REMOTE_MODE=read uploads nothing")
			}
		}
	}
}

// stop leaves what is to be uploaded to the next process. It reports whether that is news.
func (u *uploads) stop(err error) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	news := u.err == nil
	if news {
		u.err = err
	}
	u.left += len(u.queue)
	u.queue = nil
	return news
}

// upload uploads one thing. The error is that of a remote to which nothing more is to be sent.
func (u *uploads) upload(n cache.Name) error {
	r := u.remote
	p, err := r.local.Pack(n)
	if err != nil {
		unmark(r.local, n) // it is gone
		return nil
	}
	err = r.store(context.Background(), p)
	status := (*statusError)(nil)
	switch {
	case err == nil:
		r.count(uploaded)
		r.missed.Delete(cache.Name{Kind: p.Kind, Key: p.Key})
	case errors.As(err, &status) && status.status == http.StatusRequestEntityTooLarge:
		report.Info("cache: the remote cache does not take this: it is too large", "kind", string(n.Kind), "key", n.Key.Short())
	default:
		r.count(failures)
		return err
	}
	unmark(r.local, n)
	return nil
}

// flush waits until the queue is empty.
func (u *uploads) flush(ctx context.Context) error {
	u.mu.Lock()
	idle := u.idle
	u.mu.Unlock()
	if idle != nil {
		select {
		case <-idle:
		case <-ctx.Done():
		}
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.left > 0 {
		return fmt.Errorf("%d entries are not in the remote cache: %w", u.left, u.err)
	}
	if u.idle != nil && !isClosed(u.idle) {
		return fmt.Errorf("%d entries are not in the remote cache yet: %w", len(u.queue)+1, ctx.Err())
	}
	return nil
}

const marksName = "waiting"

// markPath is the file of a mark, "" if there is no place for it.
func markPath(c *cache.Cache, n cache.Name) string {
	dir := c.RemoteDir()
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, marksName, string(n.Kind)+"-"+n.Key.String())
}

// mark notes that something is to be uploaded. Without a place for it, that is known to this
// process alone.
func mark(c *cache.Cache, n cache.Name) {
	path := markPath(c, n)
	if path == "" {
		return
	}
	if os.WriteFile(path, nil, 0o600) != nil && os.MkdirAll(filepath.Dir(path), 0o700) == nil {
		_ = os.WriteFile(path, nil, 0o600)
	}
}

func unmark(c *cache.Cache, n cache.Name) {
	if path := markPath(c, n); path != "" {
		_ = os.Remove(path)
	}
}

// A marked is something with a mark.
type marked struct {
	cache.Name
	since time.Time
}

// marks lists what has a mark.
func marks(dir string) (list []marked) {
	entries, err := os.ReadDir(filepath.Join(dir, marksName))
	if err != nil {
		return nil
	}
	for _, e := range entries {
		kind, hex, _ := strings.Cut(e.Name(), "-")
		key, err := cache.ParseKey(hex)
		info, gone := e.Info()
		if err == nil && gone == nil {
			list = append(list, marked{cache.Name{Kind: cache.Kind(kind), Key: key}, info.ModTime()})
		}
	}
	return list
}

// resume goes on with what other processes have left.
func (u *uploads) resume() {
	dir := u.remote.local.RemoteDir()
	if dir == "" || u.remote.ReadOnly {
		return
	}
	var names []cache.Name
	for _, m := range marks(dir) {
		switch age := time.Since(m.since); {
		case age > markLife:
			unmark(u.remote.local, m.Name)
		case age > markGrace:
			names = append(names, m.Name)
		}
	}
	if len(names) > 0 {
		u.add(names...)
	}
}
