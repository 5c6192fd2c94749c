package eval

import (
	"go/token"
	"go/types"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/ssa"
)

// Where a kernel is lowered for its errors only, values that a launch would give are known
// at compile time, but not which they are. Numbers and what consists of such are
// operations that nothing is computed from early; of front-end values, poison
// stands for those: nothing is said of what comes of them.

// Symbolic is a value of a type that is known, but not which.
func (b *Values) Symbolic(pos token.Pos, t types.Type) *ssa.Value {
	s, ok := b.Facts.TypeOf(t)
	if !ok {
		if !check.IsStruct(t) && !check.IsArray(t) {
			return Poison
		}
		var parts []*ssa.Value
		for _, p := range check.PartTypes(t) {
			parts = append(parts, b.Symbolic(pos, p))
		}
		return b.Aggregated(pos, t, parts)
	}
	v := b.Cur.AddParam(s, "")
	b.MarkSymbolic(v)
	return v
}

// MarkSymbolic counts a value as known, but not which it is.
func (b *Values) MarkSymbolic(v *ssa.Value) {
	if b.Facts.symbols == nil {
		b.Facts.symbols = map[*ssa.Value]bool{}
	}
	b.Facts.symbols[v] = true
}

// IsSymbolic reports whether a value is computed from constants and symbolic values only.
func (b *Values) IsSymbolic(v *ssa.Value) bool {
	if !b.Facts.Opts.Symbolic {
		return false
	}
	if v == Poison || b.Facts.symbols[v] {
		return true
	}
	if v.Def == nil || IsFront(v) {
		return false
	}
	found := false
	for _, arg := range v.Def.Args {
		if IsKnown(arg) {
			continue
		}
		if !b.IsSymbolic(arg) {
			return false
		}
		found = true
	}
	return found
}

// AnySymbolic reports whether there are values among others, or parts of them, that are known at
// compile time, but not which.
func (b *Values) AnySymbolic(vals []*ssa.Value) bool {
	if !b.Facts.Opts.Symbolic {
		return false
	}
	for _, v := range vals {
		if !IsFront(v) && b.IsSymbolic(v) {
			return true
		}
		if b.AnySymbolic(b.frontParts(v)) {
			return true
		}
	}
	return false
}
