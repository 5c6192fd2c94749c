package ssa

// HasLoop reports whether there is a loop in a block, or in a block of its instructions.
func (b *Block) HasLoop() bool {
	found := false
	b.Walk(func(in *Instr) { found = found || in.Op == OpLoop })
	return found
}

// Exits appends the terminators of the op that target a loop.
func (in *Instr) Exits(op Op, list []*Instr) []*Instr { return ExitsIn(in.Do(), op, in, list) }

// ExitsIn appends the terminators of the op below a block that target a loop.
func ExitsIn(b *Block, op Op, loop *Instr, list []*Instr) []*Instr {
	for _, in := range b.Instrs {
		if in.Op == op && in.Target == loop {
			list = append(list, in)
		}
		for _, nested := range in.Blocks {
			list = ExitsIn(nested, op, loop, list)
		}
	}
	return list
}

// IsTargetOf reports whether a terminator of the op inside a loop targets it.
func (in *Instr) IsTargetOf(op Op) bool { return targets(in.Do(), op, in) }

func targets(b *Block, op Op, loop *Instr) bool {
	for _, in := range b.Instrs {
		if in.Op == op && in.Target == loop {
			return true
		}
		for _, nested := range in.Blocks {
			if targets(nested, op, loop) {
				return true
			}
		}
	}
	return false
}

// Receivers are the variables and results that the arguments of an instruction are given to, one each: of a loop, and of
// a terminator that another block or the end of an If or a loop follows. They are nil for all others.
func (in *Instr) Receivers() []*Value {
	switch in.Op {
	case OpLoop:
		return in.Cond().Params
	case OpContinue:
		return in.Target.Post().Params
	case OpBreak:
		return in.Target.Results
	case OpYield:
		switch owner := in.Block.Owner; {
		case owner == nil: // the end of a body that is outlined
		case owner.Op == OpIf:
			return owner.Results
		case owner.Op == OpLoop:
			return owner.Cond().Params
		}
	}
	return nil
}

// Flow is which values an instruction gives to which others: its arguments to their receivers, or for a test, by which
// the loop may be left, the variables to the results.
func (in *Instr) Flow() (from, to []*Value) {
	if in.Op == OpTest {
		loop := in.Block.Owner
		return loop.Cond().Params, loop.Results
	}
	return in.Args, in.Receivers()
}
