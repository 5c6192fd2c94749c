package widen

import (
	"slices"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// A loop such as
//
//	for i := t.ID(); i < n; i += m { s += x[i] }
//
// reads some memory and goes far on. Processors see by themselves what is read next where it follows what was read
// before, but not there: without help each iteration waits for the memory.

// nearby is how many bytes an iteration may go on, so that the processor sees it.
const nearby = 2048

// ahead is how many iterations before they are read elements are asked for. With 4 the memory is not always there in
// time; with 16 what was asked for first begins to leave the cache (docs/measurements.md).
const ahead = 8

// farRows are rows of memory that a loop reads which all lanes are in.
type farRows struct {
	loop *ssa.Instr // of the thread's code
	do   *ssa.Block // of the code being made
	rows []address
}

// noteFar notes a row that is read.
func (w *widener) noteFar(a address) {
	known := func(b address) bool { return a.slice == b.slice && a.index == b.index }
	if w.far != nil && w.at == w.far.do && !slices.ContainsFunc(w.far.rows, known) {
		w.far.rows = append(w.far.rows, a)
	}
}

// prefetch asks for the elements of rows that later iterations read. It is at the end of an iteration, so that it parts
// no load from what is computed with it.
func (w *widener) prefetch() {
	if w.far == nil || w.at != w.far.do {
		return
	}
	for _, a := range w.far.rows {
		step := w.growth(a.index, maxTerms)
		if step == nil {
			continue
		}
		size := int64(a.elem().Size())
		if c, ok := step.Const(); ok && max(c.Int(), -c.Int()) <= nearby/size {
			continue
		}
		at := w.op(ssa.OpAdd, ssa.Int64, w.firstOf(a.index), w.op(ssa.OpMul, ssa.Int64, step, w.number(ahead)))
		w.append(&ssa.Instr{Op: ssa.OpPrefetch, Len: int32(w.lanes), Args: []*ssa.Value{w.same(a.slice), at}})
	}
}

// growth is how much an integer of the thread's code grows in an iteration of the loop, nil if that is not known.
func (w *widener) growth(v *ssa.Value, terms int) *ssa.Value {
	loop := w.far.loop
	if !v.IsInside(loop) {
		return w.number(0)
	}
	in := v.Def
	if in == nil {
		if v.Block != loop.Cond() {
			return nil
		}
		return w.stepOfVariable(v.Index())
	}
	if terms == 0 || in.Op != ssa.OpAdd && in.Op != ssa.OpSub {
		return nil
	}
	x, y := w.growth(in.Args[0], terms-1), w.growth(in.Args[1], terms-1)
	if x == nil || y == nil {
		return nil
	}
	return w.op(in.Op, ssa.Int64, x, y)
}

// stepOfVariable is what the loop adds to a variable in each iteration, nil if it does something else.
func (w *widener) stepOfVariable(k int) *ssa.Value {
	by, negative := analysis.Added(w.far.loop, k)
	if by == nil {
		return nil
	}
	step := w.again(by, maxTerms)
	if step != nil && negative {
		step = w.op(ssa.OpSub, ssa.Int64, w.number(0), step)
	}
	return step
}

// again computes an integer that all lanes agree on, and that is the same in all iterations of the loop, once more:
// where it is computed first cannot be seen from here. It is nil for one that takes too long.
func (w *widener) again(v *ssa.Value, terms int) *ssa.Value {
	if !w.facts.IsUniform(v) {
		return nil
	}
	if !v.IsInside(w.far.loop) {
		return w.same(v)
	}
	in := v.Def
	if in == nil || terms == 0 {
		return nil
	}
	switch in.Op {
	case ssa.OpConst, ssa.OpAdd, ssa.OpSub, ssa.OpMul, ssa.OpThreadDim, ssa.OpLen:
	default:
		return nil
	}
	out := *in
	out.Args, out.Results, out.Block = nil, nil, nil
	for _, a := range in.Args {
		x := w.again(a, terms-1)
		if x == nil {
			return nil
		}
		out.Args = append(out.Args, x)
	}
	return w.at.Append(&out, v.Type).Result()
}
