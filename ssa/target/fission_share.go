package target

import (
	"slices"

	"github.com/qdgen/qd/ssa"
)

// shareSlot lets the next value of a variable of a split loop share the variable's array, so that no phase at the end of
// a turn copies it from one array to the other:
//
//	for k := 0; k < n; k += 16 { t.Sync(); sum = sum + x[...]; t.Sync() }
//
// That is right if nobody needs the old value once the next one is there: neither the variable nor anything that follows
// from it, which may be computed again, is used behind the next value. It is a case of the coalescing of variables that
// leaving SSA form needs too (Briggs, Cooper, Harvey and Simpson, "Practical improvements to the construction and
// destruction of static single assignment form", 1998).
func (x *fission) shareSlot(loop *ssa.Instr, k int) {
	next := x.nextOf(loop, k)
	if next == nil {
		return
	}
	old := map[*ssa.Value]bool{loop.Cond().Params[k]: true} // the variable, and what follows from it
	behind, used := false, false
	look := func(in *ssa.Instr) {
		if slices.ContainsFunc(in.Args, func(a *ssa.Value) bool { return old[a] }) {
			used = used || behind
			follow(in, old)
		}
	}
	for _, in := range loop.Do().Instrs {
		look(in)
		for _, b := range in.Blocks {
			b.Walk(look)
		}
		if in == next.Def {
			behind = true
			delete(old, next)
		}
	}
	if !used {
		x.slots[next] = x.slots[loop.Cond().Params[k]]
	}
}

// follow adds what an instruction makes of old values: its results, and those of the instructions around it.
func follow(in *ssa.Instr, old map[*ssa.Value]bool) {
	for o := in; o != nil; o = o.Block.Owner {
		for _, r := range o.Results {
			old[r] = true
		}
	}
}

// nextOf is a value that the loop goes on with as its variable k, and that may share the variable's array: the result of
// an instruction in the body itself. Each lane has its own, and it has no array yet. It is nil if there is none.
func (x *fission) nextOf(loop *ssa.Instr, k int) (next *ssa.Value) {
	loop.Do().Walk(func(in *ssa.Instr) {
		if in.Op != ssa.OpContinue || in.Target != loop || next != nil {
			return
		}
		if v := in.Args[k]; v.Def != nil && v.Def.Block == loop.Do() && !x.split[v.Def] && !v.IsLocal() && x.own[v.ID] && x.slots[v] == nil {
			next = v
		}
	})
	return next
}
