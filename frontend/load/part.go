package load

import "go/ast"

// Whole is the variable, or other value, that an expression names a part of: x in x.f[i][1:2].
func Whole(e ast.Expr) ast.Expr {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		default:
			return x
		}
	}
}
