package ssa

// Within reports whether an instruction is root or inside of it; all are inside
// of nil.
func (in *Instr) Within(root *Instr) bool {
	for in != nil && in != root {
		in = in.Block.Owner
	}
	return in == root
}

// FallsThrough reports whether what stands after the instruction can be
// reached. Of conditions it knows only constants.
func (in *Instr) FallsThrough() bool {
	switch in.Op {
	case OpPanicLanes:
		return false
	case OpIf:
		for _, b := range in.Blocks {
			if t := b.Terminator(); t == nil || t.Op == OpYield {
				return true
			}
		}
		return false
	case OpLoop:
		test := in.Cond().Terminator()
		if test == nil || len(test.Args) != 1 {
			return true
		}
		if c, ok := test.Args[0].Const(); !ok || !c.Bool() {
			return true
		}
		return in.IsTargetOf(OpBreak)
	}
	return !in.Op.IsTerminator()
}

// InsideFor reports whether an instruction stands in a parallel for.
func (in *Instr) InsideFor() bool {
	for o := in.Block.Owner; o != nil; o = o.Block.Owner {
		if o.Op == OpFor {
			return true
		}
	}
	return false
}

// InsideLanes reports whether an instruction stands in a block that is done for many indices.
func (in *Instr) InsideLanes() bool {
	for o := in.Block.Owner; o != nil; o = o.Block.Owner {
		if o.Op.OwnsLanes() {
			return true
		}
	}
	return false
}

// Inside reports whether a block is outer or nested in it.
func (b *Block) Inside(outer *Block) bool {
	for b != outer {
		if b.Owner == nil {
			return false
		}
		b = b.Owner.Block
	}
	return true
}
