package frontend

import (
	"go/token"
	"go/types"

	"github.com/qdgen/qd/ssa"
)

// Where a kernel is lowered for its errors only, values that a launch would give are known
// at compile time, but not which they are. Numbers and what consists of such are
// operations that nothing is computed from early; of front-end values, poison
// stands for those: nothing is said of what comes of them.

// symbolic is a value of a type that is known, but not which.
func (b *Values) symbolic(pos token.Pos, t types.Type) *ssa.Value {
	s, ok := b.m.typeOf(t)
	if !ok {
		if !isStruct(t) && !isArray(t) {
			return poison
		}
		var parts []*ssa.Value
		for _, p := range partTypes(t) {
			parts = append(parts, b.symbolic(pos, p))
		}
		return b.aggregated(pos, t, parts)
	}
	v := b.cur.AddParam(s, "")
	b.markSymbolic(v)
	return v
}

// markSymbolic counts a value as known, but not which it is.
func (b *Values) markSymbolic(v *ssa.Value) {
	if b.m.symbols == nil {
		b.m.symbols = map[*ssa.Value]bool{}
	}
	b.m.symbols[v] = true
}

// isSymbolic reports whether a value is computed from constants and symbolic values only.
func (b *Values) isSymbolic(v *ssa.Value) bool {
	if !b.m.opts.Symbolic {
		return false
	}
	if v == poison || b.m.symbols[v] {
		return true
	}
	if v.Def == nil || isFront(v) {
		return false
	}
	found := false
	for _, arg := range v.Def.Args {
		if isKnown(arg) {
			continue
		}
		if !b.isSymbolic(arg) {
			return false
		}
		found = true
	}
	return found
}

// anySymbolic reports whether there are values among others, or parts of them, that are known at
// compile time, but not which.
func (b *Values) anySymbolic(vals []*ssa.Value) bool {
	if !b.m.opts.Symbolic {
		return false
	}
	for _, v := range vals {
		if !isFront(v) && b.isSymbolic(v) {
			return true
		}
		if b.anySymbolic(b.frontParts(v)) {
			return true
		}
	}
	return false
}
