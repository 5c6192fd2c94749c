package eval

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
	"unicode/utf8"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/ssa"
)

// MaxString is how many bytes a string may have that is made at compile time.
const MaxString = 1 << 20

// StringOf is a string that is known, and whether the value is one.
func StringOf(v *ssa.Value) (string, bool) {
	if !IsA(v, comptime.String) {
		return "", false
	}
	return FrontOf(v).Str, true
}

// Concat is x + y of strings.
func (b *Comparisons) Concat(pos token.Pos, x, y *ssa.Value) *ssa.Value {
	if x == Poison || y == Poison {
		return Poison
	}
	if v, ok := concatTexts(x, y); ok {
		return v
	}
	for _, v := range [...]*ssa.Value{x, y} {
		if IsUnknown(v) {
			return b.refuseUnknownAt(pos, v)
		}
	}
	s, ok := StringOf(x)
	t, ok2 := StringOf(y)
	switch {
	case !ok || !ok2:
		return b.NoValue("a sum of a " + x.Type.String() + " and a " + y.Type.String())
	case len(s)+len(t) > MaxString:
		b.Facts.Refuse(&ast.BadExpr{From: pos, To: pos + 1}, "keep strings short", "a string of more than %d bytes", MaxString)
		return Poison
	}
	return Str(s + t)
}

// compareFront compares two values of which one at least is a front-end value.
func (b *Comparisons) compareFront(e ast.Expr, op token.Token, x, y *ssa.Value) *ssa.Value {
	pos := e.Pos()
	if IsFront(y) && !IsFront(x) {
		x, y = y, x // of nil and a function
	}
	for _, v := range [...]*ssa.Value{x, y} {
		if v != UntypedNil && IsUnknown(v) {
			if f := FuncOf(v); f != nil {
				return b.compareFunc(e, op, f)
			}
			return b.refuseUnknownAt(pos, v)
		}
	}
	if f := FrontOf(x); f != nil {
		return b.compareFronts(e, op, f, y)
	}
	return b.NoValue("a comparison of " + x.Type.String() + " and " + y.Type.String())
}

// compareFronts compares a value that only the front end has with another one.
func (b *Comparisons) compareFronts(e ast.Expr, op token.Token, x *FrontValue, y *ssa.Value) *ssa.Value {
	pos := e.Pos()
	switch x.Kind {
	case comptime.Func:
		return b.compareFunc(e, op, x.fn)
	case comptime.String:
		s, ok := StringOf(y)
		if !ok {
			break
		}
		holds := false
		switch c := strings.Compare(x.Str, s); op {
		case token.EQL:
			holds = c == 0
		case token.NEQ:
			holds = c != 0
		case token.LSS:
			holds = c < 0
		case token.LEQ:
			holds = c <= 0
		case token.GTR:
			holds = c > 0
		case token.GEQ:
			holds = c >= 0
		}
		return b.Constant(pos, ssa.Bool, ssa.BoolConst(holds))
	case comptime.Slice, comptime.Map:
		return b.Constant(pos, ssa.Bool, ssa.BoolConst(x.isNil == (op == token.EQL)))
	case comptime.Pointer:
		if w, _ := ViewOf(y); x.view != nil || w != nil {
			b.Facts.Refuse(e, "compare what they point to, or the pointers before they are converted", "a pointer that unsafe.Pointer has converted cannot be compared in a kernel")
			return Poison
		}
		if y == UntypedNil || IsA(y, comptime.Pointer) {
			return b.Constant(pos, ssa.Bool, ssa.BoolConst((x.cell == CellOf(y)) == (op == token.EQL)))
		}
	case comptime.Struct, comptime.Array:
		return b.compareParts(e, op, x, y)
	}
	return b.NoValue("a comparison of " + x.String() + " and " + y.Type.String())
}

// compareParts compares two structs or arrays part by part, as Go does.
func (b *Comparisons) compareParts(e ast.Expr, op token.Token, x *FrontValue, y *ssa.Value) *ssa.Value {
	other := AggregateOf(y)
	if other == nil || other.N != x.N {
		return b.NoValue("a comparison of " + x.String() + " and " + y.Type.String())
	}
	pos := e.Pos()
	equal := b.Constant(pos, ssa.Bool, ssa.BoolConst(true))
	xs, ys := b.partsOf(x), b.partsOf(other)
	for i := range xs {
		if name, _ := check.PartOfType(x.Typ, i); name == "_" {
			continue
		}
		part := b.Compare(e, token.EQL, b.here(pos, xs[i]), b.here(pos, ys[i]))
		if part == Poison {
			return Poison
		}
		if c, ok := part.Const(); ok {
			if !c.Bool() {
				equal = part
				break
			}
			continue
		}
		if _, ok := equal.Const(); ok {
			equal = part
		} else {
			equal = b.Op(pos, ssa.OpAnd, ssa.Bool, equal, part)
		}
	}
	if op == token.EQL {
		return equal
	}
	if c, ok := equal.Const(); ok {
		return b.Constant(pos, ssa.Bool, ssa.BoolConst(!c.Bool()))
	}
	return b.Op(pos, ssa.OpNot, ssa.Bool, equal)
}

// RefuseSliced refuses a slice of an array that is no memory.
func (b *Conversions) RefuseSliced(e *ast.SliceExpr) *ssa.Value {
	if b.Facts.IllTyped() {
		return Poison
	}
	b.Facts.Refuse(e, "index it, or loop over it with for i, v := range qd.Static(a)", "%s is known at compile time only, and cannot be sliced", types.ExprString(e.X))
	return Poison
}

// StringConversion is a conversion to a string type.
func (b *Conversions) StringConversion(e *ast.CallExpr, v *ssa.Value) *ssa.Value {
	switch {
	case v == Poison:
		return Poison
	case IsUnknown(v):
		b.RefuseUnknownValue(e.Args[0], types.ExprString(e.Args[0]), v)
		return Poison
	case IsFront(v):
		return b.stringOfList(e, v)
	}
	c, ok := b.KnownConst(v)
	if !ok && ssa.IsInteger(v.Type) {
		return Text{{Verb: "%c", Val: v, Name: types.ExprString(e)}}.Value()
	}
	if !ok || !ssa.IsInteger(v.Type) {
		b.Facts.Refuse(e, "only compile-time values can be strings", "the contents of string(%s) are not known at compile time", types.ExprString(e.Args[0]))
		return Poison
	}
	if r := c.Int(); r < 0 || r > 0x10ffff || ssa.IsUnsigned(v.Type) && c.Uint() > 0x10ffff {
		return Str("\uFFFD")
	}
	return Str(string(rune(c.Int())))
}

// stringOfList is the string of a slice of bytes or runes that is known as a whole; of a string that.
func (b *Conversions) stringOfList(e *ast.CallExpr, v *ssa.Value) *ssa.Value {
	if !IsA(v, comptime.Slice) {
		return v
	}
	var s []byte
	for i, elem := range FrontOf(v).Parts {
		c, ok := b.KnownConst(elem)
		switch {
		case elem == Poison:
			return Poison
		case !ok:
			b.Facts.Refuse(e, "only compile-time values can be strings", "element %d of %s is not known at compile time", i, types.ExprString(e.Args[0]))
			return Poison
		case elem.Type == ssa.Uint8:
			s = append(s, byte(c.Uint()))
		default:
			s = utf8.AppendRune(s, rune(c.Int()))
		}
	}
	return Str(string(s))
}

// SlicedString is a conversion of a string, from, to a slice: a new array of its bytes or its runes,
// or in qd.Static a list of them.
func (b *Variables) SlicedString(e, from ast.Expr, typ types.Type, v *ssa.Value) *ssa.Value {
	return b.slicedString(e, from, typ, v, b.InStatic > 0)
}

// BytesOfString are the bytes of a string, from, in a new array, in qd.Static too: for what copies them.
func (b *Variables) BytesOfString(from ast.Expr, v *ssa.Value) *ssa.Value {
	return b.slicedString(from, from, types.NewSlice(types.Typ[types.Byte]), v, false)
}

func (b *Variables) slicedString(e, from ast.Expr, typ types.Type, v *ssa.Value, list bool) *ssa.Value {
	t, isRuntime := b.Facts.TypeOf(typ)
	slice, _ := t.(ssa.Slice)
	switch {
	case v == Poison:
		return Poison
	case IsUnknown(v):
		b.RefuseUnknownValue(from, types.ExprString(from), v)
		return Poison
	case !isRuntime || slice.Elem != ssa.Uint8 && slice.Elem != ssa.Int32:
		return b.NoValue("a conversion of a string to " + typ.String())
	}
	s, ok := StringOf(v)
	if !ok {
		return b.NoValue("a string that is a " + v.Type.String())
	}
	var elems []uint64
	if slice.Elem == ssa.Uint8 {
		for _, c := range []byte(s) {
			elems = append(elems, uint64(c))
		}
	} else {
		for _, c := range s {
			elems = append(elems, uint64(c))
		}
	}
	if b.InStatic == 0 && !b.FitsLocal(e, slice, len(elems), "a slice of a string") {
		return Poison
	}
	if list {
		return List(typ, b.integers(e.Pos(), slice.Elem, elems))
	}
	return b.NewSlice(e, slice, b.IntegerArray(e.Pos(), slice.Elem, elems))
}

// integers are constants of an integer type.
func (b *Code) integers(pos token.Pos, t ssa.Type, elems []uint64) []*ssa.Value {
	parts := make([]*ssa.Value, len(elems))
	for i, c := range elems {
		parts[i] = b.Constant(pos, t, ssa.IntConst(t, c))
	}
	return parts
}

// IntegerArray is an array of constants.
func (b *Code) IntegerArray(pos token.Pos, t ssa.Type, elems []uint64) *ssa.Value {
	array := ssa.Array{Elem: t, Len: len(elems)}
	if len(elems) == 0 {
		return b.Zero(pos, array)
	}
	return b.Op(pos, ssa.OpMake, array, b.integers(pos, t, elems)...)
}

// BytesOf is an array of the bytes of a string.
func (b *Code) BytesOf(pos token.Pos, s string) *ssa.Value {
	elems := make([]uint64, len(s))
	for i := range len(s) {
		elems[i] = uint64(s[i])
	}
	return b.IntegerArray(pos, ssa.Uint8, elems)
}

// ExtremeString is min or max of two strings.
func (b *Comparisons) ExtremeString(e *ast.CallExpr, op ssa.Op, x, y *ssa.Value) *ssa.Value {
	cmp := token.LSS
	if op == ssa.OpMax {
		cmp = token.GTR
	}
	first := b.Compare(e, cmp, x, y)
	if first == Poison {
		return Poison
	}
	if c, _ := first.Const(); c.Bool() {
		return x
	}
	return y
}
