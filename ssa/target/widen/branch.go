package widen

import (
	"cmp"
	"slices"
	"strings"

	"github.com/qdgen/qd/ssa"
)

// branches translates an If.
func (w *widener) branches(in *ssa.Instr) {
	yields := func(end *ssa.Instr) (parts []*ssa.Value) {
		for k, r := range in.Results {
			parts = append(parts, w.parts(end.Args[k], r)...)
		}
		return parts
	}
	if w.facts.IsUniform(in.Args[0]) {
		parts := w.choose(w.same(in.Args[0]),
			func() []*ssa.Value { return w.block(in.Then(), 0, yields) },
			func() []*ssa.Value { return w.block(in.Else(), 0, yields) })
		if parts != nil {
			w.takeAll(in.Results, parts)
		}
		return
	}

	w.remarkBranch(in)
	here, lost := w.env.mask, w.env.lost
	cond := w.vecOf(in.Args[0])
	side := func(b *ssa.Block, mask *ssa.Value) (parts []*ssa.Value, after env) {
		w.env.mask, w.env.gone, w.env.lost = mask, false, lost
		run := func() []*ssa.Value { return w.block(b, 0, yields) }
		if w.isFlat(b) {
			parts = run()
		} else {
			parts = w.wanted(mask, run)
		}
		return parts, w.env
	}
	then, afterThen := side(in.Then(), w.both(here, cond))
	els, afterElse := side(in.Else(), w.without(here, cond))
	w.joinResults(in, cond, then, els)
	switch {
	case !w.hasExits(in.Then()) && !w.hasExits(in.Else()):
		w.env.mask, w.env.gone, w.env.lost = here, false, lost
	case afterThen.gone && afterElse.gone:
		w.env.gone = true
	case afterThen.gone:
		w.env.mask, w.env.gone, w.env.lost = afterElse.mask, false, true
	case afterElse.gone:
		w.env.mask, w.env.gone, w.env.lost = afterThen.mask, false, true
	default:
		w.env.mask, w.env.gone, w.env.lost = w.either(afterThen.mask, afterElse.mask), false, true
	}
}

// remarkBranch says how the lanes go through an If on which they do not agree.
func (w *widener) remarkBranch(in *ssa.Instr) {
	if w.summaries.Remarks == nil {
		return
	}
	var tested, flat []string
	for i, b := range in.Blocks {
		name := []string{"then", "else"}[i]
		switch {
		case len(b.Instrs) <= 1: // nothing but its end
		case w.isFlat(b):
			flat = append(flat, name)
		default:
			tested = append(tested, name)
		}
	}
	text := "a mask says which lanes want which branch, because the condition " + in.Args[0].Expr() + " differs between threads"
	if len(flat) > 0 {
		text += "; all lanes run " + strings.Join(flat, " and ") + ", and results are selected"
	}
	if len(tested) > 0 {
		text += "; " + strings.Join(tested, " and ") + " run where a lane wants them, under the mask"
	}
	w.summaries.Remarks.On("mask", ssa.Note, in, "%s", text)
}

// joinResults makes the results of an If whose blocks have been run one after the other.
func (w *widener) joinResults(in *ssa.Instr, cond *ssa.Value, then, els []*ssa.Value) {
	t, e := in.Then().Terminator(), in.Else().Terminator()
	for k, r := range in.Results {
		n := len(w.partTypes(r))
		var parts []*ssa.Value
		switch {
		case then != nil && els != nil && t.Args[k] == e.Args[k]:
			parts = w.parts(t.Args[k], r)
		case then != nil && els != nil:
			for i := range n {
				parts = append(parts, w.op(ssa.OpSelect, then[i].Type, cond, then[i], els[i]))
			}
		case then != nil:
			parts = then[:n]
		case els != nil:
			parts = els[:n]
		default:
			return // no lane comes to where they are used
		}
		w.take(r, parts)
		if then != nil {
			then = then[n:]
		}
		if els != nil {
			els = els[n:]
		}
	}
}

// isFlat reports whether all lanes run a block, and not just those that want it: it does no harm, and takes less
// than finding out.
func (w *widener) isFlat(b *ssa.Block) bool {
	flat := speculative(b.Instrs) && w.table.weightOf(b.Instrs) <= w.table.freely
	b.Walk(func(in *ssa.Instr) {
		switch in.Op {
		case ssa.OpBreak, ssa.OpContinue, ssa.OpReturn:
			flat = flat && w.facts.Apart(in.Target)
		}
	})
	return flat
}

// A side is one block of an If that has been made.
type side struct {
	block  *ssa.Block
	env    env          // at its end
	ended  bool         // it ends in a jump that all lanes take
	parts  []*ssa.Value // of the If's results, nil if no lane comes to its end
	passed []*ssa.Value // what it yields
}

// choose makes an If. Its blocks give the parts of its results, nil if no lane comes to the end of one. What they
// change in slots, and in the mask, it passes on.
func (w *widener) choose(cond *ssa.Value, then, els func() []*ssa.Value) (parts []*ssa.Value) {
	in := w.append(&ssa.Instr{Op: ssa.OpIf, Args: []*ssa.Value{cond}})
	outer, before := w.at, w.env
	var sides [2]side
	for i, run := range []func() []*ssa.Value{then, els} {
		w.at, w.env, w.ended = in.NewBlock(), before, false
		parts := run()
		sides[i] = side{block: w.at, env: w.env, ended: w.ended, parts: parts}
	}
	a, b := &sides[0], &sides[1]
	w.at, w.ended = outer, a.ended && b.ended
	switch {
	case w.ended:
		w.append(&ssa.Instr{Op: ssa.OpUnreachable})
		return nil
	case a.ended:
		a = b
	case b.ended:
		b = a
	}

	w.env = env{mask: a.env.mask, gone: a.env.gone && b.env.gone, lost: a.env.lost || b.env.lost || a.env.gone != b.env.gone}
	// pass gives what is x at the end of one side, and y at that of the other; nil stands for zero.
	pass := func(t ssa.Type, x, y *ssa.Value) *ssa.Value {
		if x == y && x.Home() != a.block && x.Home() != b.block {
			return x
		}
		a.pass(x, t)
		if b != a {
			b.pass(y, t)
		}
		return in.AddResult(t, "")
	}
	for i := range max(len(a.parts), len(b.parts)) {
		x, y := at(a.parts, i), at(b.parts, i)
		t := x
		if t == nil {
			t = y
		}
		parts = append(parts, pass(t.Type, x, y))
	}
	if x, y := a.env.mask, b.env.mask; !w.env.gone && (x != y || a.env.gone != b.env.gone || x != nil && x.Home() == a.block) {
		w.env.mask = pass(w.vec(ssa.Bool), w.maskAt(a), w.maskAt(b))
	}
	if a.env.slots == before.slots && b.env.slots == before.slots {
		w.env.slots = before.slots
	} else {
		for _, s := range w.slotsIn(a.env, b.env) {
			w.env.fill(s, pass(w.slotType(s), a.env.value(s), b.env.value(s)))
		}
	}
	for i := range sides {
		if s := &sides[i]; !s.ended {
			w.at = s.block
			w.append(&ssa.Instr{Op: ssa.OpYield, Args: s.passed})
		}
	}
	w.at = outer
	return parts
}

// pass adds a value to what a side yields, nil for zero.
func (s *side) pass(v *ssa.Value, t ssa.Type) {
	if v == nil {
		v = s.block.AppendZero(t)
	}
	s.passed = append(s.passed, v)
}

// maskAt is the mask of the lanes at the end of a side, nil if there are none.
func (w *widener) maskAt(s *side) *ssa.Value {
	switch {
	case s.env.gone:
		return nil
	case s.env.mask == nil:
		w.at = s.block
		s.env.mask = w.splat(w.truth(true))
	}
	return s.env.mask
}

// at is an element of a list, nil behind its end.
func at(list []*ssa.Value, i int) *ssa.Value {
	if i < len(list) {
		return list[i]
	}
	return nil
}

// slotsIn are the slots that have a value at one of two places, in a fixed order.
func (w *widener) slotsIn(a, b env) (list []slot) {
	for _, f := range []*filled{a.slots, b.slots} {
		for ; f != nil; f = f.older {
			if !slices.Contains(list, f.slot) {
				list = append(list, f.slot)
			}
		}
	}
	slices.SortFunc(list, func(x, y slot) int {
		return cmp.Or(cmp.Compare(w.loops[x.loop].number, w.loops[y.loop].number), cmp.Compare(x.kind, y.kind), cmp.Compare(x.k, y.k), cmp.Compare(x.leaf, y.leaf))
	})
	return list
}
