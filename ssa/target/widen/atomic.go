package widen

import (
	"github.com/qdgen/qd/ssa"
)

// Atomic operations have no vectors: lanes do them one after the other, in the order of the lanes. Integers that lanes
// add up in one place, and whose former values nobody asks for, are added up before. So are floats that are added to
// gradients, for which nobody is promised an order.

// refuseAtomic is why an atomic operation cannot be done lane by lane.
func (w *widener) refuseAtomic(in *ssa.Instr) string {
	// A lane that waits for another one in a loop, such as for a lock, would wait for ever: the other one waits for it at
	// the end of the loop.
	if len(w.users[in.Results[0].ID]) > 0 && (w.waits || w.inLoopApart(in)) {
		return "an atomic operation in a loop, for which a thread may wait"
	}
	if local, _ := localOf(in.Args[0]); local != nil {
		return "an atomic operation on a variable of each thread's own"
	}
	if w.facts.IsUniform(in.Args[0]) {
		return refuseType(in.Results[0].Type)
	}
	return w.refuseAddress(in.Args[0], in.Results[0].Type)
}

// atomic translates an atomic operation.
func (w *widener) atomic(in *ssa.Instr) value {
	ptr, r := in.Args[0], in.Results[0]
	out := &ssa.Instr{Op: ssa.OpAtomicLanes, Atomic: in.Atomic, Owned: w.isOwned(ptr), Launch: in.IsLaunchAdd() && len(w.users[r.ID]) == 0}
	var values []*ssa.Value
	for _, v := range in.Args[1:] {
		if w.facts.IsUniform(v) {
			values = append(values, w.same(v))
		} else {
			values = append(values, w.vecOf(v))
		}
	}
	if !w.facts.IsUniform(ptr) {
		a, _ := addressOf(ptr)
		offsets, unit := w.laneOffsets(a)
		out.Len = unit
		out.Args = append([]*ssa.Value{w.leafAddress(a, leaf{}), offsets}, values...)
	} else if len(w.users[r.ID]) == 0 && in.Atomic.Joins() && (ssa.IsInteger(r.Type) || in.IsLaunchAdd()) {
		w.joinInOne(in, w.vecOf(in.Args[1]))
		return value{vecs: []*ssa.Value{w.splat(w.at.AppendZero(r.Type))}} // nobody reads it
	} else {
		out.Len = int32(r.Type.Size())
		out.Args = append([]*ssa.Value{w.same(ptr), w.splat(w.number(0))}, values...)
	}
	out.Args = w.masked(out.Args...)
	return value{vecs: []*ssa.Value{w.append(out, w.vec(r.Type)).Result()}}
}

// joinInOne makes one operation of those of all lanes on integers in one place.
func (w *widener) joinInOne(in *ssa.Instr, v *ssa.Value) {
	t := in.Results[0].Type
	if w.env.mask != nil {
		v = w.op(ssa.OpSelect, v.Type, w.env.mask, v, w.splat(w.neutral(in.Atomic, t)))
	}
	all := w.append(&ssa.Instr{Op: ssa.OpReduce, Atomic: in.Atomic, Args: []*ssa.Value{v}}, t).Result()
	w.append(&ssa.Instr{Op: ssa.OpAtomic, Atomic: in.Atomic, Launch: in.Launch, Args: []*ssa.Value{w.same(in.Args[0]), all}}, t)
}

// neutral is the integer by which an operation changes nothing.
func (w *widener) neutral(a ssa.Atomic, t ssa.Type) *ssa.Value {
	var n uint64
	least := uint64(1) << (ssa.Bits(t) - 1)
	switch {
	case a == ssa.AtomicAnd, a == ssa.AtomicMin && !ssa.IsSigned(t):
		n = ^uint64(0)
	case a == ssa.AtomicMin:
		n = least - 1
	case a == ssa.AtomicMax && ssa.IsSigned(t):
		n = least
	}
	return w.constant(t, n)
}

// isOwned reports whether only the thread of the operating system that runs a block sees the memory of an address.
func (w *widener) isOwned(ptr *ssa.Value) bool {
	var roots ssa.Roots
	return w.owned[roots.Of(ptr)]
}
