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
}

// An assigner lowers assignments and declarations of variables.
type assigner struct{ *builder }

// place evaluates the operands of the left side of an assignment.
func (b assigner) place(e ast.Expr) place {
	if b.threads.refuseOutside(e) || b.packageVars.refuseGlobal(e, assigned) {
		return place{}
	}
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		if x.Name == "_" {
			return place{}
		}
		if v, ok := b.Info.Defs[x].(*types.Var); ok {
			return place{v: v, declares: true}
		}
		v, ok := b.Info.Uses[x].(*types.Var)
		if !ok {
			break
		}
		if b.IsDeclared(v) {
			return place{v: v}
		}
		b.expr(x) // says why
		return place{}
	case *ast.IndexExpr:
		if v := b.Root(x); v != nil && eval.AggregateOf(b.Vars[v]) != nil {
			return b.slot(x)
		}
		if sel, _, _ := b.UnpackedElem(x); sel != nil {
			return b.placeAt(x)
		}
		base, index := b.operands.element(x)
		if base.val == eval.Poison || index == eval.Poison {
			return place{}
		}
		if base.val != nil && !isSliceValue(base.val) {
			b.m.Refuse(x, "assign to the elements of an array", "%s is known at compile time only: its elements cannot be assigned", types.ExprString(x.X))
			return place{}
		}
		return place{pos: x.Pos(), at: func() *ssa.Value { return b.elem(x.Pos(), base, index).addr }}
	case *ast.SelectorExpr, *ast.StarExpr:
		if v := b.Root(x); v != nil && eval.AggregateOf(b.Vars[v]) != nil {
			return b.slot(x)
		}
		return b.placeAt(x)
	}
	b.expr(e)
	return place{}
}

// placeAt is what has an address that can be told before it is stored to.
func (b assigner) placeAt(e ast.Expr) place {
	if r := b.operands.ref(e); r.addr != nil {
		return place{pos: e.Pos(), at: func() *ssa.Value { return r.addr }}
	}
	return place{}
}

// assign gives a place its value.
func (b assigner) assign(p place, val *ssa.Value) {
	switch {
	case p.declares:
		b.Define(p.v, val)
	case p.v != nil && val == eval.Poison && b.IsDeclared(p.v): // the old value does as well, to find more errors
	case p.path != nil:
		b.Set(p.v, b.updated(p.pos, b.Value(p.v), p.path, val))
	case p.v != nil:
		b.Set(p.v, val)
	case p.at != nil && val != eval.Poison:
		if addr := p.at(); addr != nil {
			b.Store(p.pos, addr, b.Coerce(p.pos, val, addr.Type.(ssa.Pointer).Elem))
		} else {
			b.m.MustBeIllTyped("an assignment to a part of a value")
		}
	}
}

func (b assigner) assignStmt(s *ast.AssignStmt) {
	if s.Tok != token.ASSIGN && s.Tok != token.DEFINE {
		// From += to +, and so on: the tokens stand in one order.
		b.update(s.Lhs[0], s.TokPos, s.Tok-token.ADD_ASSIGN+token.ADD, s.Rhs[0])
		return
	}
	b.ordering.callsFirst(append(slices.Clip(s.Lhs), s.Rhs...)...)
	if len(s.Lhs) == 1 {
		p := b.place(s.Lhs[0])
		b.assign(p, b.expr(s.Rhs[0]))
		return
	}
	// First all operands, of both sides, then the assignments from left to right.
	places := make([]place, len(s.Lhs))
	for i, lhs := range s.Lhs {
		places[i] = b.place(lhs)
	}
	for i, val := range b.values(s.Rhs, len(places)) {
		b.assign(places[i], val)
	}
}

// values evaluates as many values as places wait for them.
func (b assigner) values(list []ast.Expr, places int) []*ssa.Value {
	if len(list) == 1 && places == 2 {
		switch e := ast.Unparen(list[0]).(type) {
		case *ast.IndexExpr:
			if check.IsMap(b.GoType(e.X)) {
				if vals, ok := b.operands.commaOk(e); ok {
					return vals
				}
				return eval.Poisons(places)
			}
		case *ast.TypeAssertExpr:
			if vals, ok := b.switcher.assertionOk(e); ok {
				return vals
			}
		}
	}
	vals := b.exprList(list)
	if len(vals) == places {
		return vals
	}
	// x, ok := m[k] and its like have one expression, which has been refused.
	b.m.MustHaveFailed("an assignment has the wrong number of values")
	return eval.Poisons(places)
}

func (b assigner) incDec(s *ast.IncDecStmt) {
	op := token.ADD
	if s.Tok == token.DEC {
		op = token.SUB
	}
	b.update(s.X, s.TokPos, op, nil)
}

// update lowers "x op= y", and x++ and x-- where y is nil, with the operands of
// x evaluated once.
func (b assigner) update(x ast.Expr, pos token.Pos, op token.Token, y ast.Expr) {
	b.ordering.callsFirst(x, y)
	p := b.place(x)
	apply := func(old *ssa.Value) *ssa.Value {
		if y == nil {
			return b.arith(pos, op, old, b.One(pos, old.Type))
		}
		v := b.rightOperand(op, y)
		b.checkArith(pos, op, old, y, v)
		return b.arith(pos, op, old, v)
	}
	switch {
	case p.v != nil:
		b.assign(p, apply(b.follow(p.pos, b.Value(p.v), p.path)))
	case p.at != nil:
		addr := p.at()
		if addr == nil {
			b.m.MustBeIllTyped("an assignment to a part of a value")
			return
		}
		if val := apply(b.load(p.pos, ref{addr: addr})); val != eval.Poison {
			b.Store(p.pos, addr, val)
		}
	case y != nil:
		b.expr(y)
	}
}

// declStmt lowers the variables of a declaration; constants and types need no
// code.
func (b assigner) declStmt(s *ast.DeclStmt) {
	decl := s.Decl.(*ast.GenDecl)
	if decl.Tok != token.VAR {
		return
	}
	for _, spec := range decl.Specs {
		b.varSpec(spec.(*ast.ValueSpec))
	}
}

func (b assigner) varSpec(s *ast.ValueSpec) {
	var vals []*ssa.Value
	var t ssa.Type
	ok := true
	if s.Type != nil {
		if v := b.declared(s.Names[0]); v == nil {
			ok = false
		} else if typ := b.Subst(v.Type()); check.IsMap(typ) || !b.m.IsFrontType(typ) {
			t, ok = b.DeclaredType(s.Type, v, "variable")
		}
		if !ok {
			vals = eval.Poisons(len(s.Names))
			for _, name := range s.Names {
				if v := b.declared(name); v != nil {
					b.m.Complain(v)
				}
			}
		}
	}
	switch {
	case !ok:
	case t == nil && s.Values == nil:
		for range s.Names {
			vals = append(vals, b.ZeroOf(s.Type.Pos(), b.GoType(s.Type)))
		}
	case s.Values != nil:
		b.ordering.callsFirst(s.Values...)
		vals = b.values(s.Values, len(s.Names))
	case check.IsPlace(t):
		b.m.Refuse(s.Type, "use the kernel's own", "cannot make a %s", b.m.TypeString(b.GoType(s.Type)))
		vals = eval.Poisons(len(s.Names))
	default:
		for _, name := range s.Names {
			vals = append(vals, b.Zero(name.Pos(), t))
		}
	}
	for i, name := range s.Names {
		if v := b.declared(name); v != nil && name.Name != "_" {
			b.Define(v, vals[i])
		}
	}
}

// declared is the variable that a declaration makes, nil if the name was taken.
func (b assigner) declared(name *ast.Ident) *types.Var {
	v, ok := b.Info.Defs[name].(*types.Var)
	if !ok {
		b.m.MustBeIllTyped("a second declaration of " + name.Name)
	}
	return v
}
