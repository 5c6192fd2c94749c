package ssa

// Effect is what the instruction does beside giving its results, all that it
// calls and all that is in its blocks included. It is Control where what stands
// after the instruction might not be reached: where a block leaves for another
// place than its end, and where a loop is not known to come to one. What a block
// does to local variables of its own is nothing. Only what is Pure or Reads may be
// removed when its results are unused.
func (in *Instr) Effect() Effect {
	var fx effects
	return fx.instr(in)
}

// effects computes effects, and remembers those of functions.
type effects struct {
	funcs map[*Func]Effect
}

func (fx *effects) instr(in *Instr) Effect {
	switch in.Op {
	case OpCall:
		return fx.function(in.Callee)
	case OpIf, OpLoop, OpFor:
		return fx.region(in, in)
	}
	return ops[in.Op].effect
}

// function is the effect of a call. Callees do not recurse.
func (fx *effects) function(f *Func) Effect {
	if e, ok := fx.funcs[f]; ok {
		return e
	}
	e := fx.block(f.Body, nil)
	if fx.funcs == nil {
		fx.funcs = make(map[*Func]Effect)
	}
	fx.funcs[f] = e
	return e
}

// region is the effect of an If, a Loop or a For inside root, or of root itself.
func (fx *effects) region(in, root *Instr) Effect {
	if in.Op == OpLoop && !in.Finite() {
		return Control
	}
	e := Pure
	if in.Op == OpFor {
		e = Writes // it is a launch, or ends in a barrier
	}
	for _, b := range in.Blocks {
		e = max(e, fx.block(b, root))
	}
	return e
}

// block is the effect of a block inside root, nil for the function's body: what
// leaves for a place inside root is none.
func (fx *effects) block(b *Block, root *Instr) Effect {
	e := Pure
	for _, in := range b.Instrs {
		switch in.Op {
		case OpIf, OpLoop, OpFor:
			e = max(e, fx.region(in, root))
		case OpYield, OpTest, OpUnreachable:
		case OpBreak, OpContinue:
			if !in.Target.within(root) {
				return Control
			}
		case OpReturn:
			if root != nil {
				return Control
			}
		case OpLocal:
		case OpLoad, OpStore, OpAtomic:
			if !in.Args[0].localIn(root) {
				e = max(e, ops[in.Op].effect)
			}
		default:
			e = max(e, fx.instr(in))
		}
		if e == Control {
			return e
		}
	}
	return e
}

// within reports whether an instruction is root or inside of it; all are inside
// of nil.
func (in *Instr) within(root *Instr) bool {
	for in != nil && in != root {
		in = in.Block.Owner
	}
	return in == root
}

// fallsThrough reports whether what stands after the instruction can be
// reached. Of conditions it knows only constants.
func (in *Instr) fallsThrough() bool {
	switch in.Op {
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
		return in.isTargetOf(OpBreak)
	}
	return !in.Op.IsTerminator()
}
