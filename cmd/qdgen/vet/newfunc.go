package vet

import (
	"go/ast"
	"go/constant"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/qdgen/qd/frontend/load"
)

// newFuncs are the function literals that calls of qd.NewFunc make values for kernels, with the types of what they
// are said to capture. Left out are calls of which that is seen only when they happen.
func newFuncs(pass *analysis.Pass) []load.Ref {
	var found []load.Ref
	for _, f := range pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || !isQD(pass, call.Fun, "NewFunc") || len(call.Args) < 2 || call.Ellipsis.IsValid() {
				return true
			}
			lit, ok := ast.Unparen(call.Args[0]).(*ast.FuncLit)
			if !ok {
				return true
			}
			if captures := capturesOf(pass, call.Args[1:]); captures != nil {
				at := pass.Fset.Position(lit.Pos())
				text, _ := load.FormatCaptures(captures)
				found = append(found, load.Ref{Pkg: pass.Pkg.Path(), File: at.Filename, Line: at.Line, Captures: text})
			}
			return true
		})
	}
	return found
}

// capturesOf are the types of the variables that a list of qd.Capture names; nil where a name is no constant, or a type
// is not known without running the program.
func capturesOf(pass *analysis.Pass, list []ast.Expr) map[string]string {
	captures := map[string]string{}
	for _, e := range list {
		call, ok := ast.Unparen(e).(*ast.CallExpr)
		if !ok || !isQD(pass, call.Fun, "Capture") || len(call.Args) != 2 {
			return nil
		}
		name, t := pass.TypesInfo.Types[call.Args[0]].Value, pass.TypesInfo.TypeOf(call.Args[1])
		if name == nil || name.Kind() != constant.String || t == nil || types.IsInterface(t) || hasTypeParam(t) {
			return nil
		}
		captures[constant.StringVal(name)] = load.TypeName(types.Default(t))
	}
	return captures
}

// isQD reports whether an expression is a function of package qd.
func isQD(pass *analysis.Pass, fun ast.Expr, name string) bool {
	f, ok := pass.TypesInfo.Uses[lastName(fun)].(*types.Func)
	return ok && f.Name() == name && f.Pkg() != nil && f.Pkg().Path() == load.QDPath && f.Signature().Recv() == nil
}
