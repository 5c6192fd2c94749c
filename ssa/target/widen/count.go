package widen

import (
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// A loop such as
//
//	for n < limit && x*x+y*y <= 4 { x, y = ...; n++ }
//
// counts its turns. Lanes agree on n while they are in the loop, but each wants what n was when it left. This is counted
// for each lane, in its slot: those that stay in the loop add to it. So the slot has what a lane would leave the loop
// with, and nothing is put into it in each turn. With mask registers that takes one instruction; to select between a
// number that all lanes have and the slot takes three.

// turnSteps are what the loop adds in each turn to the variables that it counts so, nil for others.
func (w *widener) turnSteps(in *ssa.Instr) []*ssa.Const {
	steps := make([]*ssa.Const, len(in.Results))
	for k, p := range in.Cond().Params {
		if !ssa.IsInteger(p.Type) || !w.facts.IsUniform(p) || w.facts.IsUniform(in.Results[k]) {
			continue
		}
		if step, ok := turnStep(in, k); ok {
			c := ssa.IntConst(p.Type, uint64(step))
			steps[k] = &c
		}
	}
	return steps
}

// turnStep is the constant that a turn of a loop adds to a variable. A turn is the body, which may end in several places,
// and then Post. It reports false if a turn does something else.
func turnStep(in *ssa.Instr, k int) (step int64, ok bool) {
	p := in.Cond().Params[k]
	next, step := analysis.PlusConst(in.Post().Terminator().Args[k])
	if next.Def != nil || next.Block != in.Post() {
		return 0, false
	}
	ends, inBody := 0, int64(0)
	ok = true
	in.Do().Walk(func(at *ssa.Instr) {
		if at.Op != ssa.OpContinue || at.Target != in {
			return
		}
		from, by := analysis.PlusConst(at.Args[next.Index()])
		ok = ok && from == p && (ends == 0 || by == inBody)
		ends, inBody = ends+1, by
	})
	return step + inBody, ok && ends > 0
}

// counts reports whether a slot of the loop is counted.
func (l *loop) counts(s slot) bool { return s.kind == result && l.steps != nil && l.steps[s.k] != nil }

// count adds to the slots of the variables that are counted, for the lanes that stay in the loop.
func (a *anyLoop) count() {
	w := a.w
	for _, s := range a.l.own {
		if !a.l.counts(s) {
			continue
		}
		step := w.append(&ssa.Instr{Op: ssa.OpConst, Const: *a.l.steps[s.k]}, a.in.Results[s.k].Type).Result()
		old := w.env.value(s)
		next := w.op(ssa.OpAdd, old.Type, old, w.splat(step))
		w.env.fill(s, w.op(ssa.OpSelect, old.Type, w.env.mask, next, old))
	}
}
