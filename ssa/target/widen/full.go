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
// which lanes leave at different times, has all of them for most of its iterations. In front of it is a copy that runs
// as long as this is so, which one comparison of integers tells: no access in it needs a mask.

// A span is the test of a loop on an integer that grows by the same from each lane to the next.
type span struct {
	op     ssa.Op
	x, end *ssa.Value // of the thread's code: x op end
	stride int64
}

// spanOf is the span of a loop that lanes leave by its test only.
func (w *widener) spanOf(in *ssa.Instr) (s span, ok bool) {
	test := in.Cond().Terminator().Args[0].Def
	if test == nil || len(test.Args) != 2 || test.Block != in.Cond() || in.Do().HasLoop() || in.IsTargetOf(ssa.OpBreak) ||
		w.table.weightOf(in.Cond().Instrs)+w.table.weightOf(in.Do().Instrs) > w.table.full {
		return s, false
	}
	if end := in.Do().Terminator(); end.Op != ssa.OpContinue || len(in.Exits(ssa.OpContinue, nil)) != 1 {
		return s, false
	}
	// Behind the copy the loop goes on with the test that ended it: what the test does is done again.
	writes := false
	for _, x := range in.Cond().Instrs {
		writes = writes || w.summaries.Effects(x).Has(analysis.Acts)
	}
	leaves := false
	w.exitsOf(in.Do(), func(e *ssa.Instr) { leaves = leaves || e.Target != in })
	s = span{op: test.Op, x: test.Args[0], end: test.Args[1]}
	if w.facts.IsUniform(s.x) {
		s.op, s.x, s.end = analysis.Mirrored(s.op), s.end, s.x
	}
	stride, ok := w.facts.Stride(s.x)
	s.stride = stride
	up := (s.op == ssa.OpLt || s.op == ssa.OpLe) && stride > 0
	down := (s.op == ssa.OpGt || s.op == ssa.OpGe) && stride < 0
	return s, !writes && !leaves && ok && w.facts.IsUniform(s.end) && (up || down) && max(stride, -stride) < 1<<20
}

// ends are what the first and the last lane compare.
func (w *widener) ends(s span) (first, last *ssa.Value) {
	first = w.firstOf(s.x)
	return first, w.op(ssa.OpAdd, ssa.Int64, first, w.number(s.stride*int64(w.lanes-1)))
}

// holds is whether the test holds in all lanes: in the last one, if it is not on the other side of an overflow.
func (w *widener) holds(s span) *ssa.Value {
	first, last := w.ends(s)
	order := ssa.OpLe
	if s.stride < 0 {
		order = ssa.OpGe
	}
	return w.op(ssa.OpAnd, ssa.Bool, w.op(s.op, ssa.Bool, last, w.same(s.end)), w.op(order, ssa.Bool, first, last))
}

// anyHolds is whether the test may hold in any lane: in the first one, or in one on the other side of an overflow.
func (w *widener) anyHolds(s span) *ssa.Value {
	first, last := w.ends(s)
	beyond := ssa.OpGt
	if s.stride < 0 {
		beyond = ssa.OpLt
	}
	return w.op(ssa.OpOr, ssa.Bool, w.op(s.op, ssa.Bool, first, w.same(s.end)), w.op(beyond, ssa.Bool, first, last))
}

// full makes the copy of a loop that has all lanes. It begins with the parts of the loop's variables, and gives those
// with which the loop goes on.
func (w *widener) full(in *ssa.Instr, l *loop, s span, init []*ssa.Value) []*ssa.Value {
	l.full = true
	defer func() { l.full = false }()
	if g := w.groupsOf(in); g != nil {
		return g.full(l, s, init)
	}
	outer, before := w.at, w.env
	l.made = w.append(&ssa.Instr{Op: ssa.OpLoop, Label: in.Label, Rolled: in.Rolled, Args: slices.Clone(init)})
	for _, v := range init {
		l.made.AddResult(v.Type, v.Name)
	}
	begin := func(params []*ssa.Value) {
		b := l.made.NewBlock()
		for _, p := range params {
			w.addParams(b, p)
		}
		w.takeAll(params, b.Params)
		w.at, w.env, w.ended = b, before, false
	}
	begin(in.Cond().Params)
	w.block(in.Cond(), 0, func(*ssa.Instr) []*ssa.Value { return nil })
	w.append(&ssa.Instr{Op: ssa.OpTest, Args: []*ssa.Value{w.holds(s)}})

	begin(nil)
	w.far = &farRows{loop: in, do: w.at}
	w.block(in.Do(), 0, nil)
	w.far = nil

	begin(in.Post().Params)
	next := w.block(in.Post(), 0, w.nexts(in))
	w.append(&ssa.Instr{Op: ssa.OpYield, Args: next})

	w.at, w.env, w.ended = outer, before, false
	return l.made.Results
}
