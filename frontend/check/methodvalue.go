package check

import (
	"go/ast"
	"go/types"
)

// UnseenReceiver finds a method value in an expression whose receiver is no compile-time value: neither the source nor
// the running program tells what it is. It says why, and what to do; it is nil if there is none.
func UnseenReceiver(e ast.Expr, info *types.Info) (found *ast.SelectorExpr, why, hint string) {
	if e == nil {
		return nil, "", ""
	}
	called := map[ast.Expr]bool{}
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			called[ast.Unparen(n.Fun)] = true
		case *ast.SelectorExpr:
			sel := info.Selections[n]
			if found != nil || called[n] || sel == nil || sel.Kind() != types.MethodVal {
				break
			}
			method, ok := sel.Obj().(*types.Func)
			if _, generic := types.Unalias(sel.Recv()).(*types.TypeParam); !ok || generic || method.Signature().Recv() == nil {
				break
			}
			switch recv := method.Signature().Recv().Type(); {
			case types.IsInterface(recv):
				found, why = n, "is a method value of an interface, which does not say which method it is"
				hint = "use the method of a value whose type is known, or write a function literal"
			case IsPointer(recv):
				found, why = n, "is a method value that holds a pointer, and what that points to may change"
				hint = "give the method a receiver that is no pointer, or write a function literal"
			}
		}
		return true
	})
	return found, why, hint
}
