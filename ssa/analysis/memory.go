package analysis

import "github.com/qdgen/qd/ssa"

// Root is what an address, or a slice, is computed from: the variable, the shared memory, the
// parameter, or whatever else gave it.
func Root(addr *ssa.Value) *ssa.Value {
	for addr.Def != nil && IsPath(addr.Def.Op) {
		addr = addr.Def.Args[0]
	}
	return addr
}

// IsPath reports whether an operation takes an address, or a slice, to one within the same memory.
func IsPath(op ssa.Op) bool {
	switch op {
	case ssa.OpFieldAddr, ssa.OpElemAddr, ssa.OpSliceOf, ssa.OpIndexAddr, ssa.OpSubslice:
		return true
	}
	return false
}

// Variable is the OpLocal in whose variable an address lies, or a slice's elements lie, as far as the
// address expression tells; else nil.
func Variable(addr *ssa.Value) *ssa.Instr {
	if root := Root(addr); root.Def != nil && root.Def.Op == ssa.OpLocal {
		return root.Def
	}
	return nil
}
