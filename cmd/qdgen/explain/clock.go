package explain

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/qdgen/qd/internal/processor"
)

// What processor time goes into.
const (
	Packages  = "packages"  // to find, parse and type-check Go packages
	Stages    = "stages"    // to take kernels through their pipelines, and to note what happens
	Compilers = "compilers" // to compile and to disassemble: clang and nvdisasm are processes of their own, NVRTC is a library
	Reading   = "reading"   // to read what compilers have written
	Writing   = "page"      // to colour and to pack the page
	Revision  = "revision"  // all of it for the other revision, in another process
)

// A Clock tells into what processor time goes. The nil Clock tells nothing.
type Clock struct {
	own, others time.Duration // at the end of the last lap
	laps        []lap
}

type lap struct {
	what        string
	own, others time.Duration // of this process, and of those that it has started
}

// NewClock is a clock that has just started.
func NewClock() *Clock { return &Clock{own: processor.Own(), others: processor.Children()} }

// Lap notes what the time since the last lap was for.
func (c *Clock) Lap(what string) {
	if c == nil {
		return
	}
	own, others := processor.Own(), processor.Children()
	i := slices.IndexFunc(c.laps, func(l lap) bool { return l.what == what })
	if i < 0 {
		i = len(c.laps)
		c.laps = append(c.laps, lap{what: what})
	}
	c.laps[i].own += own - c.own
	c.laps[i].others += others - c.others
	c.own, c.others = own, others
}

// String tells the time of qdgen itself, with what it is made of, that of compilers, and that of other processes: those
// of the go command.
func (c *Clock) String() string {
	var own, compilers, others time.Duration
	var parts []string
	for _, l := range c.laps {
		if l.what == Compilers {
			compilers += l.own + l.others
			continue
		}
		own += l.own
		others += l.others
		parts = append(parts, fmt.Sprintf("%s %.2f", l.what, l.own.Seconds()))
	}
	return fmt.Sprintf("processor time: qdgen %.2f s (%s), compilers %.2f s, other processes %.2f s", own.Seconds(), strings.Join(parts, ", "), compilers.Seconds(), others.Seconds())
}
