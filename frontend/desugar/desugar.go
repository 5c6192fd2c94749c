package desugar

import (
	"go/ast"
	"go/types"
)

// A Function is a function that has been type-checked, whole or with parts that the type checker refuses.
type Function struct {
	Obj  *types.Func // nil of one so wrong that the type checker has left it out
	Decl *ast.FuncDecl
	Pkg  *types.Package
	Info *types.Info // what the type checker says of its syntax; what is said of new syntax is added

	// Outer are the type parameters of the function around one that was a literal.
	Outer *types.TypeParamList
}

// Rewrite gives a function a declaration without what the rest of the front end does not know. It returns the functions
// that its recursive literals have become.
func Rewrite(f *Function) (made []*Function) {
	f.Decl = Syntax(f.Decl, f.Info, f.Pkg)
	return liftLiterals(f)
}

// Syntax is syntax, a function or what declares variables, without the statements that the rest of the front end does
// not know: goto, and ranges over functions.
func Syntax[N ast.Node](n N, info *types.Info, pkg *types.Package) N {
	n = withoutGotos(n, info, pkg) // those that leave the body of a range become breaks and continues first
	return withoutRangeFuncs(n, info, pkg)
}
