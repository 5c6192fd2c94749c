package outofssa

import (
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
	"github.com/qdgen/qd/ssa/analysis/live"
)

// A Func says how one function is written with variables and expressions. Nothing in it changes after [Translate].
//
// Values are numbered by ssa.Value.ID; slices by value are indexed by it.
type Func struct {
	// Variables are in the order of their first values, so the function's parameters come first.
	Variables []*Variable

	fn          *ssa.Func
	scopes      *scopes
	uses        *live.Uses
	inline      []bool                     // by value: it is evaluated inside each use
	logical     []bool                     // by value, of the result of an If: it is && or ||
	vars        []*Variable                // by value: nil if it is inline or unused
	declared    map[*ssa.Instr][]*Variable // before, or as, the instruction
	header      map[*ssa.Instr][]*Variable // of a loop: declared in its header
	postFits    map[*ssa.Instr]bool        // of a loop: see PostFits
	ahead       map[*ssa.Instr]*ssa.Instr  // of an If: the yield whose copies are done before it
	doneAhead   map[*ssa.Instr]bool        // these yields
	falls       map[*ssa.Instr]bool        // terminators that need no jump
	waits       map[*ssa.Instr]bool        // see WaitsBefore
	constants   map[*ssa.Value]int         // how many there are in what is made of constants alone
	tableCopies map[*ssa.Instr]bool        // variables in memory that are tables themselves
}

// A translation is a Func in the making.
type translation struct {
	f           *Func
	summaries   *analysis.Summaries
	users       [][]*ssa.Instr // by value: who reads it
	root        []*ssa.Instr   // by value, of an inline one: the statement it is evaluated in, nil for several
	before      []*ssa.Instr   // by value, of an inline one with a root: see evaluatedBy
	writes      []write        // in order of their places
	assignments []assignment
	joins       []join // until coalesce has used them
	nonEscaping *analysis.NonEscaping
	live        *live.Conflicts
}

// Translate translates a function. It leaves numbers in ssa.Instr.Scratch.
func Translate(f *ssa.Func, summaries *analysis.Summaries) *Func {
	n := f.NumValues()
	t := &translation{
		f: &Func{
			fn:      f,
			inline:  make([]bool, n),
			logical: make([]bool, n),
			vars:    make([]*Variable, n),
		},
		summaries:   summaries,
		users:       summaries.Users(f),
		root:        make([]*ssa.Instr, n),
		before:      make([]*ssa.Instr, n),
		nonEscaping: summaries.NonEscaping(f),
	}
	t.f.uses = live.FindUses(f, t.mayGo)
	t.number()
	t.findTableCopies()
	t.decide(f.Body, nil)
	t.live = t.findLive()
	t.coalesce()
	t.declare()
	t.moveAhead()
	t.findFalls()
	t.findWaits(f.Body, f.Kernel)
	return t.f
}

// Module translates the functions of a module, but not what the host runs.
func Module(m *ssa.Module, summaries *analysis.Summaries) map[*ssa.Func]*Func {
	funcs := make(map[*ssa.Func]*Func, len(m.Funcs))
	for _, f := range m.Device().Funcs {
		funcs[f] = Translate(f, summaries)
	}
	return funcs
}

// number numbers the instructions, and fills writes and constants.
func (t *translation) number() {
	n := 0
	t.f.fn.Body.Walk(func(in *ssa.Instr) {
		in.Scratch = int32(n)
		t.f.countConstants(in)
		if in.Blocks == nil && t.stays(in) && in.Op != ssa.OpLocal && !isFault(in) {
			t.writes = append(t.writes, write{n, in})
		}
		n++
	})
}

// isFault reports whether an instruction may stop the launch, and else changes nothing.
func isFault(in *ssa.Instr) bool {
	return in.Op == ssa.OpCheck || in.Op == ssa.OpCheckLanes || in.Op == ssa.OpPanicLanes
}

// pos is the place of an instruction in the text's order, outer before inner.
func pos(in *ssa.Instr) int { return int(in.Scratch) }

// stays reports whether an instruction without blocks is a statement of its own, in
// order with the others.
func (t *translation) stays(in *ssa.Instr) bool {
	switch {
	case in.Op.IsTerminator():
		return false
	case in.Op == ssa.OpLocal, in.Op == ssa.OpShared:
		return true
	}
	return t.summaries.Effects(in).Has(analysis.Seen)
}

// mayGo reports whether an instruction without blocks is left out if nobody uses its results. A
// call that might not end stays: what follows it might not be reached.
func (t *translation) mayGo(in *ssa.Instr) bool {
	return in.Op == ssa.OpLocal || !t.stays(in) && !t.summaries.Effects(in).Has(analysis.Endless)
}

// IsDead reports whether an instruction is left out: it is pure and unused.
func (f *Func) IsDead(in *ssa.Instr) bool { return f.uses.IsDead(in) }

// IsUsed reports whether anything that is not left out reads v.
func (f *Func) IsUsed(v *ssa.Value) bool { return f.uses.Count[v.ID] > 0 }

// AllUnused reports whether none of the values is used.
func (f *Func) AllUnused(vs []*ssa.Value) bool {
	for _, v := range vs {
		if f.IsUsed(v) {
			return false
		}
	}
	return true
}

// IsInline reports whether v is evaluated inside its uses, and has no variable.
func (f *Func) IsInline(v *ssa.Value) bool { return f.inline[v.ID] }

// Variable is the variable that holds v, nil if v is inline or unused.
func (f *Func) Variable(v *ssa.Value) *Variable { return f.vars[v.ID] }

// Declared are the variables that are declared before an instruction, or by it.
func (f *Func) Declared(in *ssa.Instr) []*Variable { return f.declared[in] }

// Leaves calls yield for the values in variables that v is evaluated from: v itself, or
// the leaves of the expression.
func (f *Func) Leaves(v *ssa.Value, yield func(*ssa.Value)) {
	if !f.inline[v.ID] {
		yield(v)
		return
	}
	f.Operands(v.Def, yield)
}

// Operands calls yield for the values in variables that evaluating in reads.
func (f *Func) Operands(in *ssa.Instr, yield func(*ssa.Value)) {
	if f.IsLogical(in) {
		_, x, y := LogicalOperands(in)
		f.Leaves(x, yield)
		f.Leaves(y, yield)
		return
	}
	for _, a := range in.Args {
		f.Leaves(a, yield)
	}
}

// IsStatement reports whether in is a statement: it is evaluated where it stands. Terminators are.
func (f *Func) IsStatement(in *ssa.Instr) bool {
	if f.IsDead(in) {
		return false
	}
	return len(in.Results) != 1 || !f.inline[in.Results[0].ID]
}

// statements calls yield for each statement and terminator below b, outer before
// inner, in order.
func (f *Func) statements(b *ssa.Block, yield func(*ssa.Instr)) {
	for _, in := range b.Instrs {
		if !f.IsStatement(in) {
			continue
		}
		yield(in)
		if f.IsLogical(in) {
			continue
		}
		for _, nested := range in.Blocks {
			f.statements(nested, yield)
		}
	}
}
