package frontend

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/ssa"
)

// frontElement evaluates the operands of x[i] where x is a front-end value. An index that
// is not known needs elements that the running kernel can have: of those an array is
// made.
func (b operands) frontElement(e *ast.IndexExpr, x *ssa.Value) (ref, *ssa.Value) {
	bad := ref{val: poison}
	if isUnknown(x) {
		b.expr(e.Index)
		b.refuseUnknownValue(e.X, types.ExprString(e.X), x)
		return bad, poison
	}
	if isA(x, comptime.Map) {
		key := b.coerceTo(e.Index.Pos(), b.expr(e.Index), frontOf(x).typ.Underlying().(*types.Map).Key())
		return ref{val: x}, key
	}
	index := b.index(e.Index)
	if index == poison {
		return bad, poison
	}
	if _, ok := b.knownConst(index); !ok {
		if isA(x, comptime.Slice) {
			if v := b.arrayOf(e.Pos(), frontOf(x)); v != nil {
				return ref{val: v}, index
			}
		}
	}
	n, _ := lengthOf(x)
	if _, ok := b.knownIndex(e, index, n); !ok {
		return bad, poison
	}
	return ref{val: x}, index
}

// knownIndex is an index into so many front-end values.
func (b *Values) knownIndex(e *ast.IndexExpr, index *ssa.Value, n int) (int, bool) {
	c, ok := b.knownConst(index)
	switch {
	case !ok:
		b.m.refuse(e.Index, "loop over all of them with for i := range qd.Static(n), or choose with a switch",
			"which element of %s is used, is not known at compile time", types.ExprString(e.X))
		return 0, false
	case c.Int() < 0 || c.Int() >= int64(n):
		b.m.refuse(e.Index, "use an index that it has", "index %d out of range: %s has %d elements", c.Int(), types.ExprString(e.X), n)
		return 0, false
	}
	return int(c.Int()), true
}

// frontElem is an element of a front-end value; the index of one that has a length is in range.
func (b *Values) frontElem(pos token.Pos, x, index *ssa.Value) *ssa.Value {
	f := frontOf(x)
	if f.kind == comptime.Map {
		v, _ := b.lookUp(pos, f, index)
		return v
	}
	c, _ := b.knownConst(index)
	i := int(c.Int())
	switch f.kind {
	case comptime.Struct, comptime.Array, comptime.Slice:
		return b.partAt(pos, f, i)
	case comptime.String:
		return b.constant(pos, ssa.Uint8, ssa.IntConst(ssa.Uint8, uint64(f.str[i])))
	}
	return b.noValue("an index into a " + x.Type.String())
}

// arrayOf is a list as an array value, nil if the running kernel cannot have such.
func (b *Values) arrayOf(pos token.Pos, l *frontValue) *ssa.Value {
	elem, ok := b.m.part(l.typ.Underlying().(*types.Slice).Elem())
	if !ok {
		return nil
	}
	t := ssa.Array{Elem: elem, Len: len(l.parts)}
	if len(l.parts) == 0 {
		return b.zero(pos, t)
	}
	parts := make([]*ssa.Value, len(l.parts))
	for i, v := range l.parts {
		if parts[i] = b.here(pos, v); isFront(parts[i]) {
			return b.refuseUnknownAt(pos, parts[i])
		}
	}
	return b.op(pos, ssa.OpMake, t, parts...)
}

// rangeOverFront is rangeOver of a front-end value: of a list that qd.Static does not ask to
// be unrolled, and of which the running kernel can have the elements, an array.
func (b looper) rangeOverFront(s *ast.RangeStmt, over *ssa.Value) (*ssa.Value, *ssa.Value) {
	if isUnknown(over) {
		b.refuseUnknownValue(s.X, types.ExprString(s.X), over)
		return poison, poison
	}
	n, ok := lengthOf(over)
	if isA(over, comptime.Map) || !ok {
		b.m.refuse(s.X, "range over a slice of its keys", "a range over %s, which has no order", types.ExprString(s.X))
		return poison, poison
	}
	if isA(over, comptime.Slice) && b.markerCall(s.X, "Static") == nil {
		if v := b.arrayOf(s.X.Pos(), frontOf(over)); v != nil {
			over = v
		}
	}
	if over == poison {
		return poison, poison
	}
	return over, b.constant(s.X.Pos(), ssa.Int64, ssa.IntConst(ssa.Int64, uint64(n)))
}

// lengthOf is the length of a front-end value that has one.
func lengthOf(x *ssa.Value) (int, bool) {
	f := frontOf(x)
	switch {
	case f == nil:
	case f.held != nil:
		return f.n, true
	case f.kind == comptime.String:
		return len(f.str), true
	case f.kind != comptime.Func && !f.isUnknown():
		return len(f.parts), true
	}
	return 0, false
}

// frontLength lowers len and cap of a front-end value.
func (b *Values) frontLength(e *ast.CallExpr, name string, x *ssa.Value) *ssa.Value {
	if isUnknown(x) {
		b.refuseUnknownValue(e.Args[0], types.ExprString(e.Args[0]), x)
		return poison
	}
	n, ok := lengthOf(x)
	switch {
	case !ok:
		return b.noValue(name + " of a " + x.Type.String())
	case name == "cap" && !isArray(b.goType(e.Args[0])):
		b.m.refuse(e, "use len", "slices in a kernel have no capacity")
		return poison
	}
	return b.constant(e.Pos(), ssa.Int64, ssa.IntConst(ssa.Int64, uint64(n)))
}

// lookUp is the element of a map under a key, and whether there is one.
func (b *Values) lookUp(pos token.Pos, m *frontValue, key *ssa.Value) (v, ok *ssa.Value) {
	if key == poison {
		return poison, poison
	}
	u := m.typ.Underlying().(*types.Map)
	k, ok2 := b.known(key, u.Key())
	if !ok2 {
		b.m.refuse(&ast.BadExpr{From: pos, To: pos + 1}, "choose with a switch", "which element of the map is used, is not known at compile time")
		return poison, poison
	}
	want := string(k.Append(nil))
	for i, k := range m.keys {
		if string(k.Append(nil)) == want {
			return b.here(pos, m.parts[i]), b.constant(pos, ssa.Bool, ssa.BoolConst(true))
		}
	}
	return b.zeroOf(pos, u.Elem()), b.constant(pos, ssa.Bool, ssa.BoolConst(false))
}

// commaOk evaluates x[k] for a v, ok := x[k] of a map.
func (b operands) commaOk(e *ast.IndexExpr) ([]*ssa.Value, bool) {
	x := b.expr(e.X)
	if !isA(x, comptime.Map) {
		return nil, false
	}
	m := frontOf(x)
	key := b.coerceTo(e.Index.Pos(), b.expr(e.Index), m.typ.Underlying().(*types.Map).Key())
	v, found := b.lookUp(e.Pos(), m, key)
	return []*ssa.Value{v, found}, true
}
