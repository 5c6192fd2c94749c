package randprog

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// Programs that compile in parts and not as a whole are a finding too: kernels of one
// package are compiled together.

// foundTogether notes which of some programs a compiler refuses together, though it takes
// them apart, and leaves out the first of these.
func (b *batch) foundTogether(side string, programs []*compiled) {
	var last error
	set := minimal(programs, func(some []*compiled) bool {
		// In the order in which all of them have failed.
		slices.SortFunc(some, func(x, y *compiled) int { return slices.Index(programs, x) - slices.Index(programs, y) })
		err := b.compile(side, some)
		if err == nil || errors.As(err, &killed{}) {
			return false
		}
		last = err
		return true
	})
	f := Finding{Program: set[0].Program, Kind: refusals[side], Detail: fmt.Sprintf("%d programs fail together: %v", len(set), last)}
	for _, c := range set[1:] {
		f.With = append(f.With, c.Program)
	}
	b.findings = append(b.findings, f)
	b.leaveOut(set[0])
}

// minimal gives a part of a list that fails, as the list does, and does not without any
// one of its members: U. Junker, "QuickXplain: preferred explanations and relaxations for
// over-constrained problems" (2004).
func minimal[T any](list []T, fails func([]T) bool) []T {
	var explain func(with []T, added bool, of []T) []T
	explain = func(with []T, added bool, of []T) []T {
		switch {
		case added && fails(slices.Clone(with)):
			return nil
		case len(of) == 1:
			return of
		}
		half := len(of) / 2
		second := explain(slices.Concat(with, of[:half]), true, of[half:])
		first := explain(slices.Concat(with, second), len(second) > 0, of[:half])
		return slices.Concat(first, second)
	}
	return explain(nil, false, list)
}

// mostTries is how many smaller programs are tried of those that fail together: each is
// compiled with the others.
const mostTries = 500

// shrinkTogether makes programs smaller that fail together, one after the other.
func (r *Runner) shrinkTogether(f Finding) Finding {
	programs := f.All()
	tries := 0
	for i := range programs {
		for smaller := true; smaller; {
			smaller = false
			for _, e := range programs[i].edits() {
				if !e.program.valid() {
					continue
				}
				if tries++; tries > mostTries {
					break
				}
				some := slices.Clone(programs)
				some[i] = e.program
				if detail := r.refusedTogether(f.Kind, some, i); detail != "" {
					programs, f.Detail, smaller = some, detail, true
					break
				}
			}
		}
	}
	f.Program, f.With = programs[0], programs[1:]
	return f
}

// refusedTogether says why a compiler refuses programs together; nothing if it takes them, or if it
// refuses the changed one alone too.
func (r *Runner) refusedTogether(kind Kind, programs []*Program, changed int) (detail string) {
	side := "cpp"
	if kind == refusals["cuda"] {
		side = "cuda"
	}
	r.count++
	b := r.newBatch(filepath.Join(r.Dir, fmt.Sprint("together", r.count)))
	if os.MkdirAll(b.dir, 0o777) != nil {
		return ""
	}
	defer os.RemoveAll(b.dir)
	b.lower(programs)
	if len(b.ok) != len(programs) {
		return ""
	}
	err := b.compile(side, b.ok)
	if err == nil || errors.As(err, &killed{}) || b.compile(side, b.ok[changed:changed+1]) != nil {
		return ""
	}
	return fmt.Sprintf("%d programs fail together: %v", len(programs), err)
}
