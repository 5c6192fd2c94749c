package load

import (
	"go/ast"
	"go/types"
	"slices"
)

// argument says what a call does with an argument of type t, if that is certain.
func (w *useWalk) argument(u varUse, call *ast.CallExpr, arg ast.Node, t types.Type) (how string, certain bool) {
	fun := calledName(call)
	switch {
	case fun == nil:
		if how, certain = w.argumentOfMethod(u, call, arg, t); certain {
			return how, true
		}
		return w.argumentOfOther(u, call, arg, t)
	case w.localIn(u.above[0], fun) != nil: // a function value
		return "", false
	}
	builtin := fun.Name
	if len(w.pkg.decls[builtin]) > 0 {
		builtin = "" // another function with the name of one
	}
	switch builtin {
	case "len", "cap":
		return "", true
	case "copy":
		elem := elemOf(t)
		if len(call.Args) == 2 && call.Args[1] == arg && elem != nil && !HoldsReferences(elem) {
			return "", true
		}
		return isAssigned, HoldsReferences(t)
	case "append":
		if elem := elemOf(t); call.Args[0] != arg && call.Ellipsis.IsValid() && elem != nil && !HoldsReferences(elem) {
			return "", true // its elements are copied
		}
		return isAssigned, HoldsReferences(t)
	case "clear", "delete":
		return isAssigned, HoldsReferences(t)
	}
	if !leadsOn(t) {
		return "", false
	}
	ds := w.pkg.decls[fun.Name]
	if len(ds) != 1 || ds[0].fn == nil {
		return "", false
	}
	return w.given(call, ds[0].fn, arg, t)
}

// argumentOfOther is argument of a call of another package's function, of a package that the kernels need.
func (w *useWalk) argumentOfOther(u varUse, call *ast.CallExpr, arg ast.Node, t types.Type) (how string, certain bool) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || u.file == nil || !leadsOn(t) {
		return "", false
	}
	x, ok := sel.X.(*ast.Ident)
	if !ok || len(w.pkg.decls[x.Name]) > 0 || w.localIn(u.above[0], x) != nil {
		return "", false
	}
	for _, spec := range u.file.Imports {
		other := w.pkg.others[importPath(spec)]
		if other == nil || other.types == nil || other.given.HostOnly || spec.Name == nil && other.name != x.Name || spec.Name != nil && spec.Name.Name != x.Name {
			continue
		}
		if ds := other.decls[sel.Sel.Name]; len(ds) == 1 && ds[0].fn != nil {
			return w.in(other).given(call, ds[0].fn, arg, t)
		}
	}
	return "", false
}

// given says what a function of the package does with an argument of a call, if that is certain.
func (w *useWalk) given(call *ast.CallExpr, fn *ast.FuncDecl, arg ast.Node, t types.Type) (how string, certain bool) {
	param, typ := paramAt(fn, slices.IndexFunc(call.Args, func(e ast.Expr) bool { return e == arg }))
	switch typ := typ.(type) {
	case *ast.Ident, *ast.StarExpr:
	case *ast.ArrayType:
		if typ.Len != nil {
			return "", false
		}
	case *ast.Ellipsis:
		if !call.Ellipsis.IsValid() {
			return "", false
		}
	default:
		return "", false
	}
	if param == nil || w.onlyReads(fn, param, t) {
		return "", true
	}
	return "", false
}

// calledName is the name of the function that is called, of an instance without its type arguments. It is nil for
// a method, or a function of another package.
func calledName(call *ast.CallExpr) *ast.Ident {
	fun := ast.Unparen(call.Fun)
	switch x := fun.(type) {
	case *ast.IndexExpr:
		fun = x.X
	case *ast.IndexListExpr:
		fun = x.X
	}
	id, _ := fun.(*ast.Ident)
	return id
}

// paramAt is the parameter that an argument is for, nil if it has no name, and the parameter's type.
func paramAt(fn *ast.FuncDecl, index int) (name *ast.Ident, typ ast.Expr) {
	for _, field := range fn.Type.Params.List {
		n := max(1, len(field.Names))
		if _, variadic := field.Type.(*ast.Ellipsis); index < n || variadic {
			if len(field.Names) > 0 {
				name = field.Names[min(index, len(field.Names)-1)]
			}
			return name, field.Type
		}
		index -= n
	}
	return nil, nil
}

// fileOf is the file of the package that declares a function, nil for one of a test.
func (p *sourcePackage) fileOf(fn *ast.FuncDecl) *ast.File {
	for _, f := range p.files {
		if slices.Contains(f.syntax.Decls, ast.Decl(fn)) {
			return f.syntax
		}
	}
	return nil
}
