package lower

import (
	"go/ast"
	"go/types"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

// asserted evaluates any(x).(T): x, and whether it is a T.
func (b switcher) asserted(e *ast.TypeAssertExpr) (v *ssa.Value, holds, ok bool) {
	x := b.Boxed(e.X)
	if x == nil || e.Type == nil {
		return nil, false, false
	}
	v = b.expr(x)
	return v, b.IsOfType(b.GoType(x), b.GoType(e.Type)), true
}

// assertion is any(x).(T) of one value.
func (b switcher) assertion(e *ast.TypeAssertExpr) *ssa.Value {
	v, holds, ok := b.asserted(e)
	switch {
	case !ok:
		if b.expr(e.X) != eval.Poison {
			b.m.Refuse(e, "use concrete types", "interfaces are not supported")
		}
		return eval.Poison
	case !holds:
		b.m.Refuse(e, "use the form v, ok := x.(T), or a type switch", "%s is a %s, not a %s",
			types.ExprString(b.Boxed(e.X)), b.m.TypeString(b.GoType(b.Boxed(e.X))), b.m.TypeString(b.GoType(e.Type)))
		return eval.Poison
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
		if v = b.ZeroOf(e.Pos(), b.GoType(e.Type)); v == nil {
			why, hint := b.m.UnsupportedType(b.GoType(e.Type))
			b.m.Refuse(e.Type, hint, "%s", why)
			v = eval.Poison
		}
	}
	return []*ssa.Value{v, b.Constant(e.Pos(), ssa.Bool, ssa.BoolConst(holds))}, true
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
	if assert == nil || b.Boxed(assert.X) == nil {
		b.RefuseStmt(s)
		return
	}
	x := b.Boxed(assert.X)
	b.simple(s.Init)
	b.ordering.callsFirst(x)
	v := b.expr(x)
	clause := b.TypeClause(s, b.GoType(x))
	if clause == nil {
		return
	}
	var whole *segment
	if check.Jumps(clauseBody(clause, label), label).Breaks {
		l := &loop{b: &b.Flow, label: label, isSwitch: true, whole: b.openSegment(s.Switch, label, b.assigned(s), nil)}
		b.loops, whole = append(b.loops, l), l.whole
	}
	header := b.Stmt
	if own, ok := b.Info.Implicits[clause].(*types.Var); ok {
		b.Define(own, v)
	}
	b.stmts(clauseBody(clause, label))
	b.Stmt = header
	if whole != nil {
		b.loops = b.loops[:len(b.loops)-1]
		whole.close()
	}
}
