package outofssa

import "github.com/qdgen/qd/ssa"

// IsLogical reports whether in is an If that is written as && or ||.
func (f *Func) IsLogical(in *ssa.Instr) bool {
	return in.Op == ssa.OpIf && len(in.Results) == 1 && f.logical[in.Results[0].ID]
}

// tryLogical decides whether an If is Go's && or ||: one of its blocks gives a
// constant, the other one nothing but an expression.
func (t *translation) tryLogical(in *ssa.Instr) bool {
	if len(in.Results) != 1 || in.Results[0].Type != ssa.Bool || !t.f.IsUsed(in.Results[0]) {
		return false
	}
	value, ok := logicalBlock(in)
	if !ok {
		return false
	}
	at := in
	if t.f.inline[in.Results[0].ID] {
		at = t.root[in.Results[0].ID]
	}
	if at == nil {
		return false
	}
	return t.decide(value, at) // if not, decide runs again, without the yield as a place to evaluate in
}

// logicalBlock finds the block of a boolean If that is the second operand of
// && (then, the other yields false) or of || (else, the other yields true).
func logicalBlock(in *ssa.Instr) (*ssa.Block, bool) {
	yields := func(b *ssa.Block, want bool) bool {
		t := b.Terminator()
		if t.Op != ssa.OpYield {
			return false
		}
		for _, i := range b.Instrs[:len(b.Instrs)-1] {
			if i.Op != ssa.OpConst {
				return false
			}
		}
		c, ok := t.Args[0].Const()
		return ok && c.Bool() == want
	}
	switch {
	case in.Then().Terminator().Op == ssa.OpYield && yields(in.Else(), false):
		return in.Then(), true
	case in.Else().Terminator().Op == ssa.OpYield && yields(in.Then(), true):
		return in.Else(), true
	}
	return nil, false
}

// LogicalOperands gives the operands of a logical If, and its operator: OpAnd for &&, OpOr for ||.
func LogicalOperands(in *ssa.Instr) (op ssa.Op, x, y *ssa.Value) {
	b, _ := logicalBlock(in)
	if b == in.Then() {
		return ssa.OpAnd, in.Args[0], b.Terminator().Args[0]
	}
	return ssa.OpOr, in.Args[0], b.Terminator().Args[0]
}
