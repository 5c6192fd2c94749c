package frontend

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/qdgen/qd/ssa"
)

// untypedNil stands for nil until coerce gives it a type.
var untypedNil = &ssa.Value{Type: ssa.Invalid, Name: "nil"}

// coerce is Go's implicit conversion of a value to the type of what it is assigned
// to, or compared with: nil becomes a pointer or a slice, and a struct whose type has
// no name becomes one of a type with a name, or the reverse.
func (b *Values) coerce(pos token.Pos, v *ssa.Value, t ssa.Type) *ssa.Value {
	if v == untypedNil {
		switch t.(type) {
		case ssa.Slice, ssa.Pointer:
			return b.op(pos, ssa.OpZero, t)
		}
		return poison
	}
	if isFront(v) {
		return b.materialize(pos, v, t)
	}
	from, ok := v.Type.(*ssa.Struct)
	to, isStruct := t.(*ssa.Struct)
	if !ok || !isStruct || from == to || len(from.Fields) != len(to.Fields) {
		return v
	}
	parts := make([]*ssa.Value, len(from.Fields))
	for i, f := range from.Fields {
		if f.Type != to.Fields[i].Type {
			return v // of an ill-typed program
		}
		parts[i] = b.compute(pos, &ssa.Instr{Op: ssa.OpField, Index: i, Args: []*ssa.Value{v}}, f.Type)
	}
	return b.op(pos, ssa.OpMake, t, parts...)
}

// coerceTo is coerce to a type of a declaration, which may be a function type.
func (b *Values) coerceTo(pos token.Pos, v *ssa.Value, t types.Type) *ssa.Value {
	t = b.subst(t)
	if v == untypedNil && b.m.isFrontType(t) {
		return b.zeroOf(pos, t)
	}
	if isFront(v) {
		return b.renamed(v, t)
	}
	if t, ok := b.m.typeOf(t); ok {
		return b.coerce(pos, v, t)
	}
	return v
}

// coerceAll coerces values to types of which there are as many, where all is well.
func (b *Values) coerceAll(pos token.Pos, vals []*ssa.Value, to []ssa.Type) {
	for i, v := range vals {
		if i < len(to) {
			vals[i] = b.coerce(pos, v, to[i])
		}
	}
}

// convertTo is Go's explicit conversion.
func (b *Values) convertTo(e *ast.CallExpr, v *ssa.Value, t ssa.Type) *ssa.Value {
	v = b.coerce(e.Pos(), v, t)
	if v == poison || v.Type == t {
		return v
	}
	_, fromSlice := v.Type.(ssa.Slice)
	_, toPointer := t.(ssa.Pointer)
	switch {
	case ssa.IsNumeric(v.Type) && ssa.IsNumeric(t):
		return b.convert(e.Pos(), v, t)
	case fromSlice && (toPointer || isArray(b.goType(e))):
		b.m.refuse(e, "copy the elements: copy(a[:], s)", "conversions of slices to arrays are not supported")
	case toPointer:
		b.m.refuse(e, "convert what it points to", "conversions of pointers to another type are not supported")
	case b.differsByTags(e):
		b.m.refuse(e, "give both types the tag, or none", "conversion between types that differ in the tag of an unpacked field")
	default:
		return b.noValue("a conversion from " + v.Type.String() + " to " + t.String())
	}
	return poison
}

// differsByTags reports whether a conversion, in which Go lets struct tags differ, is
// between types that do.
func (b *Scope) differsByTags(e *ast.CallExpr) bool {
	from, to := b.goType(e.Args[0]), b.goType(e)
	return from != nil && to != nil && types.IdenticalIgnoreTags(from.Underlying(), to.Underlying()) && !types.Identical(from.Underlying(), to.Underlying())
}

// compare compares two values of one type.
func (b *Values) compare(e ast.Expr, op token.Token, x, y *ssa.Value) *ssa.Value {
	if x == poison || y == poison {
		return poison
	}
	pos := e.Pos()
	if bin, ok := e.(*ast.BinaryExpr); ok {
		pos = bin.OpPos
	}
	if x == untypedNil {
		x, y = y, x
	}
	if isFront(x) || isFront(y) {
		return b.compareFront(e, op, x, y)
	}
	if _, ok := x.Type.(ssa.Slice); ok && y == untypedNil {
		isNil := b.op(pos, ssa.OpIsNil, ssa.Bool, x)
		if op == token.NEQ {
			isNil = b.op(pos, ssa.OpNot, ssa.Bool, isNil)
		}
		return isNil
	}
	if s, ok := x.Type.(*ssa.Struct); ok && s.Name == "" {
		x = b.coerce(pos, x, y.Type)
	}
	y = b.coerce(pos, y, x.Type)
	if y == poison {
		return poison
	}
	if isPlace(x.Type) {
		b.m.refuse(e, "compare their IDs", "comparing qd.Threads and qd.Blocks is not supported")
		return poison
	}
	if x.Type != y.Type || !ssa.IsComparable(x.Type) {
		return b.noValue("a comparison of " + x.Type.String() + " and " + y.Type.String())
	}
	return b.op(pos, binaryOps[op], ssa.Bool, x, y)
}
