package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// This file follows a use into the methods that are given a slice or a pointer that leads to what is used. Which method
// a call means is found out by syntax, because only what kernels reach is type-checked.

// argumentOfMethod is argument of a call of a method, of something whose type the package declares.
func (w *useWalk) argumentOfMethod(u varUse, call *ast.CallExpr, arg ast.Node, t types.Type) (how string, certain bool) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || !leadsOn(t) {
		return "", false
	}
	recv := w.typeAt(u.above[0], sel.X, maxTyped)
	if recv == nil {
		return "", false
	}
	found, _, _ := types.LookupFieldOrMethod(recv, true, w.types, sel.Sel.Name)
	m, ok := found.(*types.Func)
	if !ok {
		return "", false
	}
	within, fn := w.methodDecl(m)
	if fn == nil {
		return "", false
	}
	return within.given(call, fn, arg, t)
}

// maxTyped is how many expressions and declarations lead from one to the next before typeAt gives up.
const maxTyped = 20

// typeAt is the type of an expression in a package-level declaration. It is nil if the syntax does not show it, or if
// it is no type of the package. Of a generic type, it may be the type without its type arguments.
func (w *useWalk) typeAt(in ast.Node, e ast.Expr, steps int) types.Type {
	if steps == 0 {
		return nil
	}
	steps--
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return w.typeNamed(in, e.Type)
	case *ast.UnaryExpr:
		if t := w.typeAt(in, e.X, steps); t != nil && e.Op == token.AND {
			return types.NewPointer(t)
		}
	case *ast.StarExpr:
		if t := w.typeAt(in, e.X, steps); t != nil && isPointerTo(t) {
			return t.Underlying().(*types.Pointer).Elem()
		}
	case *ast.IndexExpr:
		if t := w.typeAt(in, e.X, steps); t != nil {
			return elemOf(t)
		}
	case *ast.SelectorExpr:
		t := w.typeAt(in, e.X, steps)
		if t == nil {
			return nil
		}
		if field, _, _ := types.LookupFieldOrMethod(t, true, w.types, e.Sel.Name); field != nil && isField(field) {
			return field.Type()
		}
	case *ast.CallExpr:
		return w.typeOfCall(in, e)
	case *ast.Ident:
		if decl := w.localIn(in, e); decl != nil {
			return w.typeOfLocal(in, decl, steps)
		}
		if v, ok := w.types.Scope().Lookup(e.Name).(*types.Var); ok {
			return v.Type()
		}
	}
	return nil
}

// isField reports whether something that was selected is a field.
func isField(obj types.Object) bool {
	v, ok := obj.(*types.Var)
	return ok && v.IsField()
}

// typeOfCall is the type of a call of new, of a conversion, or of a function of the package with one result.
func (w *useWalk) typeOfCall(in ast.Node, call *ast.CallExpr) types.Type {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok || w.localIn(in, id) != nil {
		return nil
	}
	ds := w.pkg.decls[id.Name]
	switch {
	case len(ds) == 0 && id.Name == "new" && len(call.Args) == 1:
		if t := w.typeNamed(in, call.Args[0]); t != nil {
			return types.NewPointer(t)
		}
	case len(ds) == 1 && ds[0].fn == nil && len(call.Args) == 1:
		return w.typeNamed(in, id)
	case len(ds) == 1 && ds[0].fn != nil:
		if results := ds[0].fn.Type.Results; results.NumFields() == 1 {
			return w.typeNamed(ds[0].fn, results.List[0].Type)
		}
	}
	return nil
}

// typeOfLocal is the type of a variable that an identifier declares in a package-level declaration: a parameter, or one
// of a statement.
func (w *useWalk) typeOfLocal(in ast.Node, decl *ast.Ident, steps int) (t types.Type) {
	ast.Inspect(in, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			if slices.Contains(n.Names, decl) {
				t = w.typeNamed(in, n.Type)
			}
		case *ast.ValueSpec:
			switch i := slices.Index(n.Names, decl); {
			case i >= 0 && n.Type != nil:
				t = w.typeNamed(in, n.Type)
			case i >= 0 && len(n.Values) == len(n.Names):
				t = w.typeAt(in, n.Values[i], steps)
			}
		case *ast.AssignStmt:
			if i := slices.Index(n.Lhs, ast.Expr(decl)); i >= 0 && n.Tok == token.DEFINE && len(n.Rhs) == len(n.Lhs) {
				t = w.typeAt(in, n.Rhs[i], steps)
			}
		case *ast.RangeStmt:
			if n.Value == decl && n.Tok == token.DEFINE {
				if of := w.typeAt(in, n.X, steps); of != nil {
					t = elemOf(of)
				}
			}
		}
		return t == nil
	})
	return t
}

// typeNamed is the type that an expression stands for, if it is one of the package, without what the declaration around
// the expression declares itself.
func (w *useWalk) typeNamed(in ast.Node, e ast.Expr) types.Type {
	switch x := e.(type) {
	case nil:
		return nil
	case *ast.ParenExpr:
		return w.typeNamed(in, x.X)
	case *ast.StarExpr:
		if t := w.typeNamed(in, x.X); t != nil {
			return types.NewPointer(t)
		}
		return nil
	case *ast.IndexExpr: // of a generic type
		return w.typeNamed(in, x.X)
	case *ast.IndexListExpr:
		return w.typeNamed(in, x.X)
	case *ast.ArrayType:
		if elem := w.typeNamed(in, x.Elt); elem != nil {
			return types.NewSlice(elem) // or an array, of which only the elements are asked for
		}
		return nil
	case *ast.Ident:
		if w.localIn(in, x) != nil {
			return nil
		}
		if obj, ok := w.types.Scope().Lookup(x.Name).(*types.TypeName); ok {
			return obj.Type()
		}
	}
	return nil
}
