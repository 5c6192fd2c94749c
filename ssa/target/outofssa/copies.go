package outofssa

import (
	"container/heap"
	"sort"

	"github.com/qdgen/qd/ssa"
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
func (f *Func) edge(in *ssa.Instr) (copies []Copy) {
	from, to := in.Flow()
	for k, v := range to {
		if !f.IsUsed(v) {
			continue
		}
		x := f.vars[v.ID]
		if f.inline[from[k].ID] || f.vars[from[k].ID] != x {
			if copies == nil {
				copies = make([]Copy, 0, len(to)-k)
			}
			copies = append(copies, Copy{x, from[k]})
		}
	}
	return copies
}

// Sequence gives steps that mean the same as copies that happen at once.
func (f *Func) Sequence(copies []Copy) (steps []Step) {
	if len(copies) == 0 {
		return nil
	}
	ordered, cyclic := f.inOrder(copies)
	steps = make([]Step, 0, len(copies)+1)
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

// inOrder sorts copies such that none overwrites what a later one reads, and otherwise leaves them as they are. What is
// left over is in cycles, as for a swap, and needs temporaries.
func (f *Func) inOrder(copies []Copy) (ordered, cyclic []Copy) {
	if len(copies) < 2 || len(copies) <= fewCopies && !f.readsOther(copies) {
		return copies, nil
	}
	to := make(map[*Variable]int, len(copies)) // by variable: the copy that overwrites it
	for i, c := range copies {
		to[c.To] = i
	}
	eachRead := func(i int, yield func(overwritten int)) {
		f.Leaves(copies[i].From, func(leaf *ssa.Value) {
			if k, ok := to[f.vars[leaf.ID]]; ok && k != i {
				yield(k)
			}
		})
	}
	reads := make([]int, len(copies)) // by copy: how often others that are left read what it overwrites
	for i := range copies {
		eachRead(i, func(k int) { reads[k]++ })
	}
	free := new(places)
	for i, n := range reads {
		if n == 0 {
			free.IntSlice = append(free.IntSlice, i) // ascending, so a heap
		}
	}
	done := make([]bool, len(copies))
	for free.Len() > 0 {
		i := heap.Pop(free).(int)
		done[i] = true
		ordered = append(ordered, copies[i])
		eachRead(i, func(k int) {
			if reads[k]--; reads[k] == 0 {
				heap.Push(free, k)
			}
		})
	}
	for i, c := range copies {
		if !done[i] {
			cyclic = append(cyclic, c)
		}
	}
	return ordered, cyclic
}

// fewCopies are so few that to look at all of them for each value that is read is the fastest.
const fewCopies = 8

// readsOther reports whether one of several copies reads what another one overwrites.
func (f *Func) readsOther(copies []Copy) (found bool) {
	for i, c := range copies {
		f.Leaves(c.From, func(leaf *ssa.Value) {
			for k, other := range copies {
				found = found || k != i && other.To == f.vars[leaf.ID]
			}
		})
	}
	return found
}

// places is a heap of numbers, the least one first.
type places struct{ sort.IntSlice }

func (p *places) Push(x any) { p.IntSlice = append(p.IntSlice, x.(int)) }

func (p *places) Pop() any {
	last := len(p.IntSlice) - 1
	x := p.IntSlice[last]
	p.IntSlice = p.IntSlice[:last]
	return x
}
