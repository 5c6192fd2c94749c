package widen

import (
	"slices"

	"github.com/qdgen/qd/ssa"
)

// This file keeps what lanes have said that have left the code being made: by a break out of a loop, or by a
// continue, where others stay. It waits in slots until the others have come there. A slot is like a variable: each
// place of the code has its own value of it, and Ifs and loops pass it on.

// slotKind is what a slot is for.
type slotKind uint8

const (
	atPost  slotKind = iota // the mask of the lanes that have continued a loop, in this iteration
	forPost                 // what a variable of the loop is for them
	result                  // what a variable of the loop was when they left it
	left                    // the mask of the lanes that have left the loop for what follows it
)

type slot struct {
	kind slotKind
	loop *ssa.Instr // of the thread's code
	k    int        // which variable,
	leaf int        // and which leaf of it
}

// env has what is computed so far at a place of the code being made.
type env struct {
	mask  *ssa.Value // of the lanes that are here, nil for all
	gone  bool       // no lane is here
	lost  bool       // there may be no lane here
	slots *filled
}

// A filled is a slot with its value, in a list in which the newest one of a slot counts, nil for none. A list never
// changes, so the lists of several places share what they have in common.
type filled struct {
	slot  slot
	value *ssa.Value
	older *filled
}

// value is what is in a slot, nil for nothing.
func (e *env) value(s slot) *ssa.Value {
	for f := e.slots; f != nil; f = f.older {
		if f.slot == s {
			return f.value
		}
	}
	return nil
}

func (e *env) fill(s slot, v *ssa.Value) { e.slots = &filled{s, v, e.slots} }

// here is the mask of the lanes that are here.
func (w *widener) here() *ssa.Value {
	if w.env.mask == nil {
		w.env.mask = w.splat(w.truth(true))
	}
	return w.env.mask
}

// slotsOf are the slots of a terminator's target that it changes.
func (w *widener) slotsOf(exit *ssa.Instr) (list []slot) {
	loop := exit.Target
	if exit.Op == ssa.OpContinue {
		list = append(list, slot{kind: atPost, loop: loop})
		for k, p := range loop.Post().Params {
			for i := range w.partTypes(p) {
				list = append(list, slot{forPost, loop, k, i})
			}
		}
		return list
	}
	return w.loops[loop].own
}

// slotType is the type of what is in a slot.
func (w *widener) slotType(s slot) ssa.Type {
	switch s.kind {
	case forPost:
		return w.partTypes(s.loop.Post().Params[s.k])[s.leaf]
	case result:
		return w.partTypes(s.loop.Results[s.k])[s.leaf]
	}
	return w.vec(ssa.Bool)
}

// leave lets lanes leave a loop for what follows it, with values of its variables.
func (w *widener) leave(loop *ssa.Instr, mask *ssa.Value, with []*ssa.Value) {
	if s := (slot{kind: left, loop: loop}); slices.Contains(w.loops[loop].own, s) {
		w.env.fill(s, w.either(w.env.value(s), mask))
	}
	for _, s := range w.loops[loop].own {
		if s.kind == result {
			w.hand(s, mask, with)
		}
	}
}

// hand puts what lanes leave a loop with into the slot of a result.
func (w *widener) hand(s slot, mask *ssa.Value, with []*ssa.Value) {
	v := w.vecsOf(with[s.k])[s.leaf]
	w.env.fill(s, w.op(ssa.OpSelect, v.Type, mask, v, w.env.value(s)))
}

// proceed lets the lanes that are here wait for the loop's next iteration.
func (w *widener) proceed(exit *ssa.Instr) {
	waiting := slot{kind: atPost, loop: exit.Target}
	before := w.env.value(waiting)
	for k, p := range exit.Target.Post().Params {
		for i, v := range w.parts(exit.Args[k], p) {
			s := slot{forPost, exit.Target, k, i}
			if old := w.env.value(s); before != nil && old != nil && !w.facts.IsUniform(p) && !w.isLinear(p) {
				v = w.op(ssa.OpSelect, v.Type, w.here(), v, old)
			}
			w.env.fill(s, v)
		}
	}
	w.env.fill(waiting, w.either(before, w.here()))
}

// exit translates a break, a continue or a return.
func (w *widener) exit(in *ssa.Instr) {
	if !w.facts.Apart(in.Target) || in.Target != nil && w.loops[in.Target].full {
		w.jump(in)
		return
	}
	switch in.Op {
	case ssa.OpBreak:
		w.leave(in.Target, w.here(), in.Args)
	case ssa.OpContinue:
		w.proceed(in)
	}
	w.env.gone = true
}

// jump translates one that all lanes take together.
func (w *widener) jump(in *ssa.Instr) {
	out := &ssa.Instr{Op: in.Op}
	if in.Op == ssa.OpReturn {
		for _, v := range in.Args {
			out.Args = append(out.Args, w.returned(v)...)
		}
	} else {
		to := in.Receivers()
		for k, v := range in.Args {
			out.Args = append(out.Args, w.parts(v, to[k])...)
		}
		out.Target = w.loops[in.Target].made
	}
	w.prefetch()
	if in.Target != nil && w.loops[in.Target].groups != nil {
		w.loops[in.Target].groups.passed, w.ended = out.Args, true // one jump follows, for all groups
		return
	}
	w.append(out)
	w.ended = true
}

// exitsOf calls f for the terminators in a block by which lanes leave it, or an instruction around it, while
// others stay.
func (w *widener) exitsOf(b *ssa.Block, f func(*ssa.Instr)) {
	b.Walk(func(in *ssa.Instr) {
		switch in.Op {
		case ssa.OpBreak, ssa.OpContinue, ssa.OpReturn:
			if w.facts.Apart(in.Target) && (in.Target == nil || b.Inside(in.Target.Block) && !in.Target.Block.Inside(b)) {
				f(in)
			}
		}
	})
}

func (w *widener) hasExits(b *ssa.Block) bool {
	found := false
	w.exitsOf(b, func(*ssa.Instr) { found = true })
	return found
}
