package lower

import (
	"go/ast"
	"go/types"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

// A composer lowers composite literals.
type composer struct{ b *builder }

// compositeLit evaluates a composite literal; one within another whose elements are
// pointers is the address of what it makes.
func (c composer) compositeLit(e *ast.CompositeLit) *ssa.Value {
	typ := c.b.GoType(e)
	if check.Invalid(typ) {
		return c.b.NoValue("a literal without a type")
	}
	switch u := typ.Underlying().(type) {
	case *types.Slice:
		if t, ok := c.b.m.TypeOf(typ); c.b.InStatic > 0 || !ok && c.b.m.IsFrontType(typ) {
			return c.listLit(e, typ)
		} else if ok {
			return c.sliceLit(e, t.(ssa.Slice))
		}
	case *types.Pointer:
		if p, ok := c.b.m.TypeOf(typ); ok {
			return c.b.NewOf(e, c.literal(e, u.Elem(), p.(ssa.Pointer).Elem))
		}
		if c.b.m.IsFrontType(typ) {
			return c.b.newOf(e, typ, c.frontLit(e, u.Elem()))
		}
	case *types.Map:
		if c.b.InStatic > 0 && c.b.m.IsFrontType(typ) {
			return c.mapLit(e, typ)
		}
	default:
		if c.b.m.IsFrontType(typ) {
			return c.frontLit(e, typ)
		}
		if t, ok := c.b.m.TypeOf(typ); ok && !check.IsPlace(t) {
			return c.literal(e, typ, t)
		}
	}
	why, hint := c.b.m.UnsupportedType(typ)
	if check.IsThread(typ) || check.IsBlock(typ) || check.IsGrid(typ) {
		c.b.m.Refuse(e, "use the kernel's own", "cannot make a %s", c.b.m.TypeString(typ))
		return eval.Poison
	}
	c.b.m.Refuse(e, hint, "%s", why)
	return eval.Poison
}

// literal is the value of a literal of a struct, an array or a tile.
func (c composer) literal(e *ast.CompositeLit, typ types.Type, t ssa.Type) *ssa.Value {
	switch t := t.(type) {
	case *ssa.Struct:
		if u, ok := typ.Underlying().(*types.Struct); ok {
			return c.structLit(e, u, t)
		}
	case ssa.Array:
		return c.arrayLit(e, t)
	case ssa.TileType: // a field would be one of package tile's own
		if len(e.Elts) == 0 {
			return c.b.Zero(e.Pos(), t)
		}
	}
	return c.b.NoValue("a literal of type " + t.String())
}

func (c composer) structLit(e *ast.CompositeLit, u *types.Struct, t *ssa.Struct) *ssa.Value {
	parts := make([]*ssa.Value, len(t.Fields))
	bad := false
	for i, elt := range e.Elts {
		field, elt := fieldOf(elt, i, u)
		if field < 0 || field >= u.NumFields() {
			c.b.expr(elt)
			c.b.NoValue("a literal with a field that its type does not have")
			bad = true
			continue
		}
		at := c.b.m.FieldAt(u, field)
		if p, ok := c.b.m.Unpacked(u, field); ok {
			bad = !c.scalars(elt, u.Field(field).Name(), p.Dims, parts[at:at+p.Count], p.Elem) || bad
			continue
		}
		parts[at] = c.part(elt, c.b.expr(elt), t.Fields[at].Type)
		bad = bad || parts[at] == eval.Poison
	}
	if bad {
		return eval.Poison
	}
	if len(e.Elts) == 0 {
		return c.b.Zero(e.Pos(), t)
	}
	for i, f := range t.Fields {
		if parts[i] == nil {
			parts[i] = c.b.Zero(e.Pos(), f.Type)
		}
	}
	return c.b.Op(e.Pos(), ssa.OpMake, t, parts...)
}

// fieldOf is the field that the i-th element of a literal of a struct is for, -1 for
// none, and its value.
func fieldOf(elt ast.Expr, i int, u *types.Struct) (field int, value ast.Expr) {
	kv, ok := elt.(*ast.KeyValueExpr)
	if !ok {
		return i, elt
	}
	if key, ok := kv.Key.(*ast.Ident); ok {
		for j := range u.NumFields() {
			if u.Field(j).Name() == key.Name {
				return j, kv.Value
			}
		}
	}
	return -1, kv.Value
}

// part is the value of a part of a literal.
func (c composer) part(e ast.Expr, v *ssa.Value, t ssa.Type) *ssa.Value {
	v = c.b.Coerce(e.Pos(), v, t)
	if v != eval.Poison && v.Type != t {
		return c.b.NoValue("a part of a literal of type " + v.Type.String())
	}
	return v
}

// sliceLit is all of a new array.
func (c composer) sliceLit(e *ast.CompositeLit, t ssa.Slice) *ssa.Value {
	n, ok := c.literalLen(e)
	if !ok {
		return c.b.NoValue("a literal with a key that is no index")
	}
	if !c.b.FitsLocal(e, t, n, "a slice literal") {
		return eval.Poison
	}
	return c.b.NewSlice(e, t, c.arrayLit(e, ssa.Array{Elem: t.Elem, Len: n}))
}

// literalLen is the length of a literal of a slice.
func (c composer) literalLen(e *ast.CompositeLit) (n int, ok bool) {
	next := 0
	for _, elt := range e.Elts {
		if kv, isKey := elt.(*ast.KeyValueExpr); isKey {
			if next, ok = c.b.LiteralKey(kv); !ok {
				return 0, false
			}
		}
		next++
		n = max(n, next)
	}
	return n, true
}

// maxSparse is how many elements an array literal may leave out, and yet be made of
// all its elements.
const maxSparse = 64

func (c composer) arrayLit(e *ast.CompositeLit, t ssa.Array) *ssa.Value {
	parts := map[int]*ssa.Value{}
	bad := false
	next := 0
	var order []int
	for _, elt := range e.Elts {
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			elt = kv.Value
			if next, ok = c.b.LiteralKey(kv); !ok {
				next = -1
			}
		}
		v := c.part(elt, c.b.expr(elt), t.Elem)
		if next < 0 || next >= t.Len {
			v = c.b.NoValue("a literal with an element that its type does not have")
		}
		bad = bad || v == eval.Poison
		parts[next] = v
		order = append(order, next)
		next++
	}
	switch {
	case bad:
		return eval.Poison
	case len(parts) == 0:
		return c.b.Zero(e.Pos(), t)
	case t.Len-len(parts) > maxSparse && c.b.InStatic == 0: // in a static expression all elements are to be known
		// Not an operand for each zero: a variable of zeros, in which the others are set.
		addr := c.b.Fresh(e.Pos(), c.b.Zero(e.Pos(), t))
		for _, i := range order {
			index := c.b.Constant(e.Pos(), ssa.Int64, ssa.IntConst(ssa.Int64, uint64(i)))
			c.b.Store(e.Pos(), c.b.Op(e.Pos(), ssa.OpElemAddr, ssa.Pointer{Elem: t.Elem}, addr, index), parts[i])
		}
		return c.b.load(e.Pos(), ref{addr: addr})
	}
	all := make([]*ssa.Value, t.Len)
	var zero *ssa.Value
	for i := range all {
		if all[i] = parts[i]; all[i] != nil {
			continue
		}
		if zero == nil {
			zero = c.b.Zero(e.Pos(), t.Elem)
		}
		all[i] = zero
	}
	return c.b.Op(e.Pos(), ssa.OpMake, t, all...)
}
