package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

// A place is what can be assigned to, with its operands evaluated: a variable,
// somewhere in memory, or nothing (the blank identifier, or what has been refused).
type place struct {
	v        *types.Var
	path     []step            // to a part of what v holds, which is no memory
	declares bool              // v, with :=
	at       func() *ssa.Value // the address, which may be out of range: when it is stored to, not before
	pos      token.Pos
	part     *ssa.Value // the elements of a slice that an array of a type is assigned to; nil for another place
	array    ssa.Type
	cell     cellPart   // a field of a cell, or all of one
	viewed   *viewed    // what a view leads to; nil for another place
	bits     *bitsPlace // what is assigned has the bits of a number of another type; nil for itself
}

// An assigner lowers assignments and declarations of variables.
type assigner struct{ b *builder }

// place evaluates the operands of the left side of an assignment.
func (as assigner) place(e ast.Expr) place {
	if as.b.threads.refuseOutside(e) || as.b.packageVars.refuseGlobal(e, assigned) {
		return place{}
	}
	if star, ok := ast.Unparen(e).(*ast.StarExpr); ok {
		if p, ok := as.bitsPlace(star); ok {
			return p
		}
	}
	if v, ok := as.b.operands.viewed(e); ok {
		return place{pos: v.pos, viewed: &v}
	}
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		if x.Name == "_" {
			return place{}
		}
		if v, ok := as.b.Info.Defs[x].(*types.Var); ok {
			return place{v: v, declares: true}
		}
		v, ok := as.b.Info.Uses[x].(*types.Var)
		if !ok {
			break
		}
		if as.b.IsDeclared(v) {
			return place{v: v}
		}
		as.b.expr(x) // says why
		return place{}
	case *ast.IndexExpr:
		if v := as.b.Root(x); v != nil && eval.AggregateOf(as.b.Vars[v]) != nil {
			return as.slot(x)
		}
		if sel, _, _ := as.b.UnpackedElem(x); sel != nil {
			return as.placeAt(x)
		}
		base, index := as.b.operands.element(x)
		if base.val == eval.Poison || index == eval.Poison {
			return place{}
		}
		if base.val != nil && !isSliceValue(base.val) {
			as.b.m.Refuse(x, "assign to the elements of an array", "%s is known at compile time only: its elements cannot be assigned", types.ExprString(x.X))
			return place{}
		}
		return place{pos: x.Pos(), at: func() *ssa.Value { return as.b.elem(x.Pos(), base, index).addr }}
	case *ast.SelectorExpr, *ast.StarExpr:
		if star, ok := x.(*ast.StarExpr); ok {
			if call, t := as.b.arrayBehind(star); call != nil {
				return place{pos: x.Pos(), part: as.b.caller.firstElements(call, t), array: t}
			}
		}
		if v := as.b.Root(x); v != nil && eval.AggregateOf(as.b.Vars[v]) != nil {
			return as.slot(x)
		}
		return as.placeAt(x)
	}
	as.b.expr(e)
	return place{}
}

// placeAt is what has an address that can be told before it is stored to.
func (as assigner) placeAt(e ast.Expr) place {
	switch r := as.b.operands.ref(e); {
	case r.addr != nil:
		return place{pos: e.Pos(), at: func() *ssa.Value { return r.addr }}
	case r.cell != nil:
		return place{pos: e.Pos(), cell: cellPart{of: r.cell, field: wholeCell, at: e}}
	case r.part.of != nil:
		r.part.at = e
		return place{pos: e.Pos(), cell: r.part}
	case r.val != nil && r.val != eval.Poison && !as.b.m.IllTyped(): // of an element of a slice
		as.b.m.Refuse(e, "assign to the elements of an array", "%s is known at compile time only, and cannot be assigned", types.ExprString(e))
	}
	return place{}
}

// assign gives a place its value.
func (as assigner) assign(p place, val *ssa.Value) {
	if p.bits != nil && val != eval.Poison {
		val = as.b.operands.castBits(p.bits.pos, as.b.Coerce(p.bits.pos, val, p.bits.as), p.bits.of)
	}
	switch {
	case p.viewed != nil:
		as.b.operands.storeView(*p.viewed, val)
	case p.part != nil:
		if val = as.b.Coerce(p.pos, val, p.array); val != eval.Poison && p.part != eval.Poison {
			from := as.b.Op(p.pos, ssa.OpSliceOf, p.part.Type, as.b.Fresh(p.pos, val))
			as.b.Op(p.pos, ssa.OpCopy, ssa.Int64, p.part, from)
		}
	case p.declares:
		as.b.Define(p.v, val)
	case p.v != nil && val == eval.Poison && as.b.IsDeclared(p.v) && !check.IsTile(as.b.Subst(p.v.Type())):
		// The old value does as well, to find more errors. That of a tile may have other lengths.
	case p.path != nil:
		as.b.Set(p.v, as.b.updated(p.pos, as.b.Value(p.v), p.path, val))
	case p.v != nil:
		as.b.Set(p.v, val)
	case p.cell.of != nil && val != eval.Poison:
		as.assignCell(p.cell, val)
	case p.at != nil && val != eval.Poison:
		if addr := p.at(); addr != nil {
			as.b.Store(p.pos, addr, as.b.Coerce(p.pos, val, addr.Type.(ssa.Pointer).Elem))
		} else {
			as.b.m.MustBeIllTyped("an assignment to a part of a value")
		}
	}
}

func (as assigner) assignStmt(s *ast.AssignStmt) {
	if s.Tok != token.ASSIGN && s.Tok != token.DEFINE {
		// From += to +, and so on: the tokens stand in one order.
		as.update(s.Lhs[0], s.TokPos, s.Tok-token.ADD_ASSIGN+token.ADD, s.Rhs[0])
		return
	}
	as.b.ordering.callsFirst(append(slices.Clip(s.Lhs), s.Rhs...)...)
	if len(s.Lhs) == 1 {
		p := as.place(s.Lhs[0])
		as.assign(p, as.b.as(s.Rhs[0], as.b.expr(s.Rhs[0]), p.typ()))
		return
	}
	// First all operands, of both sides, then the assignments from left to right.
	places := make([]place, len(s.Lhs))
	for i, lhs := range s.Lhs {
		places[i] = as.place(lhs)
	}
	vals := as.b.asAll(s.Rhs, as.values(s.Rhs, len(places)), func(i int) types.Type { return places[i].typ() })
	for i, val := range vals {
		as.assign(places[i], val)
	}
}

// typ is the type of a variable that is assigned as a whole, nil of any other place: no memory holds interfaces.
func (p place) typ() types.Type {
	if p.cell.of != nil && p.cell.field != wholeCell {
		return p.cell.of.Type(p.cell.field)
	}
	if p.v == nil || p.path != nil || p.bits != nil {
		return nil
	}
	return p.v.Type()
}

// values evaluates as many values as places wait for them.
func (as assigner) values(list []ast.Expr, places int) []*ssa.Value {
	if len(list) == 1 && places == 2 {
		switch e := ast.Unparen(list[0]).(type) {
		case *ast.IndexExpr:
			if check.IsMap(as.b.GoType(e.X)) {
				if vals, ok := as.b.operands.commaOk(e); ok {
					return vals
				}
				return eval.Poisons(places)
			}
		case *ast.TypeAssertExpr:
			if vals, ok := as.b.switcher.assertionOk(e); ok {
				return vals
			}
		}
	}
	vals := as.b.exprList(list)
	if len(vals) == places {
		return vals
	}
	// x, ok := m[k] and its like have one expression, which has been refused.
	as.b.m.MustHaveFailed("an assignment has the wrong number of values")
	return eval.Poisons(places)
}

func (as assigner) incDec(s *ast.IncDecStmt) {
	op := token.ADD
	if s.Tok == token.DEC {
		op = token.SUB
	}
	as.update(s.X, s.TokPos, op, nil)
}

// update lowers "x op= y", and x++ and x-- where y is nil, with the operands of
// x evaluated once.
func (as assigner) update(x ast.Expr, pos token.Pos, op token.Token, y ast.Expr) {
	as.b.ordering.callsFirst(x, y)
	p := as.place(x)
	apply := func(old *ssa.Value) *ssa.Value {
		if p.bits != nil {
			old = as.b.operands.castBits(x.Pos(), old, p.bits.as)
		}
		if y == nil {
			return as.b.arith(pos, op, old, as.b.One(pos, old.Type))
		}
		v := as.b.rightOperand(op, y)
		as.b.checkArith(pos, op, old, y, v)
		return as.b.arith(pos, op, old, v)
	}
	switch {
	case p.viewed != nil:
		as.assign(p, apply(as.b.operands.loadView(*p.viewed)))
	case p.v != nil:
		as.assign(p, apply(as.b.follow(p.pos, as.b.Value(p.v), p.path)))
	case p.cell.of != nil && p.cell.field != wholeCell:
		as.assign(p, apply(as.b.cellField(x.Pos(), p.cell.of, p.cell.field).val))
	case p.at != nil:
		addr := p.at()
		if addr == nil {
			as.b.m.MustBeIllTyped("an assignment to a part of a value")
			return
		}
		if val := apply(as.b.load(p.pos, ref{addr: addr})); val != eval.Poison {
			if p.bits != nil {
				val = as.b.operands.castBits(x.Pos(), val, p.bits.of)
			}
			as.b.Store(p.pos, addr, val)
		}
	case y != nil:
		as.b.expr(y)
	}
}

// declStmt lowers the variables of a declaration; constants and types need no
// code.
func (as assigner) declStmt(s *ast.DeclStmt) {
	decl := s.Decl.(*ast.GenDecl)
	if decl.Tok != token.VAR {
		return
	}
	for _, spec := range decl.Specs {
		as.varSpec(spec.(*ast.ValueSpec))
	}
}

func (as assigner) varSpec(s *ast.ValueSpec) {
	var vals []*ssa.Value
	var t ssa.Type
	ok := true
	if s.Type != nil {
		if v := as.declared(s.Names[0]); v == nil {
			ok = false
		} else if typ := as.b.Subst(v.Type()); check.IsMap(typ) || !as.b.m.IsFrontType(typ) {
			t, ok = as.b.DeclaredType(s.Type, v, "variable")
		}
		if !ok {
			vals = eval.Poisons(len(s.Names))
			for _, name := range s.Names {
				if v := as.declared(name); v != nil {
					as.b.m.Complain(v)
				}
			}
		}
	}
	switch {
	case !ok:
	case t == nil && s.Values == nil:
		for range s.Names {
			vals = append(vals, as.b.ZeroOf(s.Type.Pos(), as.b.GoType(s.Type)))
		}
	case s.Values != nil:
		as.b.ordering.callsFirst(s.Values...)
		vals = as.b.asAll(s.Values, as.values(s.Values, len(s.Names)), func(i int) types.Type {
			if v := as.declared(s.Names[i]); v != nil {
				return v.Type()
			}
			return nil
		})
	case check.IsPlace(t):
		as.b.m.Refuse(s.Type, "use the kernel's own", "cannot make a %s", as.b.m.TypeString(as.b.GoType(s.Type)))
		vals = eval.Poisons(len(s.Names))
	default:
		for _, name := range s.Names {
			vals = append(vals, as.b.Zero(name.Pos(), t))
		}
	}
	for i, name := range s.Names {
		if v := as.declared(name); v != nil && name.Name != "_" {
			as.b.Define(v, vals[i])
		}
	}
}

// declared is the variable that a declaration makes, nil if the name was taken.
func (as assigner) declared(name *ast.Ident) *types.Var {
	v, ok := as.b.Info.Defs[name].(*types.Var)
	if !ok {
		as.b.m.MustBeIllTyped("a second declaration of " + name.Name)
	}
	return v
}
