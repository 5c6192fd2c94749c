package ssa

// MaxLanes is the largest number of threads that a block can have.
const MaxLanes = 1024

// has reports whether an instruction of the function has one of the ops.
func (f *Func) has(ops ...Op) bool {
	found := false
	f.Body.Walk(func(in *Instr) {
		for _, op := range ops {
			found = found || in.Op == op
		}
	})
	return found
}

// Waits reports whether threads of a block wait for each other or share memory,
// so that they must run at once.
func (m *Module) Waits() bool {
	for _, f := range m.Funcs {
		if f.Kind == ThreadKernel && f.has(OpSync, OpShared) {
			return true
		}
	}
	return false
}

// Acts reports whether an instruction does something that other threads see, or what it calls does: it
// writes to memory that is not known to be a variable's, or prints. A panic is none.
func (in *Instr) Acts() bool {
	switch in.Op {
	case OpPrintf:
		return true
	case OpStore, OpAtomic, OpCopy:
		return !in.Args[0].isOwn()
	case OpCall:
		found := false
		in.Callee.Body.Walk(func(in *Instr) { found = found || in.Acts() })
		return found
	}
	return false
}

// isOwn reports whether an address or a slice is known to be that of a variable, of which each
// thread has its own.
func (v *Value) isOwn() bool {
	for v.Def != nil {
		switch v.Def.Op {
		case OpLocal:
			return true
		case OpFieldAddr, OpElemAddr, OpIndexAddr, OpSliceOf, OpSubslice:
			v = v.Def.Args[0]
		default:
			return false
		}
	}
	return false
}
