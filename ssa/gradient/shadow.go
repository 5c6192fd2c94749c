package gradient

import "github.com/qdgen/qd/ssa"

// This file is about where adjoints of what is in memory are.

// makeShadows makes, for each variable of a block of the kernel that holds active values, the variable with their
// adjoints, and the variables for adjoints of values that are in memory.
func (r *sweep) makeShadows(b *ssa.Block) {
	r.makeTallies(b)
	for _, in := range b.Instrs {
		if in.Op == ssa.OpLocal && r.regionActive(in.Result()) {
			t := at(in.Result())
			r.at(in)
			r.shadows[in.Result()] = r.local(r.zero(t), gradName(in.Result()))
		}
	}
}

// shadow returns the address of the adjoint of the value at an address. For a slice it returns the slice of the
// adjoints of its elements. It follows the same path from another root.
func (r *sweep) shadow(addr *ssa.Value) *ssa.Value {
	if twin := r.twins[addr]; twin != nil {
		return r.primal(twin)
	}
	if addr.Def == nil {
		return r.gradients[addr]
	}
	if addr.IsLocal() || addr.Def.Op == ssa.OpShared {
		return r.shadows[addr]
	}
	in := addr.Def
	args := make([]*ssa.Value, len(in.Args))
	for i, a := range in.Args[1:] {
		args[i+1] = r.primal(a)
	}
	args[0] = r.shadow(in.Args[0])
	n := copyWith(in, r.b, args)
	n.Stmt, n.Pos = r.stmt, r.pos
	n.Result().Name = ""
	return n.Result()
}

// length is the length of a slice of the kernel. That of a variable need not be there any more.
func (r *sweep) length(s *ssa.Value) *ssa.Value {
	if in := s.Def; in != nil {
		switch in.Op {
		case ssa.OpSliceOf:
			return r.int(int64(at(in.Args[0]).(ssa.Array).Len))
		case ssa.OpSubslice:
			return r.op(ssa.OpSub, ssa.Int64, r.primal(in.Args[2]), r.primal(in.Args[1]))
		}
	}
	return r.op(ssa.OpLen, ssa.Int64, r.primal(s))
}

// isShared reports whether other threads may add to the gradient at an address.
func (r *sweep) isShared(addr *ssa.Value) bool {
	g, _ := regionOf(addr)
	return !g.isLocal() && !r.isGrid() && !r.owned(g)
}
