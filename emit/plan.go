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
	fn        *ssa.Func
	summaries *analysis.Summaries

	writes      []write                     // in order of their places
	nonEscaping *analysis.NonEscaping       // variables whose address does not escape
	exits       map[*ssa.Instr][]*ssa.Instr // of a loop: its continues and breaks

	uses  []int          // how often a value is read; of an unused one 0
	users [][]*ssa.Instr // who reads it
	used  *live.Uses

	inline  []bool       // printed inside each use
	root    []*ssa.Instr // of an inlined value: the statement it is printed in, nil for several
	logical []bool       // of the result of an If: it is printed as && or ||

	vars []*variable // by value: the variable that holds it, nil when inlined or unused
	all  []*variable // in the order of their first value

	live *live.Conflicts
	decl map[*ssa.Instr][]*variable // declared before, or as, the instruction
	head map[*ssa.Instr][]*variable // of a loop: declared in the header of its for

	taken map[string]bool // names of variables
}

// newPlan plans f. No variable gets a name that avoid reports.
func newPlan(f *ssa.Func, summaries *analysis.Summaries, avoid func(string) bool) *plan {
	n := f.NumValues()
	p := &plan{
		fn:          f,
		summaries:   summaries,
		nonEscaping: summaries.NonEscaping(f),
		users:       summaries.Users(f),
		inline:      make([]bool, n),
		root:        make([]*ssa.Instr, n),
		logical:     make([]bool, n),
		vars:        make([]*variable, n),
		taken:       make(map[string]bool),
	}
	p.used = live.FindUses(f, p.mayGo)
	p.uses, p.exits = p.used.Count, p.used.Exits
	p.number()
	p.decide(f.Body, nil)
	p.live = p.findLive()
	p.coalesce()
	p.declare(avoid)
	return p
}

// number numbers the instructions, and fills writes.
func (p *plan) number() {
	n := 0
	p.fn.Body.Walk(func(in *ssa.Instr) {
		in.Scratch = int32(n)
		if in.Blocks == nil && p.stays(in) && in.Op != ssa.OpLocal && in.Op != ssa.OpCheck {
			p.writes = append(p.writes, write{n, in})
		}
		n++
	})
}

// pos is the place of an instruction in the text's order, outer before inner.
func pos(in *ssa.Instr) int { return int(in.Scratch) }

// isDead reports whether an instruction is printed nowhere: it is pure and unused.
func (p *plan) isDead(in *ssa.Instr) bool { return p.used.IsDead(in) }

// stays reports whether an instruction without blocks is a statement of its own, in
// order with the others.
func (p *plan) stays(in *ssa.Instr) bool {
	switch {
	case in.Op.IsTerminator():
		return false
	case in.Op == ssa.OpLocal, in.Op == ssa.OpShared:
		return true
	}
	return p.summaries.Effects(in).Has(analysis.Seen)
}

// mayGo reports whether an instruction without blocks is not printed if nobody uses its results. A
// call that might not end stays: what follows it might not be reached.
func (p *plan) mayGo(in *ssa.Instr) bool {
	return in.Op == ssa.OpLocal || !p.stays(in) && !p.summaries.Effects(in).Has(analysis.Endless)
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
	if p.IsLogical(in) {
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
func (p *plan) IsLogical(in *ssa.Instr) bool {
	return in.Op == ssa.OpIf && len(in.Results) == 1 && p.logical[in.Results[0].ID]
}

// IsStatement reports whether in is printed as a statement.
func (p *plan) IsStatement(in *ssa.Instr) bool {
	if p.isDead(in) {
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
		if p.IsLogical(in) {
			continue
		}
		for _, nested := range in.Blocks {
			p.statements(nested, f)
		}
	}
}
