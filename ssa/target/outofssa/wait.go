package outofssa

import "github.com/qdgen/qd/ssa"

// WaitsBefore reports whether the threads of a block, where they run at once, wait for each other before a statement:
// a loop over lanes that does not run ahead, or what one thread does for all. They do not if they have just done so,
// or if the kernel has just begun, and they have done nothing but compute since. They wait after each such statement, too.
func (f *Func) WaitsBefore(in *ssa.Instr) bool { return f.waits[in] }

// findWaits finds the statements in b before which threads wait. Waited says that no thread has touched memory before b
// that another one may touch in it.
func (t *translation) findWaits(b *ssa.Block, waited bool) {
	wait := func(in *ssa.Instr) {
		if waited {
			return
		}
		if t.f.waits == nil {
			t.f.waits = make(map[*ssa.Instr]bool)
		}
		t.f.waits[in] = true
	}
	for _, in := range b.Instrs {
		if !t.f.IsStatement(in) || t.f.isSilent(in) {
			continue
		}
		switch {
		case t.f.IsOnce(in):
			wait(in)
			waited = len(t.f.Changed(in)) == 0 // else each thread then reads what was changed
		case in.Op == ssa.OpFor:
			if !in.Async {
				wait(in)
			}
			waited = !in.Async
		default:
			waited = in.Op == ssa.OpSync || waited && !t.f.touches(in)
		}
		if !t.f.IsLogical(in) {
			for _, nested := range in.Blocks {
				t.findWaits(nested, false)
			}
		}
	}
}

// touches reports whether a statement reads memory, has an effect, or has blocks, in which others may do that.
func (f *Func) touches(in *ssa.Instr) (touches bool) {
	f.within(in, func(in *ssa.Instr) { touches = touches || in.Blocks != nil || in.Op.Effect() != ssa.Pure })
	return touches
}

// isSilent reports whether a statement does nothing where it stands: memory that a kernel has from its beginning, a
// variable that is there as a parameter, an If without anything in it.
func (f *Func) isSilent(in *ssa.Instr) bool {
	switch in.Op {
	case ssa.OpShared:
		return f.vars[in.Result().ID] == nil || f.fn.Kernel && in.Block == f.fn.Body
	case ssa.OpLocal:
		x := f.vars[in.Result().ID]
		return x != nil && x.Param
	case ssa.OpIf:
		return !f.IsLogical(in) && f.IsEmpty(in)
	}
	return false
}
