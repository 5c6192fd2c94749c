package outofssa

import (
	"sort"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis/live"
)

// A Copy assigns a value to a variable on an edge. All copies of one edge happen at once.
type Copy struct {
	To   *Variable
	From *ssa.Value
}

// A Step is one of the assignments, one after the other, that mean the same as the copies of an edge. Steps between one
// that saves and the one that restores what that has saved are closed in themselves, like brackets.
type Step struct {
	Copy
	Kind StepKind
}

// A StepKind says what a Step does.
type StepKind uint8

const (
	Assign  StepKind = iota // assigns From to To
	Save                    // assigns From to a new temporary of To
	Restore                 // assigns the temporary of To to To
)

// Copies gives the copies that a terminator does, or a loop at its entry: for each parameter or result that is used and
// that the edge gives to, unless the argument is in its variable already. It gives none for a yield whose copies are
// done [Func.Ahead].
func (f *Func) Copies(in *ssa.Instr) []Copy {
	if f.doneAhead[in] {
		return nil
	}
	return f.edge(in)
}

// edge is Copies, whether they are done ahead or not.
func (f *Func) edge(in *ssa.Instr) []Copy {
	switch in.Op {
	case ssa.OpYield:
		return f.between(live.YieldedTo(in.Block), in.Args)
	case ssa.OpContinue:
		return f.between(in.Target.Post().Params, in.Args)
	case ssa.OpBreak:
		return f.between(in.Target.Results, in.Args)
	case ssa.OpLoop:
		return f.between(in.Cond().Params, in.Args)
	case ssa.OpTest:
		loop := in.Block.Owner
		return f.between(loop.Results, loop.Cond().Params)
	}
	return nil
}

func (f *Func) between(to, from []*ssa.Value) (copies []Copy) {
	for k, v := range to {
		if !f.IsUsed(v) {
			continue
		}
		x := f.vars[v.ID]
		if f.inline[from[k].ID] || f.vars[from[k].ID] != x {
			copies = append(copies, Copy{x, from[k]})
		}
	}
	return copies
}

// Sequence gives steps that mean the same as copies that happen at once.
func (f *Func) Sequence(copies []Copy) (steps []Step) {
	ordered, cyclic := f.inOrder(copies)
	for _, c := range ordered {
		steps = append(steps, Step{c, Assign})
	}
	if cyclic == nil {
		return steps
	}
	// What the others would have overwritten is computed before them.
	steps = append(steps, Step{cyclic[0], Save})
	steps = append(steps, f.Sequence(cyclic[1:])...)
	return append(steps, Step{cyclic[0], Restore})
}

// before is Sequence in front of a loop or an If: constants are assigned last, in the order of the Go statements that
// assign them, which stand there.
func (f *Func) before(copies []Copy) []Step {
	var constants, others []Copy
	for _, c := range copies {
		if d := c.From.Def; d != nil && d.Op == ssa.OpConst {
			constants = append(constants, c)
		} else {
			others = append(others, c) // they may read what the constants overwrite
		}
	}
	sort.SliceStable(constants, func(i, j int) bool {
		a, b := constants[i].From.Def.Stmt, constants[j].From.Def.Stmt
		return a != nil && b != nil && a.Pos.File == b.Pos.File && a.Pos.Line < b.Pos.Line
	})
	steps := f.Sequence(others)
	for _, c := range constants {
		steps = append(steps, Step{c, Assign})
	}
	return steps
}

// readsVariable reports whether evaluating v reads x.
func (f *Func) readsVariable(v *ssa.Value, x *Variable) bool {
	found := false
	f.Leaves(v, func(leaf *ssa.Value) { found = found || f.vars[leaf.ID] == x })
	return found
}

// inOrder sorts copies such that none overwrites what a later one reads. What is
// left over is in cycles, as for a swap, and needs temporaries.
func (f *Func) inOrder(copies []Copy) (ordered, cyclic []Copy) {
	rest := append([]Copy(nil), copies...)
	for len(rest) > 0 {
		i := f.free(rest)
		if i < 0 {
			return ordered, rest
		}
		ordered = append(ordered, rest[i])
		rest = append(rest[:i], rest[i+1:]...)
	}
	return ordered, nil
}

// free finds a copy whose variable no other one reads, or gives -1.
func (f *Func) free(copies []Copy) int {
next:
	for i, c := range copies {
		for j, other := range copies {
			if i != j && f.readsVariable(other.From, c.To) {
				continue next
			}
		}
		return i
	}
	return -1
}
