package split

import (
	"slices"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// This file has what is added to an index before it is clamped: constants, numbers that are the same for the whole row,
// counters of loops, and the divisor of the remainder that is taken of it.

// moved is the form of x+y or x-y, where x is an index or the counter of a loop.
func moved(op ssa.Op, x, y form) (form, bool) {
	if op != ssa.OpAdd && op != ssa.OpSub {
		return form{}, false
	}
	var by form
	switch {
	case y.kind == formUniform:
		by.offset, by.low, by.high = y.at.offset, y.at.base, y.at.base
		by.needRoom(y.at)
	case y.kind == formSmall:
		by = y
	default:
		return form{}, false
	}
	if !near(by.offset) || !near(by.reach) {
		return form{}, false
	}
	if op == ssa.OpSub {
		by.offset = -by.offset - by.reach
		by.low, by.high = difference(nil, by.high), difference(nil, by.low)
	}
	x.offset += by.offset
	x.reach += by.reach
	x.low, x.high = sum(x.low, by.low), sum(x.high, by.high)
	x.rooms = append(slices.Clip(x.rooms), by.rooms...)
	x.counted = x.counted || by.counted
	return x, near(x.offset) && near(x.reach) && parts(x.low) <= maxBound && parts(x.high) <= maxBound && len(x.rooms) <= maxRooms
}

// needRoom notes that a number is added to an index, or is what another one is compared with.
func (f *form) needRoom(u uniform) {
	if !u.constant && !u.bounded {
		f.rooms = append(f.rooms, u.base)
	}
}

// room bounds an interior to nothing unless a number is between -maxRoom and maxRoom: a few of these, and an index, have a
// sum that does not wrap. Where the bounds themselves wrap they are negative.
func room(of *ssa.RowValue) []bound {
	most := &ssa.RowValue{Op: ssa.OpConst, Type: ssa.Int64, Const: maxRoom}
	return []bound{{at: uniform{base: sum(of, most)}}, {at: uniform{base: difference(most, of)}}}
}

// sum is x+y; nil is 0.
func sum(x, y *ssa.RowValue) *ssa.RowValue {
	switch {
	case x == nil:
		return y
	case y == nil:
		return x
	}
	if of := negated(y); of != nil {
		return difference(x, of)
	}
	return &ssa.RowValue{Op: ssa.OpAdd, Type: ssa.Int64, Args: []*ssa.RowValue{x, y}}
}

// difference is x-y; nil is 0.
func difference(x, y *ssa.RowValue) *ssa.RowValue {
	if y == nil {
		return x
	}
	if of := negated(y); of != nil {
		return sum(x, of)
	}
	if x == nil {
		x = &ssa.RowValue{Op: ssa.OpConst, Type: ssa.Int64}
	}
	return &ssa.RowValue{Op: ssa.OpSub, Type: ssa.Int64, Args: []*ssa.RowValue{x, y}}
}

// negated is x of a value that is -x, nil for others.
func negated(v *ssa.RowValue) *ssa.RowValue {
	if v.Op == ssa.OpSub && v.Plus == 0 && v.Args[0].Op == ssa.OpConst && v.Args[0].Const == 0 && v.Args[0].Plus == 0 {
		return v.Args[1]
	}
	return nil
}

// counter is the form of the variable of a loop, in the loop's body.
func (w *forms) counter(v *ssa.Value) form {
	loop := v.Block.Owner
	if loop == nil || loop.Op != ssa.OpLoop || v.Block != loop.Cond() || v.Type != ssa.Int64 {
		return form{}
	}
	test := loop.Cond().Terminator().Args[0].Def
	if test == nil || len(test.Args) != 2 || test.Args[0] != v && test.Args[1] != v {
		return form{}
	}
	step, steps := analysis.Step(loop, v.Index())
	if !steps || !near(step) || !analysis.OnlyPostChanges(loop, v.Index()) {
		return form{}
	}
	turns, ok := analysis.Turns(loop)
	first, isConst := loop.Args[v.Index()].Const()
	if !ok || !isConst {
		return w.between(loop, v, test, step)
	}
	if turns < 1 || !near(first.Int()) || !near(turns) || !near(step*(turns-1)) {
		return form{}
	}
	f := form{kind: formSmall, offset: first.Int(), reach: step * (turns - 1), counted: true}
	if f.reach < 0 {
		f.offset, f.reach = f.offset+f.reach, -f.reach
	}
	return f
}

// between is the form of the variable of a loop that counts from a number, which is the same for the whole row, to another
// one. If both are small it does not wrap.
func (w *forms) between(loop *ssa.Instr, v *ssa.Value, test *ssa.Instr, step int64) form {
	w.memo[v] = form{} // while the bound is looked at
	op, bound := analysis.ComparedTo(test, v)
	low, high := w.of(loop.Args[v.Index()]), w.of(bound)
	if low.kind != formUniform || high.kind != formUniform {
		return form{}
	}
	below, above := int64(0), int64(0)
	switch {
	case step > 0 && op == ssa.OpLt:
		above = -1
	case step > 0 && op == ssa.OpLe:
	case step < 0 && op == ssa.OpGt:
		low, high, below = high, low, 1
	case step < 0 && op == ssa.OpGe:
		low, high = high, low
	default:
		return form{}
	}
	f := form{kind: formSmall, counted: true, low: low.at.base, high: high.at.base}
	f.offset = low.at.offset + below
	f.reach = high.at.offset + above - f.offset
	if !near(low.at.offset) || !near(high.at.offset) {
		return form{}
	}
	f.needRoom(low.at)
	f.needRoom(high.at)
	return f
}

// inTest reports whether an instruction is in the test of a loop, or in what is done after each iteration. There
// the loop's variables may have other values than in the body.
func inTest(in *ssa.Instr) bool {
	for b := in.Block; b.Owner != nil; b = b.Owner.Block {
		if b.Owner.Op == ssa.OpLoop && b != b.Owner.Do() {
			return true
		}
	}
	return false
}

// decideRemainder makes a clamping of a remainder that can be one: index + offset less than the divisor, and not
// negative, is the remainder itself; so is what is less than twice the divisor, without the divisor that was added
// to it.
func (w *forms) decideRemainder(in *ssa.Instr) {
	x, y := w.of(in.Args[0]), w.of(in.Args[1])
	if x.kind != formIndex || y.kind != formUniform || y.at.constant && y.at.offset < w.table.nearBegin {
		return
	}
	if x.isIndex() {
		return // nobody lets the index itself wrap: it is taken apart, or a table is read again and again
	}
	to := y.at
	if to.constant && to.offset > maxOffset {
		to.offset = maxOffset
	}
	var bounds []bound
	if x.offset < 0 {
		bounds = append(bounds, bound{from: true, at: uniform{constant: true, offset: -x.offset}})
	}
	once := x.low != nil || x.high != nil
	if once {
		if y.at.constant || y.at.offset != 0 || x.low != x.high || x.low.String() != y.at.base.String() {
			return
		}
		if !y.at.bounded { // the sum must not wrap: if it would, this is negative, and nothing is in the interior
			room := &ssa.RowValue{Op: ssa.OpConst, Type: ssa.Int64, Const: 8 * maxOffset}
			bounds = append(bounds, bound{at: uniform{base: &ssa.RowValue{Op: ssa.OpAdd, Type: ssa.Int64, Args: []*ssa.RowValue{y.at.base, room}}}})
		}
	}
	to.offset -= x.offset + x.reach
	w.clampings[in] = clamping{once: once}
	w.bounds = append(w.bounds, append(bounds, bound{at: to})...)
}

// isIndex reports whether nothing is added to an index.
func (f form) isIndex() bool { return f.offset == 0 && f.reach == 0 && f.low == nil && f.high == nil }
