package outofssa

import (
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis/live"
)

// Ahead gives the copies of a block of an If that does nothing else, if they are done before the If, for the other
// block to overwrite: Go's "x := a; if c { x = b }".
func (f *Func) Ahead(in *ssa.Instr) []Step {
	yield := f.ahead[in]
	if yield == nil {
		return nil
	}
	return f.before(f.edge(yield))
}

// moveAhead finds the Ifs with a block whose copies can be done before them. That is so when nothing that the If reads
// is in the variables.
func (t *translation) moveAhead() {
	t.f.statements(t.f.fn.Body, func(in *ssa.Instr) {
		if in.Op != ssa.OpIf || t.f.IsLogical(in) {
			return
		}
		then, els, ok := t.live.AtEntry(in)
		if !ok {
			return // the function joins no values
		}
		yield := t.onlyCopies(in, in.Else(), then)
		if yield == nil {
			yield = t.onlyCopies(in, in.Then(), els)
		}
		if yield == nil {
			return
		}
		if t.f.ahead == nil {
			t.f.ahead, t.f.doneAhead = make(map[*ssa.Instr]*ssa.Instr), make(map[*ssa.Instr]bool)
		}
		t.f.ahead[in], t.f.doneAhead[yield] = yield, true
	})
}

// onlyCopies gives the yield of b if its copies are all that b does, and may be done
// before the If, whose other block has other live on entry. It is nil if there are none.
func (t *translation) onlyCopies(in *ssa.Instr, b *ssa.Block, other live.Set) *ssa.Instr {
	yield := b.Terminator()
	if yield.Op != ssa.OpYield {
		return nil
	}
	for _, i := range b.Instrs[:len(b.Instrs)-1] {
		if t.f.IsStatement(i) {
			return nil
		}
	}
	copies := t.f.edge(yield)
	for _, c := range copies {
		if c.From.Def != nil && c.From.Def.Block == b {
			return nil // Go assigns it in the block
		}
		if t.f.readsVariable(in.Args[0], c.To) || other.Meets(c.To.members) {
			return nil
		}
	}
	if len(copies) == 0 {
		return nil
	}
	return yield
}

// IsEmpty reports whether an If does nothing: both its blocks do nothing, and nothing is done ahead of it.
func (f *Func) IsEmpty(in *ssa.Instr) bool {
	return f.ahead[in] == nil && f.IsEmptyBlock(in.Then()) && f.IsEmptyBlock(in.Else())
}

// IsEmptyBlock reports whether a block of an If does nothing.
func (f *Func) IsEmptyBlock(b *ssa.Block) bool {
	for _, in := range b.Instrs {
		switch {
		case in.Op == ssa.OpYield:
			if len(f.Copies(in)) > 0 {
				return false
			}
		case f.IsStatement(in):
			if in.Op == ssa.OpIf && !f.IsLogical(in) && f.IsEmpty(in) {
				continue
			}
			return false
		}
	}
	return true
}

// ElseIf gives the If that is all that an else block does, if it is one that
// needs neither declarations nor copies in front.
func (f *Func) ElseIf(b *ssa.Block) *ssa.Instr {
	var only *ssa.Instr
	for _, in := range b.Instrs {
		switch {
		case in.Op.IsTerminator():
			if in.Op != ssa.OpUnreachable && (in.Op != ssa.OpYield || len(f.Copies(in)) > 0) {
				return nil
			}
		case f.IsStatement(in):
			if only != nil || in.Op != ssa.OpIf || f.IsLogical(in) {
				return nil
			}
			only = in
		}
	}
	if only == nil || len(f.declared[only]) > 0 || f.ahead[only] != nil || f.IsEmpty(only) {
		return nil
	}
	return only
}
