package frontend

import (
	"go/ast"
	"go/types"

	"github.com/qdgen/qd/ssa"
)

// Generic code asks for the type that a type parameter stands for by any(x).(T) and by
// switch any(x).(type). In an instance that is known, so that no interface is left: of the
// clauses only one is lowered.

// boxed is the operand of a conversion to an interface type, nil of any other expression.
func (b *Scope) boxed(e ast.Expr) ast.Expr {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(call.Args) != 1 || !b.info.Types[call.Fun].IsType() || !types.IsInterface(b.goType(call.Fun)) {
		return nil
	}
	if t := b.goType(call.Args[0]); invalid(t) || types.IsInterface(t) {
		return nil
	}
	return call.Args[0]
}

// asserted evaluates any(x).(T): x, and whether it is a T.
func (b switcher) asserted(e *ast.TypeAssertExpr) (v *ssa.Value, holds, ok bool) {
	x := b.boxed(e.X)
	if x == nil || e.Type == nil {
		return nil, false, false
	}
	v = b.expr(x)
	return v, b.isOfType(b.goType(x), b.goType(e.Type)), true
}

// isOfType reports whether a value of a type that is no interface holds an assertion.
func (b *Scope) isOfType(t, asserted types.Type) bool {
	if iface, ok := asserted.Underlying().(*types.Interface); ok {
		return types.Implements(t, iface)
	}
	return types.Identical(t, asserted)
}

// assertion is any(x).(T) of one value.
func (b switcher) assertion(e *ast.TypeAssertExpr) *ssa.Value {
	v, holds, ok := b.asserted(e)
	switch {
	case !ok:
		if b.expr(e.X) != poison {
			b.m.refuse(e, "use concrete types", "interfaces are not supported")
		}
		return poison
	case !holds:
		b.m.refuse(e, "ask for it with v, ok, or in a switch", "%s is a %s, not a %s",
			types.ExprString(b.boxed(e.X)), b.m.typeString(b.goType(b.boxed(e.X))), b.m.typeString(b.goType(e.Type)))
		return poison
	}
	return v
}

// assertionOk is v, ok := any(x).(T); false if it is another assertion.
func (b switcher) assertionOk(e *ast.TypeAssertExpr) ([]*ssa.Value, bool) {
	v, holds, ok := b.asserted(e)
	if !ok {
		return nil, false
	}
	if !holds {
		if v = b.zeroOf(e.Pos(), b.goType(e.Type)); v == nil {
			why, hint := b.m.unsupportedType(b.goType(e.Type))
			b.m.refuse(e.Type, hint, "%s", why)
			v = poison
		}
	}
	return []*ssa.Value{v, b.constant(e.Pos(), ssa.Bool, ssa.BoolConst(holds))}, true
}

// typeSwitch lowers a type switch over any(x).
func (b switcher) typeSwitch(s *ast.TypeSwitchStmt, label string) {
	var assert *ast.TypeAssertExpr
	switch a := s.Assign.(type) {
	case *ast.ExprStmt:
		assert, _ = ast.Unparen(a.X).(*ast.TypeAssertExpr)
	case *ast.AssignStmt:
		assert, _ = ast.Unparen(a.Rhs[0]).(*ast.TypeAssertExpr)
	}
	if assert == nil || b.boxed(assert.X) == nil {
		b.refuseStmt(s)
		return
	}
	x := b.boxed(assert.X)
	b.simple(s.Init)
	b.ordering.callsFirst(x)
	v := b.expr(x)
	clause := b.typeClause(s, b.goType(x))
	if clause == nil {
		return
	}
	var whole *segment
	if jumps(clauseBody(clause, label), label).breaks {
		l := &loop{b: &b.Flow, label: label, isSwitch: true, whole: b.openSegment(s.Switch, label, b.assigned(s), nil)}
		b.loops, whole = append(b.loops, l), l.whole
	}
	header := b.stmt
	if own, ok := b.info.Implicits[clause].(*types.Var); ok {
		b.define(own, v)
	}
	b.stmts(clauseBody(clause, label))
	b.stmt = header
	if whole != nil {
		b.loops = b.loops[:len(b.loops)-1]
		whole.close()
	}
}

// typeClause is the clause of a type switch that a type takes, nil for none.
func (b *Scope) typeClause(s *ast.TypeSwitchStmt, t types.Type) (taken *ast.CaseClause) {
	for _, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		if c.List == nil {
			taken = c
		}
	}
	for _, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		for _, e := range c.List {
			if !b.info.Types[e].IsNil() && !invalid(b.goType(e)) && b.isOfType(t, b.goType(e)) {
				return c
			}
		}
	}
	return taken
}
