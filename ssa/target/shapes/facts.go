package shapes

import "github.com/qdgen/qd/ssa"

// isLocal reports whether v is the address of a variable.
func isLocal(v *ssa.Value) bool { return v.Def != nil && v.Def.Op == ssa.OpLocal }

// isAddress reports whether an instruction finds a place in memory.
func isAddress(in *ssa.Instr) bool {
	return in.Op == ssa.OpIndexAddr || in.Op == ssa.OpFieldAddr || in.Op == ssa.OpElemAddr
}

// hasLoop reports whether there is a loop in a block, so that one around it cannot be
// vectorized.
func hasLoop(b *ssa.Block) bool {
	found := false
	b.Walk(func(in *ssa.Instr) { found = found || in.Op == ssa.OpLoop })
	return found
}

// safeDivisor reports whether a division by a value is the machine's: it is a constant, neither 0 nor -1.
func safeDivisor(v *ssa.Value) bool {
	c, ok := v.Const()
	return ok && c.Int() != 0 && (c.Int() != -1 || ssa.IsUnsigned(v.Type))
}
