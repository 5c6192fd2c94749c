package scale

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/emit"
	"github.com/qdgen/qd/emit/cpp"
	"github.com/qdgen/qd/emit/cuda"
	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/ssa"
)

// The time that each phase of the compiler takes grows as the function does. Of eight
// times the turns a phase that is quadratic takes 64 times as long.
func TestLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	const (
		turns, factor = 400, 8
		limit         = 3 * factor // caches and the garbage collector make it more than the factor
		enough        = 20 * time.Millisecond
	)
	for _, s := range Shapes {
		t.Run(s.Name, func(t *testing.T) {
			measure(t, s, turns)
			var slow []string
			for range 3 { // a machine that others use too may be slow once
				slow = nil
				few, many := measure(t, s, turns), measure(t, s, turns*factor)
				for _, p := range many {
					before := p.time
					if i := slices.IndexFunc(few, func(q phase) bool { return q.name == p.name }); i >= 0 {
						before = max(few[i].time, time.Millisecond/2)
					}
					t.Logf("%-10s %10v %10v", p.name, before, p.time)
					if p.time > enough && p.time > limit*before {
						slow = append(slow, fmt.Sprintf("%s: %v for %d turns, %v for %d", p.name, before, turns, p.time, turns*factor))
					}
				}
				if slow == nil {
					return
				}
			}
			t.Error(strings.Join(slow, "\n"))
		})
	}
}

// A phase of the compiler, and the processor time that it took.
type phase struct {
	name string
	time time.Duration
}

type phases []phase

func (ps *phases) add(name string, d time.Duration) {
	for i, p := range *ps {
		if p.name == name {
			(*ps)[i].time += d
			return
		}
	}
	*ps = append(*ps, phase{name, d})
}

func (ps *phases) run(name string, f func()) {
	start := used()
	f()
	ps.add(name, used()-start)
}

// used is the processor time that the process has used.
func used() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic("BUG: " + err.Error())
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// measure takes one kernel through the compiler, up to the emitted text.
func measure(t *testing.T, s Shape, turns int) phases {
	t.Helper()
	var ps phases
	src := load.Chain(s.Sources(turns), qd.KernelSources())
	var (
		prog *frontend.Specialized
		err  error
	)
	ps.run("front end", func() {
		prog, err = frontend.Specialize(frontend.Options{Checked: s.Checked}, src, load.Ref{Pkg: "long", Name: "long"})
	})
	if err != nil {
		t.Fatal(err)
	}
	m := prog.Module
	ps.run("verify", func() { err = ssa.Verify(m) })
	if err != nil {
		t.Fatal(err)
	}
	last := used()
	ssa.Optimize(m, func(pass string, _ *ssa.Module) {
		name, _, _ := strings.Cut(pass, " ") // from the round
		ps.add(name, used()-last)
		last = used()
	})
	ps.run("hoist", func() { build.HoistChecks(m) })
	var text *emit.Text
	ps.run("cpp", func() { text = cpp.Emit(m, emit.Options{}) })
	ps.run("cuda", func() { cuda.Emit(m, emit.Options{}) })
	// Compilers nest no more than some 256 brackets.
	if d := nesting(text.Source); d > 20 {
		t.Errorf("brackets are nested %d deep", d)
	}
	return ps
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
