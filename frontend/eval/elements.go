package eval

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/ssa"
)

// KnownIndex is an index into so many front-end values.
func (b *Elements) KnownIndex(e *ast.IndexExpr, index *ssa.Value, n int) (int, bool) {
	c, ok := b.KnownConst(index)
	switch {
	case !ok && b.IsSymbolic(index):
		return 0, false // which element it is depends on the launch
	case !ok:
		b.Facts.Refuse(e.Index, "loop over all of them with for i := range qd.Static(n), or choose with a switch",
			"the index of %s is not known at compile time", types.ExprString(e.X))
		return 0, false
	case c.Int() < 0 || c.Int() >= int64(n):
		b.Facts.Refuse(e.Index, "use a valid index", "index %d out of range: %s has %d elements", c.Int(), types.ExprString(e.X), n)
		return 0, false
	}
	return int(c.Int()), true
}

// FrontElem is an element of a front-end value; the index of one that has a length is in range.
func (b *Elements) FrontElem(pos token.Pos, x, index *ssa.Value) *ssa.Value {
	f := FrontOf(x)
	if f.Kind == comptime.Map {
		v, _ := b.LookUp(pos, f, index)
		return v
	}
	c, _ := b.KnownConst(index)
	i := int(c.Int())
	switch f.Kind {
	case comptime.Struct, comptime.Array, comptime.Slice:
		return b.partAt(pos, f, i)
	case comptime.String:
		return b.Constant(pos, ssa.Uint8, ssa.IntConst(ssa.Uint8, uint64(f.Str[i])))
	}
	return b.NoValue("an index into a " + x.Type.String())
}

// ArrayOf is a list as an array value, nil if the running kernel cannot have such.
func (b *Elements) ArrayOf(pos token.Pos, l *FrontValue) *ssa.Value {
	elem, ok := b.Facts.Part(l.Typ.Underlying().(*types.Slice).Elem())
	if !ok {
		return nil
	}
	t := ssa.Array{Elem: elem, Len: len(l.Parts)}
	if len(l.Parts) == 0 {
		return b.Zero(pos, t)
	}
	parts := make([]*ssa.Value, len(l.Parts))
	for i, v := range l.Parts {
		if parts[i] = b.here(pos, v); IsFront(parts[i]) {
			return b.refuseUnknownAt(pos, parts[i])
		}
	}
	return b.Op(pos, ssa.OpMake, t, parts...)
}

// LengthOf is the length of a front-end value that has one.
func LengthOf(x *ssa.Value) (int, bool) {
	f := FrontOf(x)
	switch {
	case f == nil:
	case f.held != nil:
		return f.N, true
	case f.Kind == comptime.String:
		return len(f.Str), true
	case f.Kind != comptime.Func && !f.isUnknown():
		return len(f.Parts), true
	}
	return 0, false
}

// FrontLength lowers len and cap of a front-end value.
func (b *Elements) FrontLength(e *ast.CallExpr, name string, x *ssa.Value) *ssa.Value {
	if IsUnknown(x) {
		b.RefuseUnknownValue(e.Args[0], types.ExprString(e.Args[0]), x)
		return Poison
	}
	n, ok := LengthOf(x)
	switch {
	case !ok:
		return b.NoValue(name + " of a " + x.Type.String())
	case name == "cap" && !check.IsArray(b.GoType(e.Args[0])):
		b.Facts.Refuse(e, "use len", "slices in a kernel have no capacity")
		return Poison
	}
	return b.Constant(e.Pos(), ssa.Int64, ssa.IntConst(ssa.Int64, uint64(n)))
}

// LookUp is the element of a map under a key, and whether there is one.
func (b *Elements) LookUp(pos token.Pos, m *FrontValue, key *ssa.Value) (v, ok *ssa.Value) {
	if key == Poison {
		return Poison, Poison
	}
	u := m.Typ.Underlying().(*types.Map)
	k, ok2 := b.Known(key, u.Key())
	if !ok2 {
		b.Facts.Refuse(&ast.BadExpr{From: pos, To: pos + 1}, "choose with a switch", "the key of the map is not known at compile time")
		return Poison, Poison
	}
	want := string(k.Append(nil))
	for i, k := range m.Keys {
		if string(k.Append(nil)) == want {
			return b.here(pos, m.Parts[i]), b.Constant(pos, ssa.Bool, ssa.BoolConst(true))
		}
	}
	return b.ZeroOf(pos, u.Elem()), b.Constant(pos, ssa.Bool, ssa.BoolConst(false))
}
