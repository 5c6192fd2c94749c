package eval

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/ssa"
)

// UntypedNil stands for nil until coerce gives it a type.
var UntypedNil = &ssa.Value{Type: ssa.Invalid, Name: "nil"}

// Coerce is Go's implicit conversion of a value to the type of what it is assigned
// to, or compared with: nil becomes a pointer or a slice, and a struct whose type has
// no name becomes one of a type with a name, or the reverse.
func (b *Conversions) Coerce(pos token.Pos, v *ssa.Value, t ssa.Type) *ssa.Value {
	if v == UntypedNil {
		switch t.(type) {
		case ssa.Slice, ssa.Pointer:
			return b.Op(pos, ssa.OpZero, t)
		}
		return Poison
	}
	if IsFront(v) {
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
		parts[i] = b.Compute(pos, &ssa.Instr{Op: ssa.OpField, Index: int32(i), Args: []*ssa.Value{v}}, f.Type)
	}
	return b.Op(pos, ssa.OpMake, t, parts...)
}

// CoerceTo is coerce to a type of a declaration, which may be a function type.
func (b *Conversions) CoerceTo(pos token.Pos, v *ssa.Value, t types.Type) *ssa.Value {
	t = b.Subst(t)
	if v == UntypedNil && b.Facts.IsFrontType(t) {
		return b.ZeroOf(pos, t)
	}
	if IsFront(v) {
		return b.renamed(v, t)
	}
	if t, ok := b.Facts.TypeOf(t); ok {
		return b.Coerce(pos, v, t)
	}
	return v
}

// CoerceAll coerces values to types of which there are as many, where all is well.
func (b *Conversions) CoerceAll(pos token.Pos, vals []*ssa.Value, to []ssa.Type) {
	for i, v := range vals {
		if i < len(to) {
			vals[i] = b.Coerce(pos, v, to[i])
		}
	}
}

// ConvertTo is Go's explicit conversion.
func (b *Conversions) ConvertTo(e *ast.CallExpr, v *ssa.Value, t ssa.Type) *ssa.Value {
	v = b.Coerce(e.Pos(), v, t)
	if v != Poison && v.Type == t && ssa.IsFloat(t) && b.Facts.Opts.Fused {
		return b.Op(e.Pos(), ssa.OpConvert, t, v) // a product in it is rounded
	}
	if v != Poison && v.Type == t && ssa.IsComplex(t) && b.Facts.Opts.Fused {
		re, im := b.ComplexParts(e.Pos(), v)
		return b.Op(e.Pos(), ssa.OpMake, t, b.Op(e.Pos(), ssa.OpConvert, re.Type, re), b.Op(e.Pos(), ssa.OpConvert, im.Type, im))
	}
	if v == Poison || v.Type == t {
		return v
	}
	if x, ok := v.Type.(ssa.TileType); ok {
		if y, ok := t.(ssa.TileType); ok && x.Elem == y.Elem {
			return v // with its lengths, which are no part of the Go type
		}
	}
	_, fromSlice := v.Type.(ssa.Slice)
	_, toPointer := t.(ssa.Pointer)
	switch {
	case ssa.IsNumeric(v.Type) && ssa.IsNumeric(t):
		return b.Convert(e.Pos(), v, t)
	case ssa.IsComplex(v.Type) && ssa.IsComplex(t):
		return b.ConvertComplex(e.Pos(), v, t)
	case fromSlice && toPointer:
		b.Facts.Refuse(e, "use the slice, or the array: [4]T(s), *(*[4]T)(s)", "a pointer to the array of a slice is not supported in a kernel")
	case toPointer:
		b.Facts.Refuse(e, "convert the value that it points to", "conversions of pointers to another type are not supported")
	case b.DiffersByTags(e):
		b.Facts.Refuse(e, "put the tag on both types, or on neither", "cannot convert between types that differ in the tag of an unpacked field")
	default:
		return b.NoValue("a conversion from " + v.Type.String() + " to " + t.String())
	}
	return Poison
}

// Compare compares two values of one type.
func (b *Comparisons) Compare(e ast.Expr, op token.Token, x, y *ssa.Value) *ssa.Value {
	if x == Poison || y == Poison {
		return Poison
	}
	pos := e.Pos()
	if bin, ok := e.(*ast.BinaryExpr); ok {
		pos = bin.OpPos
	}
	if x == UntypedNil {
		x, y = y, x
	}
	if InterfaceOf(x) != nil || InterfaceOf(y) != nil {
		return b.compareInterfaces(e, op, x, y)
	}
	if IsFront(x) || IsFront(y) {
		return b.compareFront(e, op, x, y)
	}
	if _, ok := x.Type.(ssa.Slice); ok && y == UntypedNil {
		isNil := b.Op(pos, ssa.OpIsNil, ssa.Bool, x)
		if op == token.NEQ {
			isNil = b.Op(pos, ssa.OpNot, ssa.Bool, isNil)
		}
		return isNil
	}
	if s, ok := x.Type.(*ssa.Struct); ok && s.Name == "" {
		x = b.Coerce(pos, x, y.Type)
	}
	y = b.Coerce(pos, y, x.Type)
	if y == Poison {
		return Poison
	}
	if check.IsPlace(x.Type) {
		b.Facts.Refuse(e, "compare their IDs", "comparing qd.Threads and qd.Blocks is not supported")
		return Poison
	}
	if x.Type != y.Type || !ssa.IsComparable(x.Type) {
		return b.NoValue("a comparison of " + x.Type.String() + " and " + y.Type.String())
	}
	if ssa.IsComplex(x.Type) && (op == token.EQL || op == token.NEQ) {
		return b.compareComplex(pos, op, x, y)
	}
	return b.Op(pos, BinaryOps[op], ssa.Bool, x, y)
}
