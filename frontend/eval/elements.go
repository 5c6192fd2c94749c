package eval

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/ssa"
)

// indexAdvice is the advice where an index must be known and is not.
const indexAdvice = "loop over all of them with for i := range qd.Static(n), or choose with a switch"

// KnownIndex is an index into so many front-end values.
func (b *Elements) KnownIndex(e *ast.IndexExpr, index *ssa.Value, n int) (int, bool) {
	c, ok := b.KnownConst(index)
	switch {
	case !ok && b.IsSymbolic(index):
		return 0, false // which element it is depends on the launch
	case !ok:
		b.Facts.Refuse(e.Index, indexAdvice,
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

// HasNumbers reports whether the elements of a front-end array or list are structs or arrays, of which the running kernel
// can have a part.
func (b *Elements) HasNumbers(x *ssa.Value) bool {
	f := FrontOf(x)
	if f.Kind != comptime.Array && f.Kind != comptime.Slice || f.isUnknown() {
		return false
	}
	parts := b.partsOf(f)
	return len(parts) > 0 && AggregateOf(parts[0]) != nil && b.someNumber(parts)
}

// someNumber reports whether some part of values of one type is one that the running kernel can have.
func (b *Elements) someNumber(vals []*ssa.Value) bool {
	if slices.Contains(vals, Poison) {
		return true
	}
	if !IsFront(vals[0]) {
		return true
	}
	return slices.ContainsFunc(b.columns(vals), b.someNumber)
}

// columns are the parts of structs or arrays of one type: the first of each of them, and so on. There are none of other
// values.
func (b *Elements) columns(vals []*ssa.Value) [][]*ssa.Value {
	a := AggregateOf(vals[0])
	if a == nil {
		return nil
	}
	columns := make([][]*ssa.Value, a.N)
	for _, v := range vals {
		f := AggregateOf(v)
		if f == nil || f.N != a.N {
			return nil
		}
		for i, part := range b.partsOf(f) {
			columns[i] = append(columns[i], part)
		}
	}
	return columns
}

// SomeElem is an element of a front-end array or list, which a name is for in messages, at an index that only the
// running kernel knows, and which is in range. The kernel has the numbers of all elements in arrays, one for each part
// of an element. What only the front end has is known if it is the same in all elements.
func (b *Elements) SomeElem(pos token.Pos, x, index *ssa.Value, name string) *ssa.Value {
	vals := slices.Clone(b.partsOf(FrontOf(x)))
	for i, v := range vals {
		vals[i] = b.here(pos, v)
	}
	return b.oneOf(pos, vals, index, name)
}

// oneOf is one of several values of one type.
func (b *Elements) oneOf(pos token.Pos, vals []*ssa.Value, index *ssa.Value, name string) *ssa.Value {
	switch columns := b.columns(vals); {
	case slices.Contains(vals, Poison):
		return Poison
	case columns != nil:
		parts := make([]*ssa.Value, len(columns))
		for i, column := range columns {
			for k, v := range column {
				column[k] = b.here(pos, v)
			}
			parts[i] = b.oneOf(pos, column, index, name)
		}
		return Aggregated(AggregateOf(vals[0]).Typ, parts)
	case !slices.ContainsFunc(vals, func(v *ssa.Value) bool { return IsUnknown(v) || !b.sameValue(vals[0], v) }):
		return vals[0]
	case !slices.ContainsFunc(vals, func(v *ssa.Value) bool { return InterfaceOf(v) == nil }):
		return b.oneInterface(pos, vals, index, name)
	case !slices.ContainsFunc(vals, IsFront):
		t := ssa.Array{Elem: vals[0].Type, Len: len(vals)}
		return b.ElemOf(pos, b.Op(pos, ssa.OpMake, t, vals...), index, t)
	case FuncOf(vals[0]) != nil:
		return (&Func{Unknown: true, OneOf: name}).Value()
	}
	return (&FrontValue{oneOf: name}).Value()
}

// oneInterface is oneOf of interface values: what is left of them is what is left where paths meet.
func (b *Elements) oneInterface(pos token.Pos, vals []*ssa.Value, index *ssa.Value, name string) *ssa.Value {
	m := b.Meet(vals)
	m.Fill(func(t ssa.Type) *ssa.Value { return b.Zero(pos, t) })
	leaves := make([]*ssa.Value, len(m.Leaves[0]))
	for n := range leaves {
		column := make([]*ssa.Value, len(vals))
		for i := range vals {
			column[i] = b.here(pos, m.Leaves[i][n])
		}
		leaves[n] = b.oneOf(pos, column, index, name)
	}
	return m.Value(leaves)
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
