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
func (b *builder) coerce(pos token.Pos, v *ssa.Value, t ssa.Type) *ssa.Value {
	if v == untypedNil {
		switch t.(type) {
		case ssa.Slice, ssa.Pointer:
			return b.op(pos, ssa.OpZero, t)
		}
		return poison
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
		parts[i] = b.emit(pos, &ssa.Instr{Op: ssa.OpField, Index: i, Args: []*ssa.Value{v}}, f.Type).Result()
	}
	return b.op(pos, ssa.OpMake, t, parts...)
}

// coerceTo is coerce to a type of a declaration, which may be a function type.
func (b *builder) coerceTo(pos token.Pos, v *ssa.Value, t types.Type) *ssa.Value {
	t = b.subst(t)
	if v == untypedNil && isFunc(t) {
		return new(funcValue).value()
	}
	if t, ok := b.m.typeOf(t); ok {
		return b.coerce(pos, v, t)
	}
	return v
}

// coerceAll coerces values to types of which there are as many, where all is well.
func (b *builder) coerceAll(pos token.Pos, vals []*ssa.Value, to []ssa.Type) {
	for i, v := range vals {
		if i < len(to) {
			vals[i] = b.coerce(pos, v, to[i])
		}
	}
}

// convertTo is Go's explicit conversion.
func (b *builder) convertTo(e *ast.CallExpr, v *ssa.Value, t ssa.Type) *ssa.Value {
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
	default:
		return b.noValue("a conversion from " + v.Type.String() + " to " + t.String())
	}
	return poison
}

// compare compares two values of one type.
func (b *builder) compare(e ast.Expr, op token.Token, x, y *ssa.Value) *ssa.Value {
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
	if f := funcOf(x); f != nil {
		return b.compareFunc(e, op, f)
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

// compositeLit evaluates a composite literal; one within another whose elements are
// pointers is the address of what it makes.
func (b *builder) compositeLit(e *ast.CompositeLit) *ssa.Value {
	typ := b.goType(e)
	if invalid(typ) {
		return b.noValue("a literal without a type")
	}
	switch u := typ.Underlying().(type) {
	case *types.Slice:
		if t, ok := b.m.typeOf(typ); ok {
			return b.sliceLit(e, t.(ssa.Slice))
		}
	case *types.Pointer:
		if p, ok := b.m.typeOf(typ); ok {
			return b.fresh(e.Pos(), b.literal(e, u.Elem(), p.(ssa.Pointer).Elem))
		}
	case *types.Map:
	default:
		if t, ok := b.m.typeOf(typ); ok && !isPlace(t) {
			return b.literal(e, typ, t)
		}
	}
	why, hint := b.m.unsupportedType(typ)
	if isThread(typ) || isBlock(typ) || isGrid(typ) {
		b.m.refuse(e, "use the kernel's own", "a %s cannot be made", b.m.typeString(typ))
		return poison
	}
	b.m.refuse(e, hint, "%s", why)
	return poison
}

// literal is the value of a literal of a struct or an array.
func (b *builder) literal(e *ast.CompositeLit, typ types.Type, t ssa.Type) *ssa.Value {
	switch t := t.(type) {
	case *ssa.Struct:
		if u, ok := typ.Underlying().(*types.Struct); ok {
			return b.structLit(e, u, t)
		}
	case ssa.Array:
		return b.arrayLit(e, t)
	}
	return b.noValue("a literal of type " + t.String())
}

func (b *builder) structLit(e *ast.CompositeLit, u *types.Struct, t *ssa.Struct) *ssa.Value {
	parts := make([]*ssa.Value, len(t.Fields))
	bad := false
	for i, elt := range e.Elts {
		field := i
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			field, elt = -1, kv.Value
			if key, ok := kv.Key.(*ast.Ident); ok {
				for j := range u.NumFields() {
					if u.Field(j).Name() == key.Name {
						field = j
					}
				}
			}
		}
		v := b.expr(elt)
		if field < 0 || field >= len(parts) {
			v = b.noValue("a literal with a field that its type does not have")
		} else {
			v = b.part(elt, v, t.Fields[field].Type)
			parts[field] = v
		}
		bad = bad || v == poison
	}
	if bad {
		return poison
	}
	if len(e.Elts) == 0 {
		return b.zero(e.Pos(), t)
	}
	for i, f := range t.Fields {
		if parts[i] == nil {
			parts[i] = b.zero(e.Pos(), f.Type)
		}
	}
	return b.op(e.Pos(), ssa.OpMake, t, parts...)
}

// part is the value of a part of a literal.
func (b *builder) part(e ast.Expr, v *ssa.Value, t ssa.Type) *ssa.Value {
	v = b.coerce(e.Pos(), v, t)
	if v != poison && v.Type != t {
		return b.noValue("a part of a literal of type " + v.Type.String())
	}
	return v
}

// sliceLit is all of a new array.
func (b *builder) sliceLit(e *ast.CompositeLit, t ssa.Slice) *ssa.Value {
	n, next := 0, 0
	for _, elt := range e.Elts {
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			if next, ok = b.literalKey(kv); !ok {
				return b.noValue("a literal with a key that is no index")
			}
		}
		next++
		n = max(n, next)
	}
	if n > maxTypeSize || n*t.Elem.Size() > maxTypeSize {
		b.m.refuse(e, "pass it as an argument", "a slice literal of more than the %d bytes that a variable may take", maxTypeSize)
		return poison
	}
	addr := b.fresh(e.Pos(), b.arrayLit(e, ssa.Array{Elem: t.Elem, Len: n}))
	return b.op(e.Pos(), ssa.OpSliceOf, t, addr)
}

// literalKey is the index that a key in a literal is, and whether it is one.
func (b *builder) literalKey(kv *ast.KeyValueExpr) (int, bool) {
	key, ok := constOf(ssa.Int64, constantValue(b.info.Types[kv.Key].Value))
	return int(key.Int()), ok && key.Int() >= 0
}

// maxSparse is how many elements an array literal may leave out, and yet be made of
// all its elements.
const maxSparse = 64

func (b *builder) arrayLit(e *ast.CompositeLit, t ssa.Array) *ssa.Value {
	parts := map[int]*ssa.Value{}
	bad := false
	next := 0
	var order []int
	for _, elt := range e.Elts {
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			elt = kv.Value
			if next, ok = b.literalKey(kv); !ok {
				next = -1
			}
		}
		v := b.part(elt, b.expr(elt), t.Elem)
		if next < 0 || next >= t.Len {
			v = b.noValue("a literal with an element that its type does not have")
		}
		bad = bad || v == poison
		parts[next] = v
		order = append(order, next)
		next++
	}
	switch {
	case bad:
		return poison
	case len(parts) == 0:
		return b.zero(e.Pos(), t)
	case t.Len-len(parts) > maxSparse:
		// Not an operand for each zero: a variable of zeros, in which the others are set.
		addr := b.fresh(e.Pos(), b.zero(e.Pos(), t))
		for _, i := range order {
			index := b.constant(e.Pos(), ssa.Int64, ssa.IntConst(ssa.Int64, uint64(i)))
			b.store(e.Pos(), b.op(e.Pos(), ssa.OpElemAddr, ssa.Pointer{Elem: t.Elem}, addr, index), parts[i])
		}
		return b.load(e.Pos(), ref{addr: addr})
	}
	all := make([]*ssa.Value, t.Len)
	for i := range all {
		if all[i] = parts[i]; all[i] == nil {
			all[i] = b.zero(e.Pos(), t.Elem)
		}
	}
	return b.op(e.Pos(), ssa.OpMake, t, all...)
}
