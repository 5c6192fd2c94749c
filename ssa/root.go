package ssa

// Root is what an address, or a slice, is computed from: the variable, the shared memory, the
// parameter, or whatever else gave it.
func (v *Value) Root() *Value {
	for v.Def != nil && v.Def.Op.IsPath() {
		v = v.Def.Args[0]
	}
	return v
}

// Variable is the OpLocal in whose variable an address lies, or a slice's elements lie, as far as the
// address expression tells; else nil.
func (v *Value) Variable() *Instr {
	if root := v.Root(); root.Def != nil && root.Def.Op == OpLocal {
		return root.Def
	}
	return nil
}

// IsPath reports whether the op takes an address, or a slice, to one within the same memory.
func (op Op) IsPath() bool {
	switch op {
	case OpFieldAddr, OpElemAddr, OpSliceOf, OpIndexAddr, OpSubslice:
		return true
	}
	return false
}

// IsVariableIn reports whether an address lies in a local variable that is made inside
// of root, nil for the function.
func (v *Value) IsVariableIn(root *Instr) bool {
	l := v.Variable()
	return l != nil && l.Block.Owner.Within(root)
}
