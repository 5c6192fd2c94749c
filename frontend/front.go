package frontend

import (
	"go/token"
	"go/types"

	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/ssa"
)

// Some values only the front end has: functions, strings, lists (slices that are known
// as a whole), maps, and structs and arrays with any of these in them. Such a value is
// the Type of its ssa.Value, which no instruction ever has as an operand.

// A frontValue is a value that only the front end has.
type frontValue interface {
	ssa.Type
	front()
}

// frontType is what all front-end values are as types.
type frontType struct{}

// Size implements [ssa.Type].
func (frontType) Size() int { return 0 }

// Align implements [ssa.Type].
func (frontType) Align() int { return 1 }

func (frontType) front() {}

// A stringValue is a string.
type stringValue struct {
	frontType
	s string
}

func (*stringValue) String() string { return "string" }

// An aggregate is a struct or an array with parts that only the front end has; others
// may be of the running kernel. One that a variable holds has the parts in variables of
// their own, see partVar, so that each of them is merged like any variable.
type aggregate struct {
	frontType
	typ   types.Type
	parts []*ssa.Value // all of them; nil in one that a variable holds
	held  *types.Var   // that variable
	n     int          // of parts
}

func (a *aggregate) String() string { return a.typ.String() }

// A listValue is a slice of which the elements are known as a whole. They cannot be
// assigned.
type listValue struct {
	frontType
	typ   types.Type // []T
	elems []*ssa.Value
	isNil bool
}

func (*listValue) String() string { return "list" }

// A mapValue is a map, in the order of the keys' encoding.
type mapValue struct {
	frontType
	typ   types.Type // map[K]V
	keys  []comptime.Value
	elems []*ssa.Value
	isNil bool
}

func (*mapValue) String() string { return "map" }

// An unknownValue is one of several, of which only the running kernel could say which.
type unknownValue struct {
	frontType
	ended string // why nothing can be made of the only one possible
}

func (*unknownValue) String() string { return "unknown" }

// frontly makes a front-end value an ssa.Value.
func frontly(f frontValue) *ssa.Value { return &ssa.Value{Type: f} }

// str is a string as a value.
func str(s string) *ssa.Value { return frontly(&stringValue{s: s}) }

// isFront reports whether a value is one that only the front end has.
func isFront(v *ssa.Value) bool {
	if v == nil {
		return false
	}
	_, ok := v.Type.(frontValue)
	return ok
}

// isUnknown reports whether a front-end value is one of several.
func isUnknown(v *ssa.Value) bool {
	switch t := v.Type.(type) {
	case *unknownValue:
		return true
	case *funcValue:
		return t.unknown
	}
	return false
}

// forgotten is what is left of a front-end value of which it is not known any more
// which one it is.
func forgotten(v *ssa.Value, ended string) *ssa.Value {
	if funcOf(v) != nil {
		return (&funcValue{unknown: true, ended: ended}).value()
	}
	return frontly(&unknownValue{ended: ended})
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
	switch s := x.Type.(type) {
	case *funcValue:
		t := funcOf(y)
		return t != nil && s.same(t)
	case *stringValue:
		t, ok := y.Type.(*stringValue)
		return ok && s.s == t.s
	case *aggregate:
		t, ok := y.Type.(*aggregate)
		return ok && b.sameValues(b.partsOf(s), b.partsOf(t))
	case *listValue:
		t, ok := y.Type.(*listValue)
		return ok && s.isNil == t.isNil && b.sameValues(s.elems, t.elems)
	case *mapValue:
		t, ok := y.Type.(*mapValue)
		if !ok || s.isNil != t.isNil || len(s.keys) != len(t.keys) {
			return false
		}
		for i, k := range s.keys {
			if string(k.Append(nil)) != string(t.keys[i].Append(nil)) {
				return false
			}
		}
		return b.sameValues(s.elems, t.elems)
	}
	c, ok := x.Const()
	d, ok2 := y.Const()
	return ok && ok2 && x.Type == y.Type && c == d
}

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
		return frontly(&listValue{typ: t, isNil: true})
	case *types.Map:
		return frontly(&mapValue{typ: t, isNil: true})
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
	return frontly(&aggregate{typ: t, parts: parts, n: len(parts)})
}
