package report

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
)

const (
	patience    = 700 * time.Millisecond // what ends before is not worth a word
	redrawEvery = 100 * time.Millisecond // from one picture of the bar to the next
	barWidth    = 30
)

// A Progress is a bar on the terminal that shows how far something long has come. A nil Progress shows nothing. It is
// safe for use by several goroutines at once.
type Progress struct {
	w     io.Writer
	what  string
	total int
	now   func() time.Time

	mu    sync.Mutex
	done  int
	start time.Time
	drawn time.Time // when the line on the screen was drawn, zero for none
	width int       // of that line
}

// NewProgress is a bar of so many steps on standard error, nil if that is no terminal.
func NewProgress(what string, steps int) *Progress {
	if info, err := os.Stderr.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return nil
	}
	return newProgress(os.Stderr, what, steps, time.Now)
}

func newProgress(w io.Writer, what string, steps int, now func() time.Time) *Progress {
	return &Progress{w: w, what: what, total: steps, now: now, start: now()}
}

// Step notes that so many steps more are done.
func (p *Progress) Step(n int) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done = min(p.done+n, p.total)
	now := p.now()
	if now.Sub(p.start) < patience || now.Sub(p.drawn) < redrawEvery {
		return
	}
	p.drawn = now
	full := barWidth * p.done / max(p.total, 1)
	line := fmt.Sprintf("qd: %s [%s%s] %d%%, %v", p.what, strings.Repeat("#", full), strings.Repeat(".", barWidth-full), 100*p.done/max(p.total, 1), now.Sub(p.start).Round(time.Second/10))
	fmt.Fprintf(p.w, "\r%-*s", p.width, line)
	p.width = len(line)
}

// End takes the bar off the screen.
func (p *Progress) End() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.width > 0 {
		fmt.Fprintf(p.w, "\r%*s\r", p.width, "")
		p.width = 0
	}
}
