package ssa

import "slices"

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

// Prints reports whether any function prints.
func (m *Module) Prints() bool {
	return slices.ContainsFunc(m.Funcs, func(f *Func) bool { return f.has(OpPrintf) })
}
