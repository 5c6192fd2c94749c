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

	pos         map[*ssa.Instr]int          // place in the text's order, outer before inner
	writes      []write                     // in order of their places
	nonEscaping *analysis.NonEscaping       // variables whose address does not escape
	exits       map[*ssa.Instr][]*ssa.Instr // of a loop: its continues and breaks

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
func newPlan(f *ssa.Func, summaries *analysis.Summaries, avoid func(string) bool) *plan {
	n := f.NumValues()
	p := &plan{
		fn:          f,
		summaries:   summaries,
		pos:         make(map[*ssa.Instr]int, n),
		nonEscaping: summaries.NonEscaping(f),
		users:       summaries.Users(f),
		inline:      make([]bool, n),
		root:        make(map[*ssa.Instr]*ssa.Instr, n/2),
		logical:     make(map[*ssa.Instr]bool),
		vars:        make([]*variable, n),
		taken:       make(map[string]bool),
	}
	used := live.FindUses(f, p.mayGo)
	p.uses, p.dead, p.exits = used.Count, used.Dead, used.Exits
	p.number()
	p.decide(f.Body, nil)
	p.live = p.findLive()
	p.coalesce()
	p.declare(avoid)
	return p
}

// number fills pos and writes.
func (p *plan) number() {
	p.fn.Body.Walk(func(in *ssa.Instr) {
		p.pos[in] = len(p.pos)
		if in.Blocks == nil && p.stays(in) && in.Op != ssa.OpLocal && in.Op != ssa.OpCheck {
			p.writes = append(p.writes, write{p.pos[in], in})
		}
	})
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
