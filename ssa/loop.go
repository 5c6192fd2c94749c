package ssa

import "math"

// exits appends the terminators of the op that target a loop.
func (in *Instr) exits(op Op, list []*Instr) []*Instr { return exitsOf(in.Do(), op, in, list) }

func exitsOf(b *Block, op Op, loop *Instr, list []*Instr) []*Instr {
	for _, in := range b.Instrs {
		if in.Op == op && in.Target == loop {
			list = append(list, in)
		}
		for _, nested := range in.Blocks {
			list = exitsOf(nested, op, loop, list)
		}
	}
	return list
}

// isTargetOf reports whether a terminator of the op inside a loop targets it.
func (in *Instr) isTargetOf(op Op) bool { return targets(in.Do(), op, in) }

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

// Finite reports whether a loop is sure to take a finite number of turns, if
// what is inside it does: whether it never comes to a second one, or counts one
// of its integer variables towards a bound that does not change, in steps that
// cannot miss it. Go keeps a loop that does not end, so that only such a loop
// can be removed.
func (in *Instr) Finite() bool {
	test := in.Cond().Terminator().Args[0]
	if c, ok := test.Const(); ok && !c.Bool() || !in.isTargetOf(OpContinue) {
		return true
	}
	cmp := test.Def
	if cmp == nil || cmp.Block != in.Cond() || ops[cmp.Op].shape != shapeComparison || !IsInteger(cmp.Args[0].Type) {
		return false
	}
	return in.counts(cmp.Args[0], cmp.Op, cmp.Args[1]) || in.counts(cmp.Args[1], mirrored(cmp.Op), cmp.Args[0])
}

// mirrored is the comparison with its operands swapped.
func mirrored(op Op) Op {
	switch op {
	case OpLt:
		return OpGt
	case OpLe:
		return OpGe
	case OpGt:
		return OpLt
	case OpGe:
		return OpLe
	}
	return op
}

// counts reports whether the test "v op bound" becomes false in time.
func (in *Instr) counts(v *Value, op Op, bound *Value) bool {
	const depth = 8 // of the bound's expression: bounds are short
	if v.Def != nil || v.Block != in.Cond() || !in.fixed(bound, depth) {
		return false
	}
	k := v.index()
	step, ok := in.step(k)
	if !ok {
		return false
	}
	for _, c := range in.exits(OpContinue, nil) {
		if c.Args[k] != v {
			return false
		}
	}
	limit, known := bound.Const()
	return comesToFalse(v.Type, op, step, limit, known)
}

// fixed reports whether a value that Cond sees is the same in every turn.
func (in *Instr) fixed(v *Value, depth int) bool {
	if v.home() != in.Cond() {
		return true
	}
	if v.Def == nil || ops[v.Def.Op].effect != Pure || depth == 0 {
		return false
	}
	for _, a := range v.Def.Args {
		if !in.fixed(a, depth-1) {
			return false
		}
	}
	return true
}

// step is what Post adds to the variable k, as the bits of its type.
func (in *Instr) step(k int) (step int64, ok bool) {
	param := in.Post().Params[k]
	d := in.Post().Terminator().Args[k].Def
	if d == nil || d.Op != OpAdd && d.Op != OpSub {
		return 0, false
	}
	x, by := d.Args[0], d.Args[1]
	if d.Op == OpAdd && by == param {
		x, by = by, x
	}
	c, ok := by.Const()
	if !ok || x != param {
		return 0, false
	}
	if d.Op == OpSub {
		return -c.Int(), true
	}
	return c.Int(), true
}

// comesToFalse reports whether counting by step makes "v op limit" false before v can
// wrap around. A step of 1 meets every number; a longer one needs room after a
// known limit.
func comesToFalse(t Type, op Op, step int64, limit Const, known bool) bool {
	switch op {
	case OpEq:
		return false
	case OpNe:
		return step == 1 || step == -1
	case OpGt, OpGe:
		step = -step // from here on, towards the limit
	}
	if step == 1 && (op == OpLt || op == OpGt) {
		return true
	}
	return known && step > 0 && room(t, op, limit) >= uint64(step)
}

// room is how far a variable can count past the last value that passes the
// test, before it wraps around.
func room(t Type, op Op, limit Const) uint64 {
	lowest, highest := uint64(0), uint64(math.MaxUint64)>>(64-Bits(t))
	if IsSigned(t) {
		highest >>= 1
		lowest = ^highest
	}
	switch op {
	case OpLt:
		return highest - limit.bits + 1
	case OpLe:
		return highest - limit.bits
	case OpGt:
		return limit.bits - lowest + 1
	default:
		return limit.bits - lowest
	}
}
