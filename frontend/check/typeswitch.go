package check

import (
	"go/ast"
	"go/types"
)

// Code asks for the dynamic type of an interface by x.(T) and by switch x.(type), and generic code for the type
// that a type parameter stands for by any(x).(T). When the code is lowered the type is known: of the clauses
// only one is lowered.

// Boxed is the operand of a conversion to an interface type, nil of any other expression.
func (sc *Scope) Boxed(e ast.Expr) ast.Expr {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(call.Args) != 1 || !sc.Info.Types[call.Fun].IsType() || !types.IsInterface(sc.GoType(call.Fun)) {
		return nil
	}
	if t := sc.GoType(call.Args[0]); Invalid(t) || types.IsInterface(t) {
		return nil
	}
	return call.Args[0]
}

// IsOfType reports whether an assertion of a type holds for an interface with a dynamic type, nil of nil.
func (sc *Scope) IsOfType(t, asserted types.Type) bool {
	if t == nil {
		return false
	}
	if iface, ok := asserted.Underlying().(*types.Interface); ok {
		return types.Implements(t, iface)
	}
	return types.Identical(t, asserted)
}

// TypeClause is the clause of a type switch that a dynamic type takes, nil for none.
func (sc *Scope) TypeClause(s *ast.TypeSwitchStmt, t types.Type) (taken *ast.CaseClause) {
	for _, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		if c.List == nil {
			taken = c
		}
	}
	for _, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		for _, e := range c.List {
			if sc.Info.Types[e].IsNil() {
				if t == nil {
					return c
				}
				continue
			}
			if !Invalid(sc.GoType(e)) && sc.IsOfType(t, sc.GoType(e)) {
				return c
			}
		}
	}
	return taken
}
