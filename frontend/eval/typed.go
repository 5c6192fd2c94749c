package eval

import (
	"go/types"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/ssa"
)

// NoValue is the value of what only an ill-typed program contains.
func (b *Code) NoValue(what string) *ssa.Value {
	b.Facts.MustBeIllTyped(what)
	return Poison
}

// Typed is a value of a type, or poison: only in an ill-typed program can a value
// be of another, and nothing is to be computed from it there.
func (b *Values) Typed(v *ssa.Value, t types.Type) *ssa.Value {
	if !b.Facts.IllTyped() || v == Poison || v == UntypedNil || v == TheGrid {
		return v
	}
	if IsFront(v) {
		if fits(v, t) {
			return v
		}
		return Poison
	}
	if want, ok := b.Facts.TypeOf(t); !ok || want != v.Type && !(ssa.IsTile(want) && ssa.IsTile(v.Type)) {
		return Poison
	}
	return v
}

// fits reports whether a front-end value is one of a type.
func fits(v *ssa.Value, t types.Type) bool {
	if t == nil {
		return false
	}
	switch f := FrontOf(v); f.Kind {
	case comptime.Func:
		return check.IsFunc(t)
	case comptime.String:
		return check.IsBasic(t, types.IsString)
	case comptime.Struct, comptime.Array:
		return types.Identical(f.Typ, t)
	case comptime.Slice:
		return check.IsSlice(t)
	case comptime.Map:
		return check.IsMap(t)
	case comptime.Interface:
		return types.IsInterface(t)
	}
	return !check.Invalid(t)
}
