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
