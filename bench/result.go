package main

import (
	"fmt"
	"strings"
	"time"
)

// A result is one measured ratio, or one measured time with nothing beside it.
type result struct {
	name   string
	ours   time.Duration
	theirs time.Duration // 0 where there is no other side
	allocs int64         // in one turn; counted where the bound is about them
	bytes  int64         // of a result that is a size and no time
	bound  bound
	note   string
}

// A bound is what the project has set itself; the zero bound is none.
type bound struct {
	ratio    float64 // of the two sides' times; 0 for none
	time     time.Duration
	more     time.Duration // than the other side
	noAllocs bool
	bytes    int64
}

// String is the bound as the table shows it.
func (b bound) String() string {
	var parts []string
	if b.ratio != 0 {
		parts = append(parts, fmt.Sprintf("<= %.3f", b.ratio))
	}
	if b.time != 0 {
		parts = append(parts, "<= "+show(b.time))
	}
	if b.more != 0 {
		parts = append(parts, "<= "+show(b.more)+" more")
	}
	if b.noAllocs {
		parts = append(parts, "no allocation")
	}
	if b.bytes != 0 {
		parts = append(parts, "<= "+megabytes(b.bytes))
	}
	return strings.Join(parts, ", ")
}

// ratio is how many times as long qdgen takes; 0 where there is no other side.
func (r result) ratio() float64 {
	if r.theirs == 0 {
		return 0
	}
	return r.ours.Seconds() / r.theirs.Seconds()
}

// broken reports whether the result is out of its bound.
func (r result) broken() bool {
	return r.bound.ratio != 0 && r.ratio() > r.bound.ratio ||
		r.bound.time != 0 && r.ours > r.bound.time ||
		r.bound.more != 0 && r.ours-r.theirs > r.bound.more ||
		r.bound.noAllocs && r.allocs != 0 ||
		r.bound.bytes != 0 && r.bytes > r.bound.bytes
}

// row is a line of the table: name, both times, their ratio, the bound.
const row = "%-34s %14s %14s %8s   %s\n"

// String is the result's line of the table, and one more for its note. A bound that
// is broken is marked.
func (r result) String() string {
	ours, ratio, bound := show(r.ours), "", r.bound.String()
	if r.bytes != 0 {
		ours = megabytes(r.bytes)
	}
	if r.theirs != 0 {
		ratio = fmt.Sprintf("%.3f", r.ratio())
	}
	if r.broken() {
		bound += " !"
	}
	note := r.note
	if r.bound.noAllocs && r.allocs != 0 {
		note = fmt.Sprintf("%d allocations", r.allocs)
	}
	line := fmt.Sprintf(row, r.name, ours, show(r.theirs), ratio, bound)
	if note != "" {
		line += "    " + note + "\n"
	}
	return line
}

func megabytes(n int64) string { return fmt.Sprintf("%.2f MB", float64(n)/1e6) }

// show prints a duration; none, 0, is blank.
func show(d time.Duration) string {
	switch {
	case d == 0:
		return ""
	case d < 10*time.Microsecond:
		return fmt.Sprintf("%d ns", d.Nanoseconds())
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%.3f ms", d.Seconds()*1e3)
	}
	return fmt.Sprintf("%.1f ms", d.Seconds()*1e3)
}
