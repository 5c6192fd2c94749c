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

	places   []place                     // of all instructions, in the text's order, outer before inner
	writes   []write                     // in order of their places
	privates *analysis.Privates          // variables whose address goes nowhere
	exits    map[*ssa.Instr][]*ssa.Instr // of a loop: its continues and breaks

	uses  []int          // how often a value is read; of an unused one 0
	users [][]*ssa.Instr // who reads it

	inline []bool // printed inside each use

	vars []*variable // by value: the variable that holds it, nil when inlined or unused
	all  []*variable // in the order of their first value

	live *live.Conflicts
	head map[*ssa.Instr][]*variable // of a loop: declared in the header of its for

	taken map[string]bool // names of variables
}

// A place is what the plan says of an instruction, whose number it is.
type place struct {
	in      *ssa.Instr
	dead    bool        // printed nowhere: pure and unused
	logical bool        // an If printed as && or ||
	root    *ssa.Instr  // of an inlined instruction: the statement it is printed in, nil for several
	decl    []*variable // declared before, or as, the instruction
}

// at is the place of an instruction. The plan's numbers are those of the function until another pass numbers it.
func (p *plan) at(in *ssa.Instr) *place {
	at := &p.places[in.Scratch]
	if at.in != in {
		panic("BUG: the plan of " + p.fn.Name + " does not know a " + in.Op.String())
	}
	return at
}

// pos is the number of an instruction in the text's order.
func (p *plan) pos(in *ssa.Instr) int {
	p.at(in)
	return int(in.Scratch)
}

// newPlan plans f. No variable gets a name that avoid reports.
func newPlan(f *ssa.Func, calls *analysis.Summaries, avoid func(string) bool) *plan {
	n := f.NumValues()
	p := &plan{
		fn:       f,
		calls:    calls,
		privates: calls.Privates(f),
		users:    calls.Users(f),
		inline:   make([]bool, n),
		vars:     make([]*variable, n),
		taken:    make(map[string]bool),
	}
	used := live.FindUses(f, p.mayGo)
	p.uses, p.exits = used.Count, used.Exits
	p.number()
	for in := range used.Dead {
		p.at(in).dead = true
	}
	p.decide(f.Body, nil)
	p.live = p.findLive()
	p.coalesce()
	p.declare(avoid)
	return p
}

// number fills places and writes.
func (p *plan) number() {
	count := 0
	p.fn.Body.Walk(func(*ssa.Instr) { count++ })
	p.places = make([]place, 0, count)
	p.fn.Body.Walk(func(in *ssa.Instr) {
		in.Scratch = int32(len(p.places))
		p.places = append(p.places, place{in: in})
		if in.Blocks == nil && p.stays(in) && in.Op != ssa.OpLocal && in.Op != ssa.OpCheck {
			p.writes = append(p.writes, write{int(in.Scratch), in})
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
func (p *plan) IsLogical(in *ssa.Instr) bool { return in.Op == ssa.OpIf && p.at(in).logical }

// IsStatement reports whether in is printed as a statement.
func (p *plan) IsStatement(in *ssa.Instr) bool {
	if p.at(in).dead {
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
