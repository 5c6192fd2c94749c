package vet

import (
	"go/ast"
	"go/constant"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/qdgen/qd/frontend/load"
)

// functionValues are the functions of the package that are values for kernels: function literals given to qd.NewFunc,
// with the types of what they are said to capture, and functions and literals given as a qd.C. Left out are calls of
// which what they capture is seen only when they happen.
func functionValues(pass *analysis.Pass) []load.Ref {
	var found []load.Ref
	literal := func(lit *ast.FuncLit, captures string) {
		r := writtenAt(pass, lit.Pos())
		ref := load.Ref{Pkg: pass.Pkg.Path(), File: r.Filename, Line: r.Line, Captures: captures}
		if captures == "" {
			ref.Col = r.Column // others may stand on its line
		}
		found = append(found, ref)
	}
	for _, f := range pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 || call.Ellipsis.IsValid() {
				return true
			}
			isNew := isQD(pass, call.Fun, "NewFunc")
			if !isNew && !isQD(pass, call.Fun, "C") {
				return true
			}
			if x := literalOf(pass, call.Args[0]); x != nil {
				switch {
				case isNew && len(call.Args) > 1:
					if captures := capturesOf(pass, call.Args[1:]); captures != nil {
						text, _ := load.FormatCaptures(captures)
						literal(x, text)
					}
				case firstCaptured(pass, x) == nil:
					literal(x, "")
				}
				return true
			}
			if x, ok := ast.Unparen(call.Args[0]).(*ast.Ident); ok {
				fn, ok := pass.TypesInfo.Uses[x].(*types.Func)
				if ok && fn.Pkg() == pass.Pkg && fn.Signature().Recv() == nil && fn.Signature().TypeParams() == nil {
					found = append(found, load.Ref{Pkg: pass.Pkg.Path(), Name: fn.Name()})
				}
			}
			return true
		})
	}
	return found
}

// literalOf is the function literal that an expression is, or that a local variable has which nobody assigns to again;
// nil for others.
func literalOf(pass *analysis.Pass, e ast.Expr) *ast.FuncLit {
	switch e := ast.Unparen(e).(type) {
	case *ast.FuncLit:
		return e
	case *ast.Ident:
		v, ok := pass.TypesInfo.Uses[e].(*types.Var)
		if !ok || v.Parent() == pass.Pkg.Scope() {
			return nil
		}
		if value := writtenOf(pass, v).value; value != nil {
			lit, _ := ast.Unparen(value).(*ast.FuncLit)
			return lit
		}
	}
	return nil
}

// firstCaptured is where a literal first names a variable of a function around it, nil if it does not.
func firstCaptured(pass *analysis.Pass, lit *ast.FuncLit) (found *ast.Ident) {
	ast.Inspect(lit, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && found == nil {
			v, isVar := pass.TypesInfo.Uses[id].(*types.Var)
			if isVar && !v.IsField() && v.Parent() != v.Pkg().Scope() && (v.Pos() < lit.Pos() || v.Pos() >= lit.End()) {
				found = id
			}
		}
		return found == nil
	})
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
