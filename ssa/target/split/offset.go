package split

import (
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// This file has what is added to an index before it is clamped: constants, counters of short loops, and the divisor
// of the remainder that is taken of it.

// moved is the form of x+y or x-y, where x is an index or the counter of a loop.
func moved(op ssa.Op, x, y form) (form, bool) {
	var least, reach int64
	switch {
	case op != ssa.OpAdd && op != ssa.OpSub:
		return form{}, false
	case y.kind == formUniform && y.at.constant:
		least = y.at.offset
	case y.kind == formSmall:
		least, reach = y.offset, y.reach
	case x.kind == formIndex && x.added == nil && op == ssa.OpAdd && y.kind == formUniform:
		x.added = y.at.base
		least = y.at.offset
	default:
		return form{}, false
	}
	if !near(least) || !near(reach) {
		return form{}, false
	}
	if op == ssa.OpSub {
		least = -least - reach
	}
	x.offset += least
	x.reach += reach
	return x, near(x.offset) && near(x.reach)
}

// counter is the form of the variable of a loop, in the loop's body.
func (w *forms) counter(v *ssa.Value) form {
	loop := v.Block.Owner
	if loop == nil || loop.Op != ssa.OpLoop || v.Block != loop.Cond() || v.Type != ssa.Int64 || !w.table.IsUnrolled(loop) {
		return form{}
	}
	turns, _ := analysis.Turns(loop)
	test := loop.Cond().Terminator().Args[0].Def
	if test == nil || test.Args[0] != v && test.Args[1] != v || turns < 1 {
		return form{}
	}
	first, isConst := loop.Args[v.Index()].Const()
	step, steps := analysis.Step(loop, v.Index())
	if !isConst || !steps || !near(first.Int()) || !near(step) {
		return form{}
	}
	f := form{kind: formSmall, offset: first.Int(), reach: step * (turns - 1)}
	if f.reach < 0 {
		f.offset, f.reach = f.offset+f.reach, -f.reach
	}
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
	to := y.at
	if to.constant && to.offset > maxOffset {
		to.offset = maxOffset
	}
	var bounds []bound
	if x.offset < 0 {
		bounds = append(bounds, bound{from: true, at: uniform{constant: true, offset: -x.offset}})
	}
	if x.added != nil {
		if y.at.constant || y.at.offset != 0 || x.added.String() != y.at.base.String() {
			return
		}
		if !y.at.bounded { // the sum must not wrap: if it would, this is negative, and nothing is in the interior
			room := &ssa.RowValue{Op: ssa.OpConst, Type: ssa.Int64, Const: 8 * maxOffset}
			bounds = append(bounds, bound{at: uniform{base: &ssa.RowValue{Op: ssa.OpAdd, Type: ssa.Int64, Args: []*ssa.RowValue{y.at.base, room}}}})
		}
	}
	to.offset -= x.offset + x.reach
	w.clampings[in] = clamping{once: x.added != nil}
	w.bounds = append(w.bounds, append(bounds, bound{at: to})...)
}
