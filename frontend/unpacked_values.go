package frontend

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/ssa"
)

// Values of structs with unpacked fields: at compile time they have Go's fields, as values
// of the running kernel those of the SSA type.

// storedTypes are the types of the parts of a struct or an array as the running kernel has it.
func (m *Types) storedTypes(t types.Type) []types.Type {
	u, ok := t.Underlying().(*types.Struct)
	if !ok || m.layout(u) == nil {
		return partTypes(t)
	}
	var list []types.Type
	for i := range u.NumFields() {
		p, isUnpacked := m.unpacked(u, i)
		if !isUnpacked {
			list = append(list, u.Field(i).Type())
			continue
		}
		elem := u.Field(i).Type()
		for range p.dims {
			elem = elemType(elem)
		}
		for range p.count {
			list = append(list, elem)
		}
	}
	return list
}

// grouped are the known parts of a struct or an array as Go has them, of those that the
// running kernel has.
func (m *Facts) grouped(elems []comptime.Value, t types.Type) []comptime.Value {
	u, ok := t.Underlying().(*types.Struct)
	if !ok || m.layout(u) == nil || len(elems) != m.fieldAt(u, u.NumFields()) {
		return elems
	}
	var list []comptime.Value
	for i := range u.NumFields() {
		p, isUnpacked := m.unpacked(u, i)
		if !isUnpacked {
			list, elems = append(list, elems[0]), elems[1:]
			continue
		}
		list, elems = append(list, arrayValue(elems[:p.count], u.Field(i).Type(), p.dims)), elems[p.count:]
	}
	return list
}

// arrayValue is an array, of arrays where there are several dimensions, of its elements.
func arrayValue(elems []comptime.Value, t types.Type, dims []int) comptime.Value {
	v := comptime.Value{Type: typeName(t), Kind: comptime.Array, Elems: elems}
	if len(dims) == 1 {
		return v
	}
	n := len(elems) / dims[0]
	v.Elems = nil
	for i := range dims[0] {
		v.Elems = append(v.Elems, arrayValue(elems[i*n:(i+1)*n], elemType(t), dims[1:]))
	}
	return v
}

// flattened are the known parts of a struct or an array as the running kernel has them, of
// those that Go has.
func (m *Facts) flattened(elems []comptime.Value, t types.Type) []comptime.Value {
	u, ok := t.Underlying().(*types.Struct)
	if !ok || m.layout(u) == nil {
		return elems
	}
	var list []comptime.Value
	for i := range u.NumFields() {
		part := elems[i : i+1]
		if p, isUnpacked := m.unpacked(u, i); isUnpacked {
			for range p.dims {
				var inner []comptime.Value
				for _, e := range part {
					inner = append(inner, e.Elems...)
				}
				part = inner
			}
		}
		list = append(list, part...)
	}
	return list
}

// scalars evaluates the literal that an unpacked field of a literal is made of: an array
// with these dimensions, of which the elements go to a list. It reports whether all is well.
func (b composer) scalars(e ast.Expr, field string, dims []int, to []*ssa.Value, elem ssa.Type) bool {
	lit := b.unpackedLit(e, field)
	if lit == nil {
		return false
	}
	ok := true
	n, next := len(to)/dims[0], 0
	for _, elt := range lit.Elts {
		if kv, isKeyed := elt.(*ast.KeyValueExpr); isKeyed {
			elt = kv.Value
			if next, isKeyed = b.literalKey(kv); !isKeyed {
				next = -1
			}
		}
		switch {
		case next < 0 || next >= dims[0]:
			b.expr(elt)
			b.noValue("a literal with an element that its type does not have")
			ok = false
		case len(dims) > 1:
			ok = b.scalars(elt, field, dims[1:], to[next*n:(next+1)*n], elem) && ok
		default:
			to[next] = b.part(elt, b.expr(elt), elem)
			ok = to[next] != poison && ok
		}
		next++
	}
	return ok
}

// scattered is an array, of so many dimensions, of which each element is a part of its own:
// as a field of a struct that only the front end has.
func (b *Values) scattered(pos token.Pos, v *ssa.Value, t types.Type, dims int) *ssa.Value {
	array, ok := v.Type.(ssa.Array)
	if !ok {
		return v // poison, or it is one already
	}
	elems := make([]*ssa.Value, array.Len)
	for i := range elems {
		elems[i] = b.elemOf(pos, v, b.constant(pos, ssa.Int64, ssa.IntConst(ssa.Int64, uint64(i))), array)
		if dims > 1 {
			elems[i] = b.scattered(pos, elems[i], elemType(t), dims-1)
		}
	}
	return aggregated(t, elems)
}

// unpackedLit is the literal that an unpacked field of a literal must be made of; nil, with
// a word on it, where it is no literal.
func (b *Scope) unpackedLit(e ast.Expr, field string) *ast.CompositeLit {
	lit, ok := ast.Unparen(e).(*ast.CompositeLit)
	if !ok {
		b.m.refuse(e, "write the elements out: "+field+": [n]T{...}, or assign them one by one; or leave the tag out, and the field is one array",
			"unpacked field %s is made of what is no literal", field)
		return nil
	}
	return lit
}

// isUnpackedLit reports whether a value in a literal of a struct will do for field i.
func (b *Scope) isUnpackedLit(u *types.Struct, i int, value ast.Expr) bool {
	_, ok := b.m.unpacked(u, i)
	return !ok || b.unpackedLit(value, u.Field(i).Name()) != nil
}
