package analysis

import (
	"math"

	"github.com/qdgen/qd/ssa"
)

// Finite reports whether a loop is sure to take a finite number of iterations, if
// what is inside it does: whether it never comes to a second one, or counts one
// of its integer variables towards a bound that does not change, in steps that
// cannot miss it. Go keeps a loop that does not end, so that only such a loop
// can be removed.
func Finite(in *ssa.Instr) bool {
	test := in.Cond().Terminator().Args[0]
	if c, ok := test.Const(); ok && !c.Bool() || !in.IsTargetOf(ssa.OpContinue) {
		return true
	}
	cmp := test.Def
	if cmp == nil || cmp.Block != in.Cond() || !cmp.Op.IsComparison() || !ssa.IsInteger(cmp.Args[0].Type) {
		return false
	}
	return counts(in, cmp.Args[0], cmp.Op, cmp.Args[1]) || counts(in, cmp.Args[1], Mirrored(cmp.Op), cmp.Args[0])
}

// Mirrored is the comparison with its operands swapped.
func Mirrored(op ssa.Op) ssa.Op {
	switch op {
	case ssa.OpLt:
		return ssa.OpGt
	case ssa.OpLe:
		return ssa.OpGe
	case ssa.OpGt:
		return ssa.OpLt
	case ssa.OpGe:
		return ssa.OpLe
	}
	return op
}

// counts reports whether the test "v op bound" becomes false in time.
func counts(in *ssa.Instr, v *ssa.Value, op ssa.Op, bound *ssa.Value) bool {
	const depth = 8 // of the bound's expression: bounds are short
	if v.Def != nil || v.Block != in.Cond() || !fixed(in, bound, depth) {
		return false
	}
	k := v.Index()
	step, ok := Step(in, k)
	if !ok && StepOfBlock(in, k) != nil {
		step, ok = ssa.MaxLanes, true // the largest it can be: what does not wrap with it does not with a smaller one
	}
	if !ok || !OnlyPostChanges(in, k) {
		return false
	}
	limit, isConst := bound.Const()
	return comesToFalse(v.Type, op, step, limit, isConst)
}

// OnlyPostChanges reports whether the body of a loop hands on variable k as it is.
func OnlyPostChanges(in *ssa.Instr, k int) bool {
	var exits [4]*ssa.Instr // most loops have fewer
	for _, c := range in.Exits(ssa.OpContinue, exits[:0]) {
		if c.Args[k] != in.Cond().Params[k] {
			return false
		}
	}
	return true
}

// ComparedTo is how a comparison compares a value that may be either of its operands, and with what: nil if it is neither.
func ComparedTo(cmp *ssa.Instr, v *ssa.Value) (op ssa.Op, with *ssa.Value) {
	switch v {
	case cmp.Args[0]:
		return cmp.Op, cmp.Args[1]
	case cmp.Args[1]:
		return Mirrored(cmp.Op), cmp.Args[0]
	}
	return cmp.Op, nil
}

// And gives the operands of a bool that is a && b: the result of an If, which is false without a. There is no b if its
// block ends elsewhere.
func And(v *ssa.Value) (a, b *ssa.Value, ok bool) {
	in, k := v.Def, v.Index()
	then, els := in.Then().Terminator(), in.Else().Terminator()
	if els.Op != ssa.OpYield {
		return nil, nil, false
	}
	if c, ok := els.Args[k].Const(); !ok || c.Bool() {
		return nil, nil, false
	}
	if then.Op == ssa.OpYield {
		b = then.Args[k]
	}
	return in.Args[0], b, true
}

// fixed reports whether a value that Cond sees is the same in every iteration.
func fixed(in *ssa.Instr, v *ssa.Value, depth int) bool {
	if v.Home() != in.Cond() {
		return true
	}
	if v.Def == nil || v.Def.Op.Effect() != ssa.Pure || depth == 0 {
		return false
	}
	for _, a := range v.Def.Args {
		if !fixed(in, a, depth-1) {
			return false
		}
	}
	return true
}

// Step is the number that Post adds to variable k, as the bits of its type.
func Step(in *ssa.Instr, k int) (step int64, ok bool) {
	by, negative := Added(in, k)
	if by == nil {
		return 0, false
	}
	c, ok := by.Const()
	if !ok {
		return 0, false
	}
	if negative {
		return -c.Int(), true
	}
	return c.Int(), true
}

// StepOfBlock is the number of threads of a block, if Post adds it to variable k, or else nil.
func StepOfBlock(in *ssa.Instr, k int) *ssa.Value {
	if by, negative := Added(in, k); by != nil && !negative && by.Def != nil && by.Def.Op == ssa.OpBlockDim && !by.Def.Within(in) {
		return by
	}
	return nil
}

// Added is what Post adds to variable k, or subtracts from it, nil for anything else.
func Added(in *ssa.Instr, k int) (by *ssa.Value, negative bool) {
	param := in.Post().Params[k]
	d := in.Post().Terminator().Args[k].Def
	if d == nil || d.Op != ssa.OpAdd && d.Op != ssa.OpSub {
		return nil, false
	}
	x, by := d.Args[0], d.Args[1]
	if d.Op == ssa.OpAdd && by == param {
		x, by = by, x
	}
	if x != param {
		return nil, false
	}
	return by, d.Op == ssa.OpSub
}

// Turns is how often the body of a loop runs at most, if it counts from one constant to another. A variable may wrap around
// on its way, as in for i := uint8(5); i != 3; i++.
func Turns(in *ssa.Instr) (n int64, ok bool) {
	if !in.IsTargetOf(ssa.OpContinue) {
		return 1, true
	}
	cmp := in.Cond().Terminator().Args[0].Def
	if cmp == nil || !cmp.Op.IsComparison() || !Finite(in) {
		return 0, false
	}
	v, op, bound := cmp.Args[0], cmp.Op, cmp.Args[1]
	if v.Def != nil {
		v, op, bound = bound, Mirrored(op), v
	}
	if v.Def != nil || v.Block != in.Cond() || v.Type == ssa.Uint64 {
		return 0, false
	}
	first, firstConst := in.Args[v.Index()].Const()
	last, lastConst := bound.Const()
	step, steps := Step(in, v.Index())
	if !firstConst || !lastConst || !steps {
		return 0, false
	}
	return turns(v.Type, op, first.Int(), last.Int(), step)
}

// turns is how often "v op last" holds for a variable that counts by step from first, and does not wrap around unless op
// is OpNe. It is not ok if that is more than an int64 holds.
func turns(t ssa.Type, op ssa.Op, first, last, step int64) (n int64, ok bool) {
	if op == ssa.OpGt || op == ssa.OpGe || op == ssa.OpNe && step < 0 { // the same way up
		first, last, step = last, first, -step
	}
	far := uint64(last) - uint64(first) // of two int64 it may need all 64 bits
	switch {
	case step <= 0, op == ssa.OpEq, op == ssa.OpNe && step != 1:
		return 0, false
	case op == ssa.OpNe:
		far &= math.MaxUint64 >> (64 - 8*t.Size())
	case last < first:
		far = 0
	case op == ssa.OpLe || op == ssa.OpGe:
		far = min(far/uint64(step), math.MaxInt64) + 1
	case far > 0:
		far = (far-1)/uint64(step) + 1
	}
	return int64(far), far <= math.MaxInt64
}

// comesToFalse reports whether counting by step makes "v op limit" false before v can
// wrap around. A step of 1 meets every number; a longer one needs room after a
// constant limit.
func comesToFalse(t ssa.Type, op ssa.Op, step int64, limit ssa.Const, isConst bool) bool {
	switch op {
	case ssa.OpEq:
		return false
	case ssa.OpNe:
		return step == 1 || step == -1
	case ssa.OpGt, ssa.OpGe:
		step = -step // from here on, towards the limit
	}
	if step == 1 && (op == ssa.OpLt || op == ssa.OpGt) {
		return true
	}
	return isConst && step > 0 && room(t, op, limit) >= uint64(step)
}

// room is how far a variable can count past the last value that passes the
// test, before it wraps around.
func room(t ssa.Type, op ssa.Op, limit ssa.Const) uint64 {
	lowest, highest := uint64(0), uint64(math.MaxUint64)>>(64-ssa.Bits(t))
	if ssa.IsSigned(t) {
		highest >>= 1
		lowest = ^highest
	}
	switch op {
	case ssa.OpLt:
		return highest - limit.Uint() + 1
	case ssa.OpLe:
		return highest - limit.Uint()
	case ssa.OpGt:
		return limit.Uint() - lowest + 1
	default:
		return limit.Uint() - lowest
	}
}
