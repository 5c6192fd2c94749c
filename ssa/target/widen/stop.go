package widen

import (
	"github.com/qdgen/qd/ssa"
)

// Checks and panics stop the launch, for the first lane that fails. A check stands before what it is for, so no lane does
// that if one has failed.

// refuseStop is why a check or a panic has no vectors.
func (w *widener) refuseStop(in *ssa.Instr) string {
	if in.Check == ssa.CheckSync {
		return in.Op.String()
	}
	return w.refuseValues(in.Args)
}

// check translates a check.
func (w *widener) check(in *ssa.Instr) {
	if w.env.mask == nil && w.uniform(in.Args) {
		w.copy(in) // if it fails, it does so for the first lane
		return
	}
	w.append(&ssa.Instr{Op: ssa.OpCheckLanes, Check: in.Check, Message: in.Message, Number: in.Number, Whole: w.calls.whole, Args: w.masked(w.stopped(in)...)})
}

// panic translates a panic. A lane is here, so nothing behind it is reached. If all lanes are, no mask need say so.
func (w *widener) panic(in *ssa.Instr) {
	together := w.env.mask == nil
	args := append([]*ssa.Value{w.here()}, w.stopped(in)...)
	w.append(&ssa.Instr{Op: ssa.OpPanicLanes, Message: in.Message, Number: in.Number, Whole: w.calls.whole, Args: args})
	w.env.gone = true
	if together {
		w.append(&ssa.Instr{Op: ssa.OpUnreachable})
		w.ended = true
	}
}

// stopped are the operands of a check or a panic: numbers that lanes agree on, and vectors. An index is a vector if the
// length is one with which it is compared.
func (w *widener) stopped(in *ssa.Instr) (args []*ssa.Value) {
	compared := (in.Check == ssa.CheckIndex || in.Check == ssa.CheckSlice) && !w.uniform(in.Args)
	for i, v := range in.Args {
		if w.facts.IsUniform(v) && !(compared && i < len(in.Args)-1) {
			args = append(args, w.same(v))
		} else {
			args = append(args, w.vecOf(v))
		}
	}
	return args
}
