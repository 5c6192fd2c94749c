package remote

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/internal/report"
)

func init() { cache.Register(cache.Transport{Open: open, Trusts: trusts}) }

// A remote is the remote cache of a Cache, as programs use it.
type remote struct {
	*peer
	local   *cache.Cache
	uploads uploads
}

// A peer is the other side, of which a process has one, however many Caches it opens: so has its
// patience.
type peer struct {
	*client
	patience *patience
	missed   sync.Map  // cache.Name -> true: what this process has asked for in vain
	unsigned sync.Once // says that an entry is not signed
	failed   sync.Once // says that the remote has failed
	down     atomic.Pointer[failure]
}

// A failure is why nothing more is sent.
type failure struct{ err error }

// opened are the remotes of this process, for Flush, and their peers by the settings.
var opened struct {
	sync.Mutex
	list  []*remote
	peers map[string]*peer
}

// open opens the remote that the environment names. Nothing is sent yet.
func open(local *cache.Cache) cache.Remote {
	config, err := FromEnvironment()
	if err != nil {
		slog.Warn("cache: the remote cache is not used", "error", err)
		return nil
	}
	if config == nil {
		return nil
	}
	return newRemote(local, config)
}

func newRemote(local *cache.Cache, config *Config) *remote {
	r := &remote{local: local}
	r.uploads.remote = r
	settings := fmt.Sprint(config.URL, config.ReadOnly, config.Wait, config.token, config.user, config.password, os.Getenv("QD_CACHE_KEY"))
	opened.Lock()
	opened.list = append(opened.list, r)
	if r.peer = opened.peers[settings]; r.peer == nil {
		r.peer = &peer{client: newClient(config), patience: newPatience(config.Wait)}
		if opened.peers == nil {
			opened.peers = map[string]*peer{}
		}
		opened.peers[settings] = r.peer
	}
	opened.Unlock()
	r.uploads.resume()
	return r
}

// Fetch implements [cache.Remote].
func (r *remote) Fetch(kind cache.Kind, key cache.Key) *cache.Parcel {
	name := cache.Name{Kind: kind, Key: key}
	if _, ok := r.missed.Load(name); ok {
		return nil
	}
	ctx, cancel, left, ok := r.patience.begin()
	if !ok {
		return nil
	}
	defer cancel()
	p, err := r.fetch(ctx, kind, key)
	ended := r.patience.end(err == nil)
	unsigned := (*unsignedError)(nil)
	late := err != nil && ctx.Err() != nil
	switch {
	case err == nil:
		r.count(hits)
		report.Info("cache: found in the remote cache", "kind", string(kind), "key", key.Short())
		return p
	case late && left < r.Wait/2:
		// That a remote does not answer in the rest of the time is no fault: most of it was spent on answers.
		r.count(misses)
		r.patience.stop()
		ended = true
	case errors.Is(err, errMissing):
		r.count(misses)
	case errors.As(err, &unsigned):
		r.count(misses)
		r.unsigned.Do(func() {
			slog.Warn("cache: an entry of the remote cache is not used", "remote", r.URL.String(), "kind", string(kind), "key", key.Short(), "error", err)
		})
	default:
		r.count(failures)
		r.patience.stop()
		switch {
		case late:
			// Uploads have time.
			err = fmt.Errorf("it has not answered within %v; QD_CACHE_REMOTE_WAIT gives it more time", left.Round(time.Millisecond))
		case !errors.As(err, new(*damageError)):
			// What is built in place of something damaged is to replace it. Else it is for the next process.
			r.down.Store(&failure{err})
			r.uploads.stop(err)
		}
		r.failed.Do(func() {
			slog.Warn("cache: the remote cache has failed; this program does not ask it again", "remote", r.URL.String(), "error", err)
		})
		return nil
	}
	r.missed.Store(name, true)
	if ended {
		report.Info("cache: the remote cache is not asked any more: it had nothing for this program", "remote", r.URL.String(), "waited", r.Wait)
	}
	return nil
}

// A counter is one of the numbers that are kept over processes: a file with one byte for each.
type counter struct {
	name  string
	count *atomic.Int64
}

var (
	hits     = counter{"hits", &cache.RemoteCount.Hits}
	misses   = counter{"misses", &cache.RemoteCount.Misses}
	failures = counter{"failures", &cache.RemoteCount.Failures}
	uploaded = counter{"uploads", &cache.RemoteCount.Uploads}
)

// count counts one. Appending a byte needs no lock.
func (r *remote) count(c counter) {
	c.count.Add(1)
	dir := r.local.RemoteDir()
	if dir == "" {
		return
	}
	path := filepath.Join(dir, c.name)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil && os.MkdirAll(dir, 0o700) == nil {
		f, err = os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	}
	if err != nil {
		return // a full or read-only disk
	}
	_, _ = f.Write([]byte{'\n'})
	_ = f.Close()
}

// Totals are what all programs on this machine have had of remote caches, since the local cache was
// cleared.
type Totals struct {
	Hits     int64 `json:"hits"`
	Misses   int64 `json:"misses"`
	Failures int64 `json:"failures"`
	Uploads  int64 `json:"uploads"`
	Waiting  int64 `json:"waiting"` // to be uploaded
}

// TotalsOf reads the totals of a cache.
func TotalsOf(c *cache.Cache) (t Totals) {
	dir := c.RemoteDir()
	if dir == "" {
		return t
	}
	for _, n := range []struct {
		counter
		to *int64
	}{{hits, &t.Hits}, {misses, &t.Misses}, {failures, &t.Failures}, {uploaded, &t.Uploads}} {
		if info, err := os.Stat(filepath.Join(dir, n.name)); err == nil {
			*n.to = info.Size()
		}
	}
	t.Waiting = int64(len(marks(dir)))
	return t
}

// Flush waits until everything that this process has built is in the remote cache, or the context
// ends. The error says what is not. A program that ends without it loses nothing that stays on its
// machine: the next program uploads it.
func Flush(ctx context.Context) error {
	opened.Lock()
	list := opened.list
	opened.Unlock()
	var errs []error
	for _, r := range list {
		errs = append(errs, r.uploads.flush(ctx))
	}
	return errors.Join(errs...)
}
