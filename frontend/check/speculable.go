package check

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Speculable reports whether an operand may be evaluated where Go would skip it,
// because nobody could tell: it reads no memory, cannot panic, and costs less
// than a branch.
func (sc *Scope) Speculable(e ast.Expr) bool {
	budget := 12
	return sc.isCheap(e, &budget)
}

func (sc *Scope) isCheap(e ast.Expr, budget *int) bool {
	if *budget--; *budget < 0 {
		return false
	}
	if sc.Info.Types[e].Value != nil {
		return true
	}
	switch e := e.(type) {
	case *ast.Ident:
		return true
	case *ast.ParenExpr:
		return sc.isCheap(e.X, budget)
	case *ast.SelectorExpr:
		return sc.Root(e) != nil && sc.isCheap(e.X, budget) // a field, and no pointer on the way
	case *ast.IndexExpr:
		sel := sc.LikeField(e)
		return sel != nil && sc.Root(sel) != nil && sc.isCheap(sel.X, budget)
	case *ast.UnaryExpr:
		return e.Op != token.AND && e.Op != token.ARROW && sc.isCheap(e.X, budget)
	case *ast.BinaryExpr:
		switch e.Op {
		case token.QUO, token.REM:
			// An integer division panics for zero, and costs.
			if !isFloat(sc.GoType(e)) {
				return false
			}
		case token.SHL, token.SHR:
			// A negative count panics.
			if c := sc.Info.Types[e.Y]; c.Value == nil && !isUnsigned(c.Type) {
				return false
			}
		}
		return sc.isCheap(e.X, budget) && sc.isCheap(e.Y, budget)
	case *ast.CallExpr:
		if len(e.Args) != 1 {
			return false
		}
		fun := sc.Info.Types[e.Fun]
		if id, ok := e.Fun.(*ast.Ident); ok && fun.IsBuiltin() && id.Name == "len" || fun.IsType() {
			return sc.isCheap(e.Args[0], budget)
		}
	}
	return false
}

func isFloat(t types.Type) bool { return IsBasic(t, types.IsFloat) }

func isUnsigned(t types.Type) bool { return IsBasic(t, types.IsUnsigned) }

// IsBasic reports whether a type is a basic one with a property, or is declared as one.
func IsBasic(t types.Type, property types.BasicInfo) bool {
	if t == nil {
		return false
	}
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&property != 0
}

// IsPackageVar reports whether a variable is declared at package level.
func IsPackageVar(v *types.Var) bool { return v.Pkg() != nil && v.Parent() == v.Pkg().Scope() }
