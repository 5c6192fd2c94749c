package eval

import (
	"go/token"
	"go/types"
	"slices"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/ssa"
)

// EachLiteral calls f for every function literal that a value is or holds.
func (b *Env) EachLiteral(v *ssa.Value, f func(*Func)) {
	var cells map[*Cell]bool // that have been met: one may lead to itself
	var visit func(v *ssa.Value)
	visit = func(v *ssa.Value) {
		front := FrontOf(v)
		if front == nil {
			return
		}
		if c := front.cell; c != nil && !cells[c] {
			if cells == nil {
				cells = map[*Cell]bool{}
			}
			c.each(cells, visit)
		}
		if fn := front.fn; fn != nil {
			if fn.Lit != nil {
				f(fn)
			}
			visit(fn.Recv)
		}
		for _, part := range b.partsOf(front) {
			visit(part)
		}
	}
	visit(v)
}

// Some values only the front end has: functions, strings, lists (slices that are known
// as a whole), maps, and structs and arrays with any of these in them. Such a value is
// the Type of its ssa.Value, which no instruction ever has as an operand.

// A FrontValue is a value that only the front end has. It has the form of a comptime.Value,
// but for its parts, which may be values of the running kernel.
type FrontValue struct {
	Kind  comptime.Kind    // Invalid for one of several, of which only the running kernel could say which
	Typ   types.Type       // of a list, a map, a struct or an array
	Str   string           // a string
	fn    *Func            // a function
	Keys  []comptime.Value // of a map, in the order of their encoding
	Parts []*ssa.Value     // fields, elements, or what a map has under its keys; those of a list cannot be assigned
	isNil bool             // a list, a map or a pointer that is nil
	cell  *Cell            // what a pointer points to, or
	view  *View
	iface *Interface // a value of an interface type: Parts are its tag and, if it is known, its value

	// The parts of a struct or an array that a variable holds are in variables of their own, see
	// partVar, so that each of them is merged like any variable.
	held *types.Var
	N    int // of parts

	ended string // why nothing can be made of the only one possible, where it is not known which
	oneOf string // the array that it is a part of, where the index is not known
	text  Text   // of a string that is not known: what is known of it
}

// String implements [ssa.Type].
func (f *FrontValue) String() string {
	switch f.Kind {
	case comptime.Func:
		return "func"
	case comptime.String:
		return "string"
	case comptime.Slice:
		return "list"
	case comptime.Map:
		return "map"
	case comptime.Struct, comptime.Array:
		return f.Typ.String()
	case comptime.Interface:
		return "interface"
	case comptime.Pointer:
		return f.Typ.String()
	}
	return "unknown"
}

// Size implements [ssa.Type].
func (*FrontValue) Size() int { return 0 }

// Align implements [ssa.Type].
func (*FrontValue) Align() int { return 1 }

// isUnknown reports whether it is one of several.
func (f *FrontValue) isUnknown() bool {
	return f.Kind == comptime.Invalid || f.Kind == comptime.Func && f.fn.Unknown
}

// Value makes it an ssa.Value.
func (f *FrontValue) Value() *ssa.Value { return &ssa.Value{Type: f} }

// Str is a string as a value.
func Str(s string) *ssa.Value { return (&FrontValue{Kind: comptime.String, Str: s}).Value() }

// List is a slice of a type that is known as a whole, as a value.
func List(t types.Type, elems []*ssa.Value) *ssa.Value {
	return (&FrontValue{Kind: comptime.Slice, Typ: t, Parts: elems}).Value()
}

// NilOf is the nil slice or map of a type.
func NilOf(t types.Type) *ssa.Value {
	f := &FrontValue{Kind: comptime.Slice, Typ: t, isNil: true}
	if check.IsMap(t) {
		f.Kind = comptime.Map
	}
	return f.Value()
}

// FrontOf is a value as one that only the front end has, nil if it is none.
func FrontOf(v *ssa.Value) *FrontValue {
	if v == nil {
		return nil
	}
	f, _ := v.Type.(*FrontValue)
	return f
}

// IsFront reports whether a value is one that only the front end has.
func IsFront(v *ssa.Value) bool { return FrontOf(v) != nil }

// IsA reports whether a value is one of a kind that only the front end has.
func IsA(v *ssa.Value, kind comptime.Kind) bool {
	f := FrontOf(v)
	return f != nil && f.Kind == kind
}

// IsUnknown reports whether a front-end value is one of several.
func IsUnknown(v *ssa.Value) bool {
	f := FrontOf(v)
	return f != nil && f.isUnknown()
}

// forgotten is what is left of a front-end value of which it is not known any more
// which one it is.
func forgotten(v *ssa.Value, ended string) *ssa.Value {
	if FuncOf(v) != nil {
		return (&Func{Unknown: true, Ended: ended}).Value()
	}
	return (&FrontValue{ended: ended}).Value()
}

// sameValue reports whether two values, of one type, are the same for sure.
func (b *Values) sameValue(x, y *ssa.Value) bool {
	if x == y {
		return true
	}
	f, g := FrontOf(x), FrontOf(y)
	if f == nil || f.Kind == comptime.Invalid {
		c, ok := x.Const()
		d, ok2 := y.Const()
		return ok && ok2 && x.Type == y.Type && c == d
	}
	switch {
	case g == nil || f.Kind != g.Kind && (AggregateOf(x) == nil || AggregateOf(y) == nil):
		return false
	case f.fn != nil:
		return f.fn.same(g.fn)
	}
	return f.Str == g.Str && f.isNil == g.isNil && f.cell == g.cell && sameView(b, f.view, g.view) && slices.EqualFunc(f.Keys, g.Keys, sameKey) && b.sameValues(b.partsOf(f), b.partsOf(g))
}

// sameKey reports whether two values that are known are the same.
func sameKey(x, y comptime.Value) bool { return string(x.Append(nil)) == string(y.Append(nil)) }

func (b *Values) sameValues(x, y []*ssa.Value) bool {
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if !b.sameValue(x[i], y[i]) {
			return false
		}
	}
	return true
}

// MergeFront is the front-end value that a variable holds after an If, of those that it
// holds at the ends of the two blocks.
func (b *Values) MergeFront(then, els *ssa.Value) *ssa.Value {
	switch {
	case then == Poison || els == Poison:
		return Poison
	case !IsUnknown(then) && b.sameValue(then, els):
		return then
	}
	return forgotten(then, "")
}

// ZeroOf is the zero value of any type that a kernel can have; nil for one it cannot.
func (b *Values) ZeroOf(pos token.Pos, t types.Type) *ssa.Value {
	if s, ok := b.Facts.TypeOf(t); ok {
		return b.Zero(pos, s)
	}
	if !b.Facts.IsFrontType(t) {
		return nil
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return Str("")
	case *types.Signature:
		return new(Func).Value()
	case *types.Slice:
		return NilOf(t)
	case *types.Map:
		return NilOf(t)
	case *types.Interface:
		return b.Box(pos, UntypedNil, t)
	case *types.Pointer:
		return (*Cell)(nil).Pointer(t)
	case *types.Array, *types.Struct:
		var parts []*ssa.Value
		for _, p := range check.PartTypes(u) {
			parts = append(parts, b.ZeroOf(pos, p))
		}
		return b.Aggregated(pos, t, parts)
	}
	return nil
}

// Aggregated is a struct or an array of its parts. Of an unpacked field the elements are
// parts of their own.
func (b *Values) Aggregated(pos token.Pos, t types.Type, parts []*ssa.Value) *ssa.Value {
	if u, ok := t.Underlying().(*types.Struct); ok {
		for i := range parts {
			if p, ok := b.Facts.Unpacked(u, i); ok {
				parts[i] = b.scattered(pos, parts[i], u.Field(i).Type(), len(p.Dims))
			}
		}
	}
	return Aggregated(t, parts)
}

// Aggregated is a struct or an array of its parts.
func Aggregated(t types.Type, parts []*ssa.Value) *ssa.Value {
	f := &FrontValue{Kind: comptime.Struct, Typ: t, Parts: parts, N: len(parts)}
	if check.IsArray(t) {
		f.Kind = comptime.Array
	}
	return f.Value()
}
