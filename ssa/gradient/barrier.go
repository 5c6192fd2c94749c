package gradient

import (
	"slices"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/analysis"
)

// This file is about kernels whose threads wait for each other, and share memory. The reverse sweep passes the same
// barriers, from the last to the first: what a thread has written before a barrier, and others have read behind it,
// they add to behind it, and it takes the sum before it. Shared memory has a twin for its gradient.

// raiseShared moves what makes shared memory to the beginning of a kernel, where it stays when code is put into
// branches.
func raiseShared(f *ssa.Func) {
	isShared := func(in *ssa.Instr) bool { return in.Op == ssa.OpShared }
	var shared []*ssa.Instr
	for _, in := range f.Body.Instrs {
		if isShared(in) {
			shared = append(shared, in)
		}
	}
	f.Body.Instrs = append(shared, slices.DeleteFunc(f.Body.Instrs, isShared)...)
}

// barriers refuses barriers that some threads do not come to: in the structured kernel, a thread that has returned goes
// on to the end.
func (d *differ) barriers() {
	syncs := analysis.Syncs(d.fn)
	if len(syncs) == 0 {
		return
	}
	divergence := analysis.NewDivergence(d.fn)
	for _, in := range syncs {
		if c, _ := divergence.Sync(in); c == analysis.Divergent {
			d.refuseLeft(in)
		}
	}
}

// returns refuses barriers behind a return that some threads may come to, and others not, by what they have loaded. In the
// structured kernel that is a condition like any other around a barrier, on which all threads are supposed to agree: f is
// the kernel before it is structured.
func (d *differ) returns(f *ssa.Func) {
	syncs := analysis.Syncs(f)
	if len(syncs) == 0 {
		return
	}
	divergence := analysis.NewLoadDivergence(f)
	var left []*ssa.Instr // the returns so far that some threads may come to
	f.Body.Walk(func(in *ssa.Instr) {
		switch {
		case in.Op == ssa.OpReturn && in.Block != f.Body:
			if c, _ := divergence.Sync(in); c == analysis.Divergent {
				left = append(left, in)
			}
		case slices.Contains(syncs, in) && len(left) > 0:
			d.refuseLeft(in)
		}
	})
	for _, in := range syncs { // of the next turn of a loop
		if slices.ContainsFunc(left, func(r *ssa.Instr) bool { return inOneLoop(in, r) }) {
			d.refuseLeft(in)
		}
	}
}

func (d *differ) refuseLeft(sync *ssa.Instr) {
	d.refuse(sync, "cannot differentiate a barrier that some threads have returned before", "put what these threads do not do into an if, and let all threads come to the barrier")
}

// inOneLoop reports whether there is a loop that both instructions are in.
func inOneLoop(x, y *ssa.Instr) bool {
	var around []*ssa.Instr
	for o := y.Block.Owner; o != nil; o = o.Block.Owner {
		around = append(around, o)
	}
	for o := x.Block.Owner; o != nil; o = o.Block.Owner {
		if o.Op == ssa.OpLoop && slices.Contains(around, o) {
			return true
		}
	}
	return false
}

// dropBarriers removes the barriers of a kernel that writes only variables of a thread, and memory of the parameters that
// it has in addition to those of the user's kernel. No thread reads such memory, so none has to wait for another one.
func (d *differ) dropBarriers(k *ssa.Func) {
	waits := false
	k.Body.Walk(func(in *ssa.Instr) {
		switch in.Op {
		case ssa.OpSync, ssa.OpShared, ssa.OpLocal:
		case ssa.OpStore:
			root := in.Args[0].Root()
			own := root.IsLocal() || root.Def == nil && root.Block == k.Body && root.Index() >= len(d.fn.Params())
			waits = waits || !own
		default:
			waits = waits || in.Op.Effect() == ssa.Writes
		}
	})
	if !waits {
		drop(k.Body, ssa.OpSync)
	}
}

// isShared reports whether a region is memory that the threads of a block share.
func (r region) isShared() bool { return r.root.Def != nil && r.root.Def.Op == ssa.OpShared }

// makeShared makes the memory for the gradients of shared memory. It is zero at first, also where the other is not.
func (r *sweep) makeShared(b *ssa.Block) {
	for _, in := range b.Instrs {
		if in.Op == ssa.OpShared && hasFloats(at(in.Result())) {
			twin := r.append(&ssa.Instr{Op: ssa.OpShared, Len: in.Len, Pos: in.Pos}, in.Result().Type).Result()
			twin.Name = gradName(in.Result())
			r.shadows[in.Result()] = twin
		}
	}
}
