package check

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Addresses reports whether the code below n needs the address of a variable.
func (sc *Instance) Addresses(n ast.Node, v *types.Var) bool {
	found := false
	sc.EachAddressed(n, func(w *types.Var, _ bool) { found = found || w == v })
	return found
}

// EachAddressed calls f for each use that needs the address of a variable; part says that
// it is for the assignment of a part.
func (sc *Instance) EachAddressed(n ast.Node, f func(v *types.Var, part bool)) {
	whole := func(e ast.Expr) {
		if v := sc.Root(e); v != nil {
			f(v, false)
		}
	}
	part := func(e ast.Expr) {
		if _, ok := ast.Unparen(e).(*ast.Ident); !ok {
			if v := sc.Root(e); v != nil {
				f(v, true)
			}
		}
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				whole(n.X)
			}
		case *ast.SliceExpr:
			if IsArray(sc.GoType(n.X)) {
				whole(n.X)
			}
		case *ast.SelectorExpr:
			if sc.TakesAddress(n) {
				whole(n.X)
			}
		case ast.Stmt:
			for _, e := range assignedBy(n) {
				part(e)
			}
		}
		return true
	})
}

// EachAssigned calls f for the variables that the code below n assigns to, as a whole or in part.
func (sc *Scope) EachAssigned(n ast.Node, f func(v *types.Var)) {
	ast.Inspect(n, func(n ast.Node) bool {
		for _, e := range assignedBy(n) {
			for _, v := range [...]*types.Var{sc.Root(e), sc.FrontRoot(e)} {
				if v != nil {
					f(v)
				}
			}
		}
		return true
	})
}

// PointerInstead is what to write where the address of a value is taken that is known at compile time only: a pointer to
// such a struct is known too, if the struct is made with it. It is "" for values that no pointer leads to.
func (sc *Scope) PointerInstead(e ast.Expr) string {
	name, typ := types.ExprString(e), sc.GoType(e)
	switch v := sc.Root(e); {
	case v != nil && IsPackageVar(v):
		return ""
	case v != nil && IsStruct(sc.Subst(v.Type())):
		name, typ = v.Name(), sc.Subst(v.Type())
	}
	if !IsStruct(typ) || !sc.Syntax.IsFrontType(types.NewPointer(typ)) || IsConst(typ) {
		return ""
	}
	return "let " + name + " be a pointer, made by &" + sc.Syntax.TypeString(typ) + "{...}"
}

// assignedBy are the expressions that a statement by itself, without those in it, assigns to.
func assignedBy(n ast.Node) (list []ast.Expr) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		return n.Lhs
	case *ast.IncDecStmt:
		return []ast.Expr{n.X}
	case *ast.RangeStmt:
		if n.Tok != token.ASSIGN {
			break
		}
		for _, e := range [...]ast.Expr{n.Key, n.Value} {
			if e != nil {
				list = append(list, e)
			}
		}
	}
	return list
}

// TakesAddress reports whether a method is selected that takes the address of what
// it is selected from.
func (sc *Instance) TakesAddress(e *ast.SelectorExpr) bool {
	sel := sc.Info.Selections[e]
	if sel == nil || sel.Kind() != types.MethodVal {
		return false
	}
	f, ok := sel.Obj().(*types.Func)
	if !ok || f.Signature().Recv() == nil || !IsPointer(f.Signature().Recv().Type()) {
		return false
	}
	// Through an embedded pointer nothing of the variable's own is pointed to.
	t := sc.Subst(sel.Recv())
	for _, i := range sel.Index()[:len(sel.Index())-1] {
		s, ok := t.Underlying().(*types.Struct)
		if !ok || i >= s.NumFields() {
			return false
		}
		t = s.Field(i).Type()
	}
	return !IsPointer(t) && !IsPointer(sc.GoType(e.X))
}

// Root is the variable that e is or is a part of; nil where a pointer or a slice
// leads to it.
func (sc *Instance) Root(e ast.Expr) *types.Var {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, _ := sc.Info.ObjectOf(e).(*types.Var)
		return v
	case *ast.SelectorExpr:
		sel := sc.Info.Selections[e]
		if sel == nil || sel.Kind() != types.FieldVal || IsPointer(sc.GoType(e.X)) {
			return nil
		}
		t := sc.GoType(e.X)
		for _, i := range sel.Index()[:len(sel.Index())-1] {
			s, ok := t.Underlying().(*types.Struct)
			if !ok || i >= s.NumFields() {
				return nil
			}
			if t = s.Field(i).Type(); IsPointer(t) {
				return nil
			}
		}
		return sc.Root(e.X)
	case *ast.IndexExpr:
		if IsArray(sc.GoType(e.X)) {
			return sc.Root(e.X)
		}
	}
	return nil
}

func IsPointer(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

func IsSlice(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Slice)
	return ok
}

func IsArray(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Array)
	return ok
}
