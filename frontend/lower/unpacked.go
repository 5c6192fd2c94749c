package lower

import (
	"go/ast"
	"go/token"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

// unpackedLen is the length of what unpackedArray gives, of an expression that Go evaluates
// for that because there are calls in it.
func (o operands) unpackedLen(pos token.Pos, sel *ast.SelectorExpr, p check.Unpacking, indices []ast.Expr) *ssa.Value {
	o.ref(sel.X)
	for k, e := range indices {
		if index := o.index(e); index != eval.Poison {
			o.b.checkArrayIndex(e.Pos(), index, p.Dims[k])
		}
	}
	return o.b.Constant(pos, ssa.Int64, ssa.IntConst(ssa.Int64, uint64(p.Dims[len(indices)])))
}

// scalar is the scalar that an element of a field is stored as.
func (o operands) scalar(sel *ast.SelectorExpr, p check.Unpacking, indices []ast.Expr) ref {
	r := o.ref(sel.X)
	at, ok := o.placeAmong(sel, p, indices)
	if r.val == eval.Poison || !ok {
		return ref{val: eval.Poison}
	}
	pos := sel.Sel.Pos()
	path := o.b.Info.Selections[sel].Index()
	last := len(path) - 1
	typ := o.b.GoType(sel.X)
	r = o.b.fields(pos, r, typ, path[:last])
	for _, i := range path[:last] {
		typ = check.StructBehind(typ).Field(i).Type()
	}
	if r = o.b.behind(pos, r); r.val == eval.Poison {
		return r
	}
	if eval.IsFront(r.val) {
		return o.b.frontScalar(sel, r.val, path[last], p, at)
	}
	return o.b.fieldOf(pos, r, o.b.m.FieldAt(check.StructBehind(typ), path[last])+at)
}

// slotScalar is the place of a scalar in what a variable holds that is no memory.
func (as assigner) slotScalar(sel *ast.SelectorExpr, p check.Unpacking, indices []ast.Expr) place {
	to := as.slot(sel.X)
	at, ok := as.b.operands.placeAmong(sel, p, indices)
	if to.v == nil || !ok {
		return place{}
	}
	if to = as.slotField(to, sel, as.b.Info.Selections[sel].Index(), at); to.path != nil {
		return to
	}
	for _, i := range p.Indices(at) { // of a struct that only the front end has
		a := eval.AggregateOf(as.b.Vars[to.v])
		if a == nil {
			return place{}
		}
		to.v = as.b.m.PartVar(to.v, a.Typ, i)
	}
	return to
}

// frontScalar is scalar of a struct that only the front end has, where the field is one
// itself.
func (b *Places) frontScalar(sel *ast.SelectorExpr, x *ssa.Value, field int, p check.Unpacking, at int) ref {
	v := b.FrontField(sel.Sel.Pos(), x, field)
	for _, i := range p.Indices(at) {
		if v == eval.Poison {
			break
		}
		v = b.FrontField(sel.Sel.Pos(), v, i)
	}
	return ref{val: v}
}

// placeAmong is which scalar of a field the indices name, false where they have been
// refused.
func (o operands) placeAmong(sel *ast.SelectorExpr, p check.Unpacking, indices []ast.Expr) (at int, ok bool) {
	ok = true
	for k, e := range indices {
		index := o.index(e)
		c, known := o.b.KnownConst(index)
		i := int(c.Int())
		switch {
		case index == eval.Poison:
			ok = false
		case !known && o.b.IsSymbolic(index):
			i = 0 // any does, to find more errors
		case !known:
			why, _ := o.b.WhyUnknown(e, index)
			o.b.m.Refuse(e, "loop over the elements with for i := range qd.Static(n), choose with a switch, or leave the tag of field "+sel.Sel.Name+" out: an array can be indexed like that",
				"the index of unpacked field %s is not known at compile time: %s", sel.Sel.Name, why)
			ok = false
		case i < 0 || i >= p.Dims[k]:
			o.b.m.Refuse(e, "use a valid index", "index %d out of range: unpacked field %s has %d elements there", i, sel.Sel.Name, p.Dims[k])
			ok = false
		}
		at = at*p.Dims[k] + i
	}
	return at, ok
}
