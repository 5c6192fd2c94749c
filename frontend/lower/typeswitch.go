package lower

import (
	"go/ast"
	"go/types"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

// asserted evaluates any(x).(T): x, and whether it is a T.
func (sw switcher) asserted(e *ast.TypeAssertExpr) (v *ssa.Value, holds, ok bool) {
	x := sw.b.Boxed(e.X)
	if x == nil || e.Type == nil {
		return nil, false, false
	}
	v = sw.b.expr(x)
	return v, sw.b.IsOfType(sw.b.GoType(x), sw.b.GoType(e.Type)), true
}

// assertion is any(x).(T) of one value.
func (sw switcher) assertion(e *ast.TypeAssertExpr) *ssa.Value {
	v, holds, ok := sw.asserted(e)
	switch {
	case !ok:
		if sw.b.expr(e.X) != eval.Poison {
			sw.b.m.Refuse(e, "use concrete types", "interfaces are not supported")
		}
		return eval.Poison
	case !holds:
		sw.b.m.Refuse(e, "use the form v, ok := x.(T), or a type switch", "%s is a %s, not a %s",
			types.ExprString(sw.b.Boxed(e.X)), sw.b.m.TypeString(sw.b.GoType(sw.b.Boxed(e.X))), sw.b.m.TypeString(sw.b.GoType(e.Type)))
		return eval.Poison
	}
	return v
}

// assertionOk is v, ok := any(x).(T); false if it is another assertion.
func (sw switcher) assertionOk(e *ast.TypeAssertExpr) ([]*ssa.Value, bool) {
	v, holds, ok := sw.asserted(e)
	if !ok {
		return nil, false
	}
	if !holds {
		if v = sw.b.ZeroOf(e.Pos(), sw.b.GoType(e.Type)); v == nil {
			why, hint := sw.b.m.UnsupportedType(sw.b.GoType(e.Type))
			sw.b.m.Refuse(e.Type, hint, "%s", why)
			v = eval.Poison
		}
	}
	return []*ssa.Value{v, sw.b.Constant(e.Pos(), ssa.Bool, ssa.BoolConst(holds))}, true
}

// typeSwitch lowers a type switch over any(x).
func (sw switcher) typeSwitch(s *ast.TypeSwitchStmt, label string) {
	var assert *ast.TypeAssertExpr
	switch a := s.Assign.(type) {
	case *ast.ExprStmt:
		assert, _ = ast.Unparen(a.X).(*ast.TypeAssertExpr)
	case *ast.AssignStmt:
		assert, _ = ast.Unparen(a.Rhs[0]).(*ast.TypeAssertExpr)
	}
	if assert == nil || sw.b.Boxed(assert.X) == nil {
		sw.b.RefuseStmt(s)
		return
	}
	x := sw.b.Boxed(assert.X)
	sw.b.simple(s.Init)
	sw.b.ordering.callsFirst(x)
	v := sw.b.expr(x)
	clause := sw.b.TypeClause(s, sw.b.GoType(x))
	if clause == nil {
		return
	}
	var whole *segment
	if check.Jumps(clauseBody(clause, label), label).Breaks {
		l := &loop{b: &sw.b.Flow, label: label, isSwitch: true, whole: sw.b.openSegment(s.Switch, label, sw.b.assigned(s), nil)}
		sw.b.loops, whole = append(sw.b.loops, l), l.whole
	}
	header := sw.b.Stmt
	if own, ok := sw.b.Info.Implicits[clause].(*types.Var); ok {
		sw.b.Define(own, v)
	}
	sw.b.stmts(clauseBody(clause, label))
	sw.b.Stmt = header
	if whole != nil {
		sw.b.loops = sw.b.loops[:len(sw.b.loops)-1]
		whole.close()
	}
}
