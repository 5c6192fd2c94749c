package gradient

import (
	"slices"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// This file is about even loops. An even loop has other loops in it that keep numbers, and each of its turns keeps as many
// as every other turn. If the threads of a block share the turns of such a loop, some of them take one turn more than
// others. Behind the loop all of them go on from the same height, as if each had taken the most turns.
//
// So a thread that takes no turn makes room for what a turn of others keeps. It does so only if all threads come to the
// loop, and agree on how much a turn keeps. Otherwise it would compute that from the end of a loop that it never comes
// to, which may be any number.

// evenStacks are the stacks to which each turn of a loop, shared by the threads of a block, pushes as many numbers.
func (r *sweep) evenStacks(loop *ssa.Instr) (list []*stack) {
	t, ok := r.tripOf(loop)
	if !ok || !t.isShare() || r.isGrid() || r.quiet > 0 {
		return nil
	}
	for _, s := range sortedStacks(r.stacks) {
		if s.top != nil && !r.isAlone(loop, s.elem) && r.isEven(loop, s.elem) {
			list = append(list, s)
		}
	}
	return list
}

// isEven reports whether each turn of a loop keeps the same number of numbers of a type.
func (d *differ) isEven(loop *ssa.Instr, b ssa.Basic) bool {
	isCommon := func(v *ssa.Value) bool {
		return v == nil || ssa.IsConst(v) || !within(v, loop) && d.divergence.Of(v) == analysis.Uniform
	}
	if t, _ := d.tripOf(loop); d.strips[loop] != nil || !isCommon(t.to) || !d.comesTogether(loop) {
		return false
	}
	for inner := range d.pushes {
		if inner == loop || !inner.Within(loop) || d.numbers(inner, b) == 0 {
			continue
		}
		for o := inner; o != loop; o = o.Block.Owner {
			if o.Op != ssa.OpLoop || d.strips[o] != nil || o.Block.Owner.Op != ssa.OpLoop || o.Block != o.Block.Owner.Do() {
				return false
			}
			t, ok := d.tripOf(o)
			if t = t.most(); !ok || !isCommon(t.from) || !isCommon(t.to) || !isCommon(t.by.of) {
				return false
			}
		}
	}
	return true
}

// comesTogether reports whether all threads of a block come to a loop if one does: they agree on what decides about that,
// or there is a barrier in the same block.
func (d *differ) comesTogether(loop *ssa.Instr) bool {
	if slices.ContainsFunc(loop.Block.Instrs, func(in *ssa.Instr) bool { return in.Op == ssa.OpSync }) {
		return true
	}
	return !slices.ContainsFunc(d.divergence.Conditions(loop), func(in *ssa.Instr) bool {
		return d.divergence.Of(analysis.Condition(in)) != analysis.Uniform
	})
}

// ofEachTurn is how many numbers of a type each turn of a loop keeps. Value gives values of the kernel where it is needed.
func (r *sweep) ofEachTurn(loop *ssa.Instr, b ssa.Basic, value func(v *ssa.Value) *ssa.Value) *ssa.Value {
	sum := r.int(r.numbers(loop, b))
	for _, inner := range loop.Do().Instrs {
		if inner.Op != ssa.OpLoop || r.numbers(inner, b) == 0 && r.isAlone(inner, b) {
			continue
		}
		t, _ := r.tripOf(inner)
		sum = r.op(ssa.OpAdd, ssa.Int64, sum, r.op(ssa.OpMul, ssa.Int64, r.turnsOf(t.most(), value), r.ofEachTurn(inner, b, value)))
	}
	return sum
}
