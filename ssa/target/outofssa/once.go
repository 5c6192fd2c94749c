package outofssa

import (
	"slices"

	"github.com/qdgen/qd/ssa"
)

// IsOnce reports whether one thread of a block executes a statement for all.
func (f *Func) IsOnce(in *ssa.Instr) bool {
	found := false
	f.within(in, func(in *ssa.Instr) { found = found || in.Once })
	return found
}

// Changed are the variables that a statement changes: those of its results, and
// those whose addresses it is given.
func (f *Func) Changed(in *ssa.Instr) (changed []*Variable) {
	for _, v := range in.Results {
		if x := f.vars[v.ID]; x != nil {
			changed = append(changed, x)
		}
	}
	f.within(in, func(in *ssa.Instr) {
		for _, v := range in.Changes {
			if x := f.vars[v.ID]; x != nil && !slices.Contains(changed, x) {
				changed = append(changed, x)
			}
		}
	})
	return changed
}

// within calls yield for a statement and for the instructions that are evaluated inside of it.
func (f *Func) within(in *ssa.Instr, yield func(*ssa.Instr)) {
	yield(in)
	for _, a := range in.Args {
		if f.inline[a.ID] {
			f.within(a.Def, yield)
		}
	}
}
