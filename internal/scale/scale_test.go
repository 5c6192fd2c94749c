package scale

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/qdgen/qd/internal/library"
)

// The steps to compile a kernel grow as the kernel does: each piece of the compiler's code
// runs at most some times as often as the kernel has become larger. Steps are counted and
// not timed, so that a machine that does other things at the same time changes nothing.
func TestLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the compiler with counters")
	}
	c := newCounter(t)
	t.Run("counts", c.compareCounts)
	for i, s := range Shapes() {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			sizes := s.sizes()
			before := c.counted(t, i, sizes[0])
			for k, size := range sizes[1:] {
				after := c.counted(t, i, size)
				if slow := c.slower(t, s, before, after, sizes[k], size); len(slow) > 0 {
					t.Errorf("these run too often for %d in place of %d:\n%s", size, sizes[k], strings.Join(slow, "\n"))
					break // the next size may take without end
				}
				before = after
			}
		})
	}
}

// sizes are those to compare.
func (s Shape) sizes() []int {
	if s.Turns != nil {
		return s.Turns
	}
	return []int{150, 1200}
}

const (
	// slack is how many times more than in proportion a piece may run: some sort what
	// they have, others stop sooner where there is little.
	slack = 3

	// few is how often per turn a piece of the compiler may run without a look at how often
	// it did for a smaller kernel.
	few = 20
)

// slower are the pieces that run more often than the growth from one size to another lets
// them, the worst first.
func (s steps) slower(after steps, from, to int) []string {
	type piece struct {
		at   string
		over float64
	}
	var slow []piece
	for at, n := range after {
		allowed := slack * max(s[at], few*from) * to / from
		if n > allowed {
			slow = append(slow, piece{at, float64(n) / float64(allowed)})
		}
	}
	slices.SortFunc(slow, func(a, b piece) int {
		return cmp.Or(cmp.Compare(b.over, a.over), cmp.Compare(a.at, b.at))
	})
	var lines []string
	for _, p := range slow[:min(len(slow), 10)] {
		lines = append(lines, fmt.Sprintf("%s: %d times, and %d", p.at, s[p.at], after[p.at]))
	}
	return lines
}

// Compilers nest no more than some 256 brackets.
func TestNesting(t *testing.T) {
	for _, s := range Long {
		text, err := s.Compile(400, library.Sources())
		if err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
		if d := nesting(text); d > 20 {
			t.Errorf("%s: brackets are nested %d deep", s.Name, d)
		}
	}
}

var comments = regexp.MustCompile(`//.*`)

// nesting is how deep a text nests brackets.
func nesting(text string) int {
	depth, most := 0, 0
	for _, r := range comments.ReplaceAllString(text, "") {
		switch r {
		case '{', '(', '[':
			depth++
			most = max(most, depth)
		case '}', ')', ']':
			depth--
		}
	}
	return most
}
