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
			d.refuse(in, "cannot differentiate a barrier that some threads have returned before", "put what these threads do not do into an if, and let all threads come to the barrier")
		}
	}
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
