package emit

import (
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/analysis/live"
)

// A plan says how the values of one function are printed. It is made in
// stages; see the package documentation.
//
// Values are numbered by ssa.Value.ID; slices of the plan are indexed by it.
type plan struct {
	fn    *ssa.Func
	calls *analysis.Summaries

	pos      map[*ssa.Instr]int          // place in the text's order, outer before inner
	writes   []write                     // in order of their places
	privates *analysis.Privates          // variables whose address goes nowhere
	exits    map[*ssa.Instr][]*ssa.Instr // of a loop: its continues and breaks

	uses  []int               // how often a value is read; of an unused one 0
	users [][]*ssa.Instr      // who reads it
	dead  map[*ssa.Instr]bool // printed nowhere: pure and unused

	inline  []bool                    // printed inside each use
	root    map[*ssa.Instr]*ssa.Instr // of an inlined instruction: the statement it is printed in, nil for several
	logical map[*ssa.Instr]bool       // an If printed as && or ||

	vars []*variable // by value: the variable that holds it, nil when inlined or unused
	all  []*variable // in the order of their first value

	live *live.Conflicts
	decl map[*ssa.Instr][]*variable // declared before, or as, the instruction
	head map[*ssa.Instr][]*variable // of a loop: declared in the header of its for

	taken map[string]bool // names of variables
}

// newPlan plans f. No variable gets a name that avoid reports.
func newPlan(f *ssa.Func, calls *analysis.Summaries, avoid func(string) bool) *plan {
	n := f.NumValues()
	p := &plan{
		fn:       f,
		calls:    calls,
		pos:      make(map[*ssa.Instr]int, n),
		privates: calls.Privates(f),
		exits:    make(map[*ssa.Instr][]*ssa.Instr),
		uses:     make([]int, n),
		users:    make([][]*ssa.Instr, n),
		dead:     make(map[*ssa.Instr]bool),
		inline:   make([]bool, n),
		root:     make(map[*ssa.Instr]*ssa.Instr, n/2),
		logical:  make(map[*ssa.Instr]bool),
		vars:     make([]*variable, n),
		taken:    make(map[string]bool),
	}
	p.number()
	p.removeUnused()
	p.decide(f.Body, nil)
	p.live = p.findLive()
	p.coalesce()
	p.declare(avoid)
	return p
}

// number fills pos, writes, exits, uses and users.
func (p *plan) number() {
	p.fn.Body.Walk(func(in *ssa.Instr) {
		p.pos[in] = len(p.pos)
		if in.Blocks == nil && p.stays(in) && in.Op != ssa.OpLocal && in.Op != ssa.OpCheck {
			p.writes = append(p.writes, write{p.pos[in], in})
		}
		switch in.Op {
		case ssa.OpContinue, ssa.OpBreak:
			p.exits[in.Target] = append(p.exits[in.Target], in)
		}
		for _, a := range in.Args {
			p.uses[a.ID]++
			p.users[a.ID] = append(p.users[a.ID], in)
		}
	})
	// A loop that is left by its test gives its variables as its results.
	p.fn.Body.Walk(func(in *ssa.Instr) {
		if in.Op == ssa.OpLoop {
			for _, v := range in.Cond().Params {
				p.uses[v.ID]++
			}
		}
	})
}

// removeUnused takes away uses by what is itself unused: pure instructions, and
// arguments for block parameters and results that nobody reads. What is left of
// them is a cycle of a loop, which the passes before have removed.
func (p *plan) removeUnused() {
	var work []*ssa.Value
	note := func(vs []*ssa.Value) {
		for _, v := range vs {
			if p.uses[v.ID] == 0 {
				work = append(work, v)
			}
		}
	}
	p.fn.Body.Walk(func(in *ssa.Instr) {
		note(in.Results)
		for _, b := range in.Blocks {
			note(b.Params)
		}
	})
	drop := func(v *ssa.Value) {
		if p.uses[v.ID]--; p.uses[v.ID] == 0 {
			work = append(work, v)
		}
	}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		for _, a := range p.feeders(v) {
			drop(a)
		}
	}
}

// feeders are the values that are only read for the sake of the unused value v.
func (p *plan) feeders(v *ssa.Value) (from []*ssa.Value) {
	if in := v.Def; in != nil {
		k := v.Index()
		switch {
		case in.Op == ssa.OpIf:
			for _, b := range in.Blocks {
				if t := b.Terminator(); t.Op == ssa.OpYield {
					from = append(from, t.Args[k])
				}
			}
		case in.Op == ssa.OpLoop:
			from = append(from, in.Cond().Params[k])
			for _, t := range p.exits[in] {
				if t.Op == ssa.OpBreak {
					from = append(from, t.Args[k])
				}
			}
		case p.mayGo(in) && p.allUnused(in.Results) && !p.dead[in]:
			p.dead[in] = true
			from = in.Args
		}
		return from
	}
	loop := v.Block.Owner
	if loop == nil || loop.Op == ssa.OpFor {
		return nil // a parameter of the function, or a lane
	}
	k := v.Index()
	if v.Block == loop.Post() {
		for _, t := range p.exits[loop] {
			if t.Op == ssa.OpContinue {
				from = append(from, t.Args[k])
			}
		}
		return from
	}
	from = append(from, loop.Args[k])
	if t := loop.Post().Terminator(); t.Op == ssa.OpYield {
		from = append(from, t.Args[k])
	}
	return from
}

// stays reports whether an instruction without blocks is a statement of its own, in
// order with the others.
func (p *plan) stays(in *ssa.Instr) bool {
	switch {
	case in.Op.IsTerminator():
		return false
	case in.Op == ssa.OpLocal, in.Op == ssa.OpShared:
		return true
	}
	return p.calls.Effects(in).Has(analysis.Seen)
}

// mayGo reports whether an instruction without blocks is not printed if nobody uses its results. A
// call that might not end stays: what follows it might not be reached.
func (p *plan) mayGo(in *ssa.Instr) bool {
	return in.Op == ssa.OpLocal || !p.stays(in) && !p.calls.Effects(in).Has(analysis.Endless)
}

// IsUsed reports whether anything that is printed reads v.
func (p *plan) IsUsed(v *ssa.Value) bool { return p.uses[v.ID] > 0 }

func (p *plan) allUnused(vs []*ssa.Value) bool {
	for _, v := range vs {
		if p.IsUsed(v) {
			return false
		}
	}
	return true
}

// Leaves calls f for the values that printing v reads: v itself, or the
// operands of the expression that is printed in its place.
func (p *plan) Leaves(v *ssa.Value, f func(*ssa.Value)) {
	if !p.inline[v.ID] {
		f(v)
		return
	}
	p.Operands(v.Def, f)
}

// Operands calls f for the values that printing in reads.
func (p *plan) Operands(in *ssa.Instr, f func(*ssa.Value)) {
	if p.logical[in] {
		_, x, y := logicalOperands(in)
		p.Leaves(x, f)
		p.Leaves(y, f)
		return
	}
	for _, a := range in.Args {
		p.Leaves(a, f)
	}
}

// IsLogical reports whether in is printed as && or ||.
func (p *plan) IsLogical(in *ssa.Instr) bool { return p.logical[in] }

// IsStatement reports whether in is printed as a statement.
func (p *plan) IsStatement(in *ssa.Instr) bool {
	if p.dead[in] {
		return false
	}
	return len(in.Results) != 1 || !p.inline[in.Results[0].ID]
}

// statements calls f for each statement and terminator below b, outer before
// inner, in order.
func (p *plan) statements(b *ssa.Block, f func(*ssa.Instr)) {
	for _, in := range b.Instrs {
		if !p.IsStatement(in) {
			continue
		}
		f(in)
		if p.logical[in] {
			continue
		}
		for _, nested := range in.Blocks {
			p.statements(nested, f)
		}
	}
}
