package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/ssa"
)

// A dynamic is the operand of a type assertion or a type switch.
type dynamic struct {
	e     ast.Expr
	typ   types.Type // its dynamic type, nil of nil
	val   *ssa.Value // the value of that type, nil if that is not known
	iface *ssa.Value // the interface value, nil of a conversion to an interface
	isNil *ssa.Value // whether it is nil instead, if that is not known
}

// dynamic evaluates the operand of a type assertion or a type switch. The operand of a conversion to an interface
// is a value of known type as it is.
func (sw switcher) dynamic(e ast.Expr) (dynamic, bool) {
	if x := sw.b.Boxed(e); x != nil {
		v := sw.b.expr(x)
		return dynamic{e: x, typ: sw.b.GoType(x), val: v}, true
	}
	v := sw.b.expr(e)
	d, val, ok := sw.b.Unbox(e, types.ExprString(e), v)
	return dynamic{e: e, typ: d.Type, val: val, iface: v}, ok
}

// dynamicOrNil is dynamic of an operand that may be nil besides, where only the running kernel knows.
func (sw switcher) dynamicOrNil(e ast.Expr, to types.Type) (dynamic, bool) {
	if to == nil || types.IsInterface(to) || sw.b.Boxed(e) != nil {
		return sw.dynamic(e)
	}
	v := sw.b.expr(e)
	d, val, isNil, ok := sw.b.UnboxOrNil(e, types.ExprString(e), v)
	return dynamic{e: e, typ: d.Type, val: val, iface: v, isNil: isNil}, ok
}

// stopAtNil ends the launch, as Go does, where the operand of an assertion of one value is nil.
func (sw switcher) stopAtNil(e *ast.TypeAssertExpr, d dynamic, to types.Type) {
	if d.isNil == nil || sw.isRuledOut(d.isNil) || !sw.b.mayPanicHere(e) {
		return
	}
	br := sw.b.openIf(e.Pos(), d.isNil, nil)
	message := "runtime error: interface conversion: " + runtimeName(sw.b.GoType(e.X)) + " is nil, not " + runtimeName(to)
	sw.b.Leave(e.Pos(), &ssa.Instr{Op: ssa.OpPanic, Message: message})
	br.openElse()
	br.close()
}

// runtimeName is a type as Go's runtime names it in a panic.
func runtimeName(t types.Type) string {
	t = types.Unalias(t)
	if i, ok := t.(*types.Interface); ok && i.Empty() {
		return "interface {}"
	}
	return types.TypeString(t, (*types.Package).Name)
}

// isRuledOut reports whether the code is in a branch that is only taken if a comparison of a value with a constant gives
// false: the branch's own condition is that comparison.
func (sw switcher) isRuledOut(equal *ssa.Value) bool {
	same := func(cond *ssa.Value) bool {
		return cond.Def != nil && cond.Def.Op == ssa.OpEq && cond.Def.Args[0] == equal.Def.Args[0] && eval.SameKnown(cond.Def.Args[1], equal.Def.Args[1])
	}
	for block := sw.b.Cur; block.Owner != nil; block = block.Owner.Block {
		in := block.Owner
		if in.Op != ssa.OpIf || equal.Def == nil {
			continue
		}
		switch cond := in.Args[0]; {
		case same(cond) && in.Then() != block:
			return true
		case cond.Def != nil && cond.Def.Op == ssa.OpNot && same(cond.Def.Args[0]) && in.Then() == block:
			return true
		}
	}
	return false
}

// as is the operand as a value of a type that it has, or of an interface type.
func (sw switcher) as(d dynamic, pos token.Pos, to types.Type) *ssa.Value {
	switch {
	case types.IsInterface(to) && d.iface != nil:
		return d.iface
	case types.IsInterface(to):
		return sw.b.Box(pos, d.val, d.typ)
	case d.val == nil:
		sw.b.m.Refuse(d.e, "compare it with the package variable", "%s is a pointer of a package variable: what it points to is not known in a kernel", types.ExprString(d.e))
		return eval.Poison
	}
	return d.val
}

// assertion is x.(T) of one value.
func (sw switcher) assertion(e *ast.TypeAssertExpr) *ssa.Value {
	if e.Type == nil {
		sw.dynamic(e.X)
		return eval.Poison
	}
	to := sw.b.GoType(e.Type)
	d, ok := sw.dynamicOrNil(e.X, to)
	if !ok {
		return eval.Poison
	}
	if check.Invalid(to) {
		return eval.Poison
	}
	if !sw.b.IsOfType(d.typ, to) {
		is := "nil"
		if d.typ != nil {
			is = "a " + sw.b.m.TypeString(d.typ)
		}
		sw.b.m.Refuse(e, "use the form v, ok := x.(T), or a type switch", "%s is %s, not a %s", types.ExprString(d.e), is, sw.b.m.TypeString(to))
		return eval.Poison
	}
	sw.stopAtNil(e, d, to)
	return sw.as(d, e.Pos(), to)
}

// assertionOk is v, ok := x.(T).
func (sw switcher) assertionOk(e *ast.TypeAssertExpr) ([]*ssa.Value, bool) {
	if e.Type == nil {
		return nil, false
	}
	to := sw.b.GoType(e.Type)
	d, ok := sw.dynamicOrNil(e.X, to)
	if !ok || check.Invalid(to) {
		return eval.Poisons(2), true
	}
	holds := sw.b.IsOfType(d.typ, to)
	var v *ssa.Value
	if holds {
		v = sw.as(d, e.Pos(), to)
	} else if v = sw.b.ZeroOf(e.Pos(), to); v == nil {
		why, hint := sw.b.m.UnsupportedType(to)
		sw.b.m.Refuse(e.Type, hint, "%s", why)
		v = eval.Poison
	}
	if holds && d.isNil != nil { // the value of nil is zero
		return []*ssa.Value{v, sw.b.Op(e.Pos(), ssa.OpNot, ssa.Bool, d.isNil)}, true
	}
	return []*ssa.Value{v, sw.b.Constant(e.Pos(), ssa.Bool, ssa.BoolConst(holds))}, true
}

// typeSwitch lowers a type switch: the clause that is taken.
func (sw switcher) typeSwitch(s *ast.TypeSwitchStmt, label string) {
	var assert *ast.TypeAssertExpr
	switch a := s.Assign.(type) {
	case *ast.ExprStmt:
		assert, _ = ast.Unparen(a.X).(*ast.TypeAssertExpr)
	case *ast.AssignStmt:
		assert, _ = ast.Unparen(a.Rhs[0]).(*ast.TypeAssertExpr)
	}
	if assert == nil {
		sw.b.RefuseStmt(s)
		return
	}
	sw.b.simple(s.Init)
	sw.b.ordering.callsFirst(assert.X)
	d, ok := sw.dynamic(assert.X)
	if !ok {
		return
	}
	clause := sw.b.TypeClause(s, d.typ)
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
		sw.b.Define(own, sw.as(d, clause.Pos(), sw.b.Subst(own.Type())))
	}
	sw.b.stmts(clauseBody(clause, label))
	sw.b.Stmt = header
	if whole != nil {
		sw.b.loops = sw.b.loops[:len(sw.b.loops)-1]
		whole.close()
	}
}
