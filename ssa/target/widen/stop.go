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
	each := func() []*ssa.Value {
		w.append(&ssa.Instr{Op: ssa.OpCheckLanes, Check: in.Check, Message: in.Message, Number: in.Number, Whole: w.calls.whole, Args: w.masked(w.stopped(in)...)})
		return nil
	}
	if fails := w.outside(in); fails != nil {
		w.choose(fails, each, func() []*ssa.Value { return nil })
		return
	}
	each()
}

// outside is the test whether the first lane or the last one has an index outside of a slice, if the index of each lane is
// larger than that of the lane before it. It is nil for other checks. Most often the test fails, and no lane need be asked.
func (w *widener) outside(in *ssa.Instr) *ssa.Value {
	if in.Check != ssa.CheckIndex || !w.facts.IsUniform(in.Args[1]) {
		return nil
	}
	first := w.firstOf(in.Args[0])
	step, ok := w.facts.Stride(in.Args[0])
	if !ok || first == nil || step <= 0 || step > maxFar {
		return nil
	}
	// This does not wrap: a length is not negative, and the number is small.
	past := w.op(ssa.OpSub, ssa.Int64, w.same(in.Args[1]), w.number(step*int64(w.lanes-1)))
	return w.op(ssa.OpOr, ssa.Bool, w.op(ssa.OpLt, ssa.Bool, first, w.number(0)), w.op(ssa.OpGe, ssa.Bool, first, past))
}

// maxFar is how far apart the indices of two lanes may be that need not be asked.
const maxFar = 1 << 20

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
