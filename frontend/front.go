package frontend

import (
	"go/token"
	"go/types"
	"slices"

	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/ssa"
)

// Some values only the front end has: functions, strings, lists (slices that are known
// as a whole), maps, and structs and arrays with any of these in them. Such a value is
// the Type of its ssa.Value, which no instruction ever has as an operand.

// A frontValue is a value that only the front end has. It has the form of a comptime.Value,
// but for its parts, which may be values of the running kernel.
type frontValue struct {
	kind  comptime.Kind    // Invalid for one of several, of which only the running kernel could say which
	typ   types.Type       // of a list, a map, a struct or an array
	str   string           // a string
	fn    *funcValue       // a function
	keys  []comptime.Value // of a map, in the order of their encoding
	parts []*ssa.Value     // fields, elements, or what a map has under its keys; those of a list cannot be assigned
	isNil bool             // a list or a map that is nil

	// The parts of a struct or an array that a variable holds are in variables of their own, see
	// partVar, so that each of them is merged like any variable.
	held *types.Var
	n    int // of parts

	ended string // why nothing can be made of the only one possible, where it is not known which
}

// String implements [ssa.Type].
func (f *frontValue) String() string {
	switch f.kind {
	case comptime.Func:
		return "func"
	case comptime.String:
		return "string"
	case comptime.Slice:
		return "list"
	case comptime.Map:
		return "map"
	case comptime.Struct, comptime.Array:
		return f.typ.String()
	}
	return "unknown"
}

// Size implements [ssa.Type].
func (*frontValue) Size() int { return 0 }

// Align implements [ssa.Type].
func (*frontValue) Align() int { return 1 }

// isUnknown reports whether it is one of several.
func (f *frontValue) isUnknown() bool {
	return f.kind == comptime.Invalid || f.kind == comptime.Func && f.fn.unknown
}

// frontly makes a front-end value an ssa.Value.
func frontly(f *frontValue) *ssa.Value { return &ssa.Value{Type: f} }

// str is a string as a value.
func str(s string) *ssa.Value { return frontly(&frontValue{kind: comptime.String, str: s}) }

// list is a slice of a type that is known as a whole, as a value.
func list(t types.Type, elems []*ssa.Value) *ssa.Value {
	return frontly(&frontValue{kind: comptime.Slice, typ: t, parts: elems})
}

// nilOf is the nil slice or map of a type.
func nilOf(t types.Type) *ssa.Value {
	f := &frontValue{kind: comptime.Slice, typ: t, isNil: true}
	if isMap(t) {
		f.kind = comptime.Map
	}
	return frontly(f)
}

// frontOf is a value as one that only the front end has, nil if it is none.
func frontOf(v *ssa.Value) *frontValue {
	if v == nil {
		return nil
	}
	f, _ := v.Type.(*frontValue)
	return f
}

// isFront reports whether a value is one that only the front end has.
func isFront(v *ssa.Value) bool { return frontOf(v) != nil }

// isA reports whether a value is one of a kind that only the front end has.
func isA(v *ssa.Value, kind comptime.Kind) bool {
	f := frontOf(v)
	return f != nil && f.kind == kind
}

// isUnknown reports whether a front-end value is one of several.
func isUnknown(v *ssa.Value) bool {
	f := frontOf(v)
	return f != nil && f.isUnknown()
}

// forgotten is what is left of a front-end value of which it is not known any more
// which one it is.
func forgotten(v *ssa.Value, ended string) *ssa.Value {
	if funcOf(v) != nil {
		return (&funcValue{unknown: true, ended: ended}).value()
	}
	return frontly(&frontValue{ended: ended})
}

// isFrontType reports whether the values of a type are front-end values: those of a
// type that the running kernel cannot have.
func (m *Types) isFrontType(t types.Type) bool { return m.frontDepth(t, 0) }

// maxFrontDepth is how deep front-end types may be nested: deeper ones contain
// themselves.
const maxFrontDepth = 20

func (m *Types) frontDepth(t types.Type, depth int) bool {
	if t == nil || depth > maxFrontDepth || isThread(t) || isBlock(t) || isGrid(t) {
		return false
	}
	if isConst(t) {
		return true
	}
	if _, ok := m.typeOf(t); ok {
		return false
	}
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return false
	}
	part := func(t types.Type) bool {
		if _, ok := m.part(t); ok {
			return true
		}
		return m.frontDepth(t, depth+1)
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsString != 0
	case *types.Signature:
		return true
	case *types.Slice:
		return part(u.Elem())
	case *types.Map:
		return part(u.Key()) && part(u.Elem())
	case *types.Array:
		return u.Len() >= 0 && u.Len() <= maxFrontLen && m.frontDepth(u.Elem(), depth+1)
	case *types.Struct:
		for f := range u.Fields() {
			if !part(f.Type()) {
				return false
			}
		}
		for f := range u.Fields() {
			if m.frontDepth(f.Type(), depth+1) {
				return true
			}
		}
	}
	return false
}

// maxFrontLen is how many elements an array of front-end values may have.
const maxFrontLen = 1 << 16

// isConst reports whether a type is qd.Const of something.
func isConst(t types.Type) bool { return isQD(t, "Const") }

// partTypes are the types of the parts of a struct or an array.
func partTypes(t types.Type) (parts []types.Type) {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			parts = append(parts, f.Type())
		}
	case *types.Array:
		for range u.Len() {
			parts = append(parts, u.Elem())
		}
	}
	return parts
}

// sameValue reports whether two values, of one type, are the same for sure.
func (b *Values) sameValue(x, y *ssa.Value) bool {
	if x == y {
		return true
	}
	f, g := frontOf(x), frontOf(y)
	if f == nil || f.kind == comptime.Invalid {
		c, ok := x.Const()
		d, ok2 := y.Const()
		return ok && ok2 && x.Type == y.Type && c == d
	}
	switch {
	case g == nil || f.kind != g.kind && (aggregateOf(x) == nil || aggregateOf(y) == nil):
		return false
	case f.fn != nil:
		return f.fn.same(g.fn)
	}
	return f.str == g.str && f.isNil == g.isNil && slices.EqualFunc(f.keys, g.keys, sameKey) && b.sameValues(b.partsOf(f), b.partsOf(g))
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

// mergeFront is the front-end value that a variable holds after an If, of those that it
// holds at the ends of the two blocks.
func (b *Values) mergeFront(then, els *ssa.Value) *ssa.Value {
	switch {
	case then == poison || els == poison:
		return poison
	case !isUnknown(then) && b.sameValue(then, els):
		return then
	}
	return forgotten(then, "")
}

// zeroOf is the zero value of any type that a kernel can have; nil for one it cannot.
func (b *Values) zeroOf(pos token.Pos, t types.Type) *ssa.Value {
	if s, ok := b.m.typeOf(t); ok {
		return b.zero(pos, s)
	}
	if !b.m.isFrontType(t) {
		return nil
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return str("")
	case *types.Signature:
		return new(funcValue).value()
	case *types.Slice:
		return nilOf(t)
	case *types.Map:
		return nilOf(t)
	case *types.Array, *types.Struct:
		var parts []*ssa.Value
		for _, p := range partTypes(u) {
			parts = append(parts, b.zeroOf(pos, p))
		}
		return b.aggregated(pos, t, parts)
	}
	return nil
}

// aggregated is a struct or an array of its parts. Of an unpacked field the elements are
// parts of their own.
func (b *Values) aggregated(pos token.Pos, t types.Type, parts []*ssa.Value) *ssa.Value {
	if u, ok := t.Underlying().(*types.Struct); ok {
		for i := range parts {
			if p, ok := b.m.unpacked(u, i); ok {
				parts[i] = b.scattered(pos, parts[i], u.Field(i).Type(), len(p.dims))
			}
		}
	}
	return aggregated(t, parts)
}

// aggregated is a struct or an array of its parts.
func aggregated(t types.Type, parts []*ssa.Value) *ssa.Value {
	f := &frontValue{kind: comptime.Struct, typ: t, parts: parts, n: len(parts)}
	if isArray(t) {
		f.kind = comptime.Array
	}
	return frontly(f)
}
