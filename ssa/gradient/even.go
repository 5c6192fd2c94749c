package gradient

import "github.com/qdgen/qd/ssa"

// This file is about loops that keep as many numbers in each turn, of which loops within them keep some. If the threads of
// a block share the turns of such a loop, some of them take one turn more than others. All of them go on from the same
// height behind it, as if each had taken the most turns.

// evenStacks are the stacks of which that holds for a loop.
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

// isEven reports whether each turn of a loop keeps as many numbers of a type.
func (d *differ) isEven(loop *ssa.Instr, b ssa.Basic) bool {
	outside := func(v *ssa.Value) bool { return v == nil || ssa.IsConst(v) || !within(v, loop) }
	for inner := range d.pushes {
		if inner == loop || !inner.Within(loop) || d.numbers(inner, b) == 0 {
			continue
		}
		for o := inner; o != loop; o = o.Block.Owner {
			if o.Op != ssa.OpLoop || d.strips[o] != nil || o.Block.Owner.Op != ssa.OpLoop || o.Block != o.Block.Owner.Do() {
				return false
			}
			if t, ok := d.tripOf(o); !ok || !outside(t.from) || !outside(t.to) || !outside(t.by.of) {
				return false
			}
		}
	}
	return d.strips[loop] == nil
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
