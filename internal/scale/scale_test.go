package scale

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/cover"

	"github.com/qdgen/qd/frontend/load"
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
	for i, s := range Shapes() {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			sizes := s.sizes()
			before := c.counted(t, i, sizes[0])
			for k, size := range sizes[1:] {
				after := c.counted(t, i, size)
				if s.Dense {
					// A value needs a set of all that are live with it, with 64 in a word.
					maps.DeleteFunc(after, func(at string, _ int) bool { return strings.HasPrefix(at, "ssa/analysis/live/set.go:") })
				}
				if slow := before.slower(after, sizes[k], size); len(slow) > 0 {
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

// Steps are how often pieces of the compiler have run, by where they stand.
type steps map[string]int

// A counter is the compiler built with counters.
type counter struct {
	dir     string // for what it makes
	program string
	lib     string // the folder with package qd
	covdata string // the tool that reads what has been counted
}

func newCounter(t *testing.T) *counter {
	t.Helper()
	dir := t.TempDir()
	c := &counter{dir: dir, program: filepath.Join(dir, "steps.exe"), lib: filepath.Join(dir, "qd"), covdata: filepath.Join(dir, "covdata.exe")}
	command(t, dir, "go", "build", "-cover", "-covermode=atomic", "-coverpkg=github.com/qdgen/qd/...", "-ldflags=-s -w", "-o", c.program, "./steps")
	// To find the tool takes go tool covdata longer than the tool itself takes.
	command(t, dir, "go", "build", "-ldflags=-s -w", "-o", c.covdata, "cmd/covdata")
	lib, err := library.Sources().Package(load.QDPath)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range lib.Files {
		name := filepath.Join(c.lib, filepath.Base(f.Name))
		if err := errors.Join(os.MkdirAll(c.lib, 0o777), os.WriteFile(name, f.Src, 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// counted compiles a shape and counts.
func (c *counter) counted(t *testing.T, shape, size int) steps {
	t.Helper()
	dir := filepath.Join(c.dir, strconv.Itoa(shape), strconv.Itoa(size))
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	command(t, t.TempDir(), c.program, c.lib, strconv.Itoa(shape), strconv.Itoa(size), dir)
	text := filepath.Join(dir, "counts.txt")
	command(t, dir, c.covdata, "textfmt", "-i", dir, "-o", text)
	profiles, err := cover.ParseProfiles(text)
	if err != nil {
		t.Fatal(err)
	}
	counts := steps{}
	for _, p := range profiles {
		name := strings.TrimPrefix(p.FileName, "github.com/qdgen/qd/")
		for _, b := range p.Blocks {
			counts[fmt.Sprintf("%s:%d", name, b.StartLine)] += b.Count
		}
	}
	return counts
}

// command runs a command, which has the folder for what it writes on its own.
func command(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOCOVERDIR="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, out)
	}
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
