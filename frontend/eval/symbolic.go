package eval

import (
	"go/token"
	"go/types"
	"slices"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/ssa"
)

// If a kernel is lowered only to find its errors, the values that a launch would give count as known at
// compile time, although the values themselves are not known. Such numbers, and aggregates of them, are
// operations that are never folded. Such front-end values are poison, so that nothing is reported about
// their results.

// Symbolic is a symbolic value of a type: it counts as known.
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

// MarkSymbolic marks a value as symbolic.
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

// IsDoubtful reports whether it depends on a symbolic value which of two branches a launch takes.
func (b *Values) IsDoubtful(cond *ssa.Value) bool {
	if !b.Facts.Opts.Symbolic || IsFront(cond) {
		return false
	}
	if b.IsSymbolic(cond) || b.Facts.doubtful[cond] {
		return true
	}
	if cond.Def == nil {
		return false
	}
	switch cond.Def.Op {
	case ssa.OpAnd, ssa.OpOr, ssa.OpNot:
		return slices.ContainsFunc(cond.Def.Args, b.IsDoubtful)
	}
	return false
}

// MarkDoubtful marks a condition that is computed in a branch as doubtful.
func (b *Values) MarkDoubtful(cond *ssa.Value) {
	if b.Facts.doubtful == nil {
		b.Facts.doubtful = map[*ssa.Value]bool{}
	}
	b.Facts.doubtful[cond] = true
}

// AnySymbolic reports whether any of the values, or a part of one, is symbolic.
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
