package remote

import (
	"context"
	"sync"
	"time"
)

// A patience bounds for how long a process waits in vain for a remote: in all, however many ask it
// how often. Each hit sets the account back, since the remote has just saved a run of a compiler.
// Times during which several wait count once. Once the patience is gone, or the remote has failed,
// nobody asks it again.
type patience struct {
	mu      sync.Mutex
	full    time.Duration
	left    time.Duration
	pending int       // how many are waiting
	since   time.Time // from when on their time counts
	over    bool
	now     func() time.Time
}

func newPatience(full time.Duration) *patience {
	return &patience{full: full, left: full, now: time.Now}
}

// begin begins to wait, for as long as the context lasts, which is left. It reports whether to ask at
// all.
func (p *patience) begin() (ctx context.Context, cancel context.CancelFunc, left time.Duration, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over {
		return nil, nil, 0, false
	}
	now := p.now()
	if p.pending == 0 {
		p.since = now
	}
	p.pending++
	left = p.left - now.Sub(p.since)
	ctx, cancel = context.WithTimeout(context.Background(), left)
	return ctx, cancel, left, true
}

// end ends a wait. It reports whether the patience has just come to its end.
func (p *patience) end(hit bool) (ended bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pending--
	now := p.now()
	if hit {
		p.left, p.since = p.full, now
		return false
	}
	waited := now.Sub(p.since)
	if p.pending == 0 {
		p.left -= waited
		waited = 0
	}
	ended = !p.over && p.left <= waited
	p.over = p.over || ended
	return ended
}

// stop ends the patience.
func (p *patience) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.over = true
}

// asks reports whether the remote is still asked.
func (p *patience) asks() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return !p.over
}
