package frontend

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
	"unicode/utf8"

	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/ssa"
)

// maxString is how many bytes a string may have that is made at compile time.
const maxString = 1 << 20

// stringOf is a string that is known, and whether the value is one.
func stringOf(v *ssa.Value) (string, bool) {
	if !isA(v, comptime.String) {
		return "", false
	}
	return frontOf(v).str, true
}

// concat is x + y of strings.
func (b *Values) concat(pos token.Pos, x, y *ssa.Value) *ssa.Value {
	if x == poison || y == poison {
		return poison
	}
	for _, v := range [...]*ssa.Value{x, y} {
		if isUnknown(v) {
			return b.refuseUnknownAt(pos, v)
		}
	}
	s, ok := stringOf(x)
	t, ok2 := stringOf(y)
	switch {
	case !ok || !ok2:
		return b.noValue("a sum of a " + x.Type.String() + " and a " + y.Type.String())
	case len(s)+len(t) > maxString:
		b.m.refuse(&ast.BadExpr{From: pos, To: pos + 1}, "keep strings short", "a string of more than %d bytes", maxString)
		return poison
	}
	return str(s + t)
}

// compareFront compares two values of which one at least is a front-end value.
func (b *Values) compareFront(e ast.Expr, op token.Token, x, y *ssa.Value) *ssa.Value {
	pos := e.Pos()
	if isFront(y) && !isFront(x) {
		x, y = y, x // of nil and a function
	}
	for _, v := range [...]*ssa.Value{x, y} {
		if v != untypedNil && isUnknown(v) {
			if f := funcOf(v); f != nil {
				return b.compareFunc(e, op, f)
			}
			return b.refuseUnknownAt(pos, v)
		}
	}
	if f := frontOf(x); f != nil {
		return b.compareFronts(e, op, f, y)
	}
	return b.noValue("a comparison of " + x.Type.String() + " and " + y.Type.String())
}

// compareFronts compares a value that only the front end has with another one.
func (b *Values) compareFronts(e ast.Expr, op token.Token, x *frontValue, y *ssa.Value) *ssa.Value {
	pos := e.Pos()
	switch x.kind {
	case comptime.Func:
		return b.compareFunc(e, op, x.fn)
	case comptime.String:
		s, ok := stringOf(y)
		if !ok {
			break
		}
		holds := false
		switch c := strings.Compare(x.str, s); op {
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
		return b.constant(pos, ssa.Bool, ssa.BoolConst(holds))
	case comptime.Slice, comptime.Map:
		return b.constant(pos, ssa.Bool, ssa.BoolConst(x.isNil == (op == token.EQL)))
	case comptime.Struct, comptime.Array:
		return b.compareParts(e, op, x, y)
	}
	return b.noValue("a comparison of " + x.String() + " and " + y.Type.String())
}

// compareParts compares two structs or arrays part by part, as Go does.
func (b *Values) compareParts(e ast.Expr, op token.Token, x *frontValue, y *ssa.Value) *ssa.Value {
	other := aggregateOf(y)
	if other == nil || other.n != x.n {
		return b.noValue("a comparison of " + x.String() + " and " + y.Type.String())
	}
	pos := e.Pos()
	equal := b.constant(pos, ssa.Bool, ssa.BoolConst(true))
	xs, ys := b.partsOf(x), b.partsOf(other)
	for i := range xs {
		if name, _ := partOfType(x.typ, i); name == "_" {
			continue
		}
		part := b.compare(e, token.EQL, b.here(pos, xs[i]), b.here(pos, ys[i]))
		if part == poison {
			return poison
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
			equal = b.op(pos, ssa.OpAnd, ssa.Bool, equal, part)
		}
	}
	if op == token.EQL {
		return equal
	}
	if c, ok := equal.Const(); ok {
		return b.constant(pos, ssa.Bool, ssa.BoolConst(!c.Bool()))
	}
	return b.op(pos, ssa.OpNot, ssa.Bool, equal)
}

// frontSlice is x[lo:hi] of a string or a list.
func (b operands) frontSlice(e *ast.SliceExpr, x *ssa.Value) *ssa.Value {
	if isUnknown(x) {
		b.refuseUnknownValue(e.X, types.ExprString(e.X), x)
		return poison
	}
	n, _ := lengthOf(x)
	if e.Slice3 {
		b.m.refuse(e, "leave the capacity out: x[lo:hi]", "slices in a kernel have no capacity")
		return poison
	}
	lo, hi := 0, n
	for _, bound := range [...]struct {
		e  ast.Expr
		to *int
	}{{e.High, &hi}, {e.Low, &lo}} {
		if bound.e == nil {
			continue
		}
		v := b.index(bound.e)
		if v == poison {
			return poison
		}
		c, ok := b.knownConst(v)
		switch {
		case !ok:
			b.m.refuse(bound.e, "compute it from what is known at compile time", "a bound of a slice of %s is not known at compile time", types.ExprString(e.X))
			return poison
		case c.Int() < 0 || c.Int() > int64(hi):
			b.m.refuse(bound.e, "use a bound that it has", "slice bound %d out of range: %s has %d elements", c.Int(), types.ExprString(e.X), n)
			return poison
		}
		*bound.to = int(c.Int())
	}
	switch f := frontOf(x); f.kind {
	case comptime.String:
		return str(f.str[lo:hi])
	case comptime.Slice:
		part := *f
		part.parts = f.parts[lo:hi:hi]
		return frontly(&part)
	case comptime.Struct, comptime.Array:
		return b.refuseSliced(e)
	}
	return b.noValue("a slice of a " + x.Type.String())
}

// refuseSliced refuses a slice of an array that is no memory.
func (b *Values) refuseSliced(e *ast.SliceExpr) *ssa.Value {
	if b.m.illTyped() {
		return poison
	}
	b.m.refuse(e, "index it, or loop over it with for i, v := range qd.Static(a)", "%s is known at compile time only, and cannot be sliced", types.ExprString(e.X))
	return poison
}

// stringConversion is a conversion to a string type.
func (b *Values) stringConversion(e *ast.CallExpr, v *ssa.Value) *ssa.Value {
	switch {
	case v == poison:
		return poison
	case isUnknown(v):
		b.refuseUnknownValue(e.Args[0], types.ExprString(e.Args[0]), v)
		return poison
	case isFront(v):
		return b.stringOfList(e, v)
	}
	c, ok := b.knownConst(v)
	if !ok || !ssa.IsInteger(v.Type) {
		b.m.refuse(e, "only what is known at compile time can be a string", "the string of %s is not known at compile time", types.ExprString(e.Args[0]))
		return poison
	}
	if r := c.Int(); r < 0 || r > 0x10ffff || ssa.IsUnsigned(v.Type) && c.Uint() > 0x10ffff {
		return str("\uFFFD")
	}
	return str(string(rune(c.Int())))
}

// stringOfList is the string of a slice of bytes or runes that is known as a whole; of a string that.
func (b *Values) stringOfList(e *ast.CallExpr, v *ssa.Value) *ssa.Value {
	if !isA(v, comptime.Slice) {
		return v
	}
	var s []byte
	for i, elem := range frontOf(v).parts {
		c, ok := b.knownConst(elem)
		switch {
		case elem == poison:
			return poison
		case !ok:
			b.m.refuse(e, "only what is known at compile time can be a string", "element %d of %s is not known at compile time", i, types.ExprString(e.Args[0]))
			return poison
		case elem.Type == ssa.Uint8:
			s = append(s, byte(c.Uint()))
		default:
			s = utf8.AppendRune(s, rune(c.Int()))
		}
	}
	return str(string(s))
}

// slicedString is a conversion of a string to a slice: a new array of its bytes or its runes,
// or in qd.Static a list of them.
func (b *Variables) slicedString(e ast.Expr, typ types.Type, v *ssa.Value) *ssa.Value {
	t, isRuntime := b.m.typeOf(typ)
	slice, _ := t.(ssa.Slice)
	switch {
	case v == poison:
		return poison
	case isUnknown(v):
		b.refuseUnknownValue(e, types.ExprString(e), v)
		return poison
	case !isRuntime || slice.Elem != ssa.Uint8 && slice.Elem != ssa.Int32:
		return b.noValue("a conversion of a string to " + typ.String())
	}
	s, ok := stringOf(v)
	if !ok {
		return b.noValue("a string that is a " + v.Type.String())
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
	if b.inStatic == 0 && !b.fitsLocal(e, slice, len(elems), "a slice of a string") {
		return poison
	}
	parts := make([]*ssa.Value, len(elems))
	for i, c := range elems {
		parts[i] = b.constant(e.Pos(), slice.Elem, ssa.IntConst(slice.Elem, c))
	}
	array := ssa.Array{Elem: slice.Elem, Len: len(parts)}
	switch {
	case b.inStatic > 0:
		return list(typ, parts)
	case len(parts) == 0:
		return b.newSlice(e, slice, b.zero(e.Pos(), array))
	}
	return b.newSlice(e, slice, b.op(e.Pos(), ssa.OpMake, array, parts...))
}

// extremeString is min or max of two strings.
func (b *Values) extremeString(e *ast.CallExpr, op ssa.Op, x, y *ssa.Value) *ssa.Value {
	cmp := token.LSS
	if op == ssa.OpMax {
		cmp = token.GTR
	}
	first := b.compare(e, cmp, x, y)
	if first == poison {
		return poison
	}
	if c, _ := first.Const(); c.Bool() {
		return x
	}
	return y
}
