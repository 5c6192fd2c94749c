package check

import (
	"go/ast"
	"go/types"

	"github.com/qdgen/qd/frontend/load"
)

// WarnDiscarded warns of a call as a statement of its own that does nothing: that of a method of
// this module's vectors, matrices and the like, as in v.Normalize(). These methods give
// their result, and change nothing in place, as those of some other libraries do.
func (sc *Scope) WarnDiscarded(call *ast.CallExpr) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return
	}
	s := sc.Info.Selections[sel]
	if s == nil || s.Kind() != types.MethodVal || s.Obj().Pkg() == nil || !load.IsOwn(s.Obj().Pkg().Path()) {
		return
	}
	sig := s.Obj().(*types.Func).Signature()
	if sig.Recv() == nil || sig.Results().Len() != 1 || !holdsNumbersOnly(sig.Recv().Type()) {
		return
	}
	x := types.ExprString(sel.X)
	hint := "use the result"
	if types.Identical(sc.GoType(call), sc.GoType(sel.X)) {
		hint = "assign the result: " + x + " = " + types.ExprString(call)
	}
	sc.Syntax.Warn(call, hint, "the result of %s is not used, and %s does not change", types.ExprString(sel), x)
}

// holdsNumbersOnly reports whether values of a type are numbers or bools, or arrays or structs of such.
func holdsNumbersOnly(t types.Type) bool {
	some := false
	for leaf := range load.Leaves(t) {
		switch u := leaf.Underlying().(type) {
		case *types.Basic:
			if u.Info()&(types.IsNumeric|types.IsBoolean) == 0 {
				return false
			}
		case *types.Interface: // the constraint of a type parameter
		default:
			return false
		}
		some = true
	}
	return some
}
