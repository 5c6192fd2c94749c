package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// What is done with a package variable, and with the slices and pointers that lead to its memory, is followed by
// syntax: from the variable's name outwards, and into the functions of the package that are given such a slice or
// pointer. What is not understood counts as a change.

// changes says how a use may change a variable, or lets something else do it: "" for one that only reads.
func (p *sourcePackage) changes(u varUse, obj *types.Var) string {
	return p.walkUses(obj.Pkg(), false).use(u, obj.Type(), false)
}

// OnlyRead reports whether a use of the variable, where it is named at a position, lets nothing write to it, though
// a slice of it, or its address, may be taken.
func (v *Var) OnlyRead(at token.Position) bool {
	return slices.ContainsFunc(v.pkg.uses()[v.Obj.Name()], func(u varUse) bool {
		return u.at.Filename == at.Filename && u.at.Offset == at.Offset && v.pkg.changes(u, v.Obj) == ""
	})
}

// A useWalk follows one use of a variable.
type useWalk struct {
	pkg    *sourcePackage
	types  *types.Package
	seen   map[leadingVar]bool                    // that are being looked at
	locals map[ast.Node]map[*ast.Ident]*ast.Ident // see localsOf

	// pointee is set where only writes matter. Else it matters, too, which pointers are equal.
	pointee bool
}

// A leadingVar is a variable that leads to the one that is followed: a parameter of a function of the package, its
// receiver, a local variable, or another one of the package.
type leadingVar struct {
	decl *ast.Ident
	typ  string // of what is given: a parameter of an interface or a type parameter may be given several
}

// walkUses begins a walk in the package, whose types are given.
func (p *sourcePackage) walkUses(pkg *types.Package, pointee bool) *useWalk {
	return &useWalk{p, pkg, make(map[leadingVar]bool), make(map[ast.Node]map[*ast.Ident]*ast.Ident), pointee}
}

// in is the walk in another package.
func (w *useWalk) in(other *sourcePackage) *useWalk {
	return &useWalk{other, other.types, w.seen, w.locals, w.pointee}
}

// localIn is where an identifier is declared in a package-level declaration or a function literal, nil if it is not.
func (w *useWalk) localIn(n ast.Node, id *ast.Ident) *ast.Ident {
	if w.locals[n] == nil {
		w.locals[n] = localsOf(n)
	}
	return w.locals[n][id]
}

// use follows a use of something of type t outwards, along what is selected of it: of the variable itself or, with
// refers, of a slice or a pointer that leads to it.
func (w *useWalk) use(u varUse, t types.Type, refers bool) string {
	var part ast.Node = u.id // the variable or the part of it that is used
	how := isHandedOn        // of a slice or a pointer, if nothing else is known
	for i := len(u.above) - 1; i >= 0; i-- {
		switch n := u.above[i].(type) {
		case *ast.ParenExpr:
		case *ast.SelectorExpr:
			found, path, _ := types.LookupFieldOrMethod(t, true, w.types, n.Sel.Name)
			switch found := found.(type) {
			case *types.Var:
				t, refers = found.Type(), false
			case *types.Func:
				return w.method(u.above[:i+1], found, !throughPointer(t, path) || refers)
			default:
				return notUnderstood
			}
		case *ast.IndexExpr:
			if n.Index == part && (refers || HoldsReferences(t)) {
				return how // the key of a map
			}
			if n.Index == part {
				return ""
			}
			elem := elemOf(t)
			if elem == nil && refers {
				return notUnderstood
			}
			if elem == nil {
				return "" // an instance of a generic function
			}
			t, refers = elem, false
		case *ast.StarExpr:
			p, ok := t.Underlying().(*types.Pointer)
			if !ok {
				return notUnderstood
			}
			t, refers = p.Elem(), false
		case *ast.UnaryExpr:
			if n.Op != token.AND {
				return ""
			}
			if w.registers(u, i) {
				return ""
			}
			t, refers, how = types.NewPointer(t), true, hasAddressTaken
		case *ast.SliceExpr:
			if n.X != part {
				return "" // an index
			}
			switch sliced := t.Underlying().(type) {
			case *types.Basic: // a string
				return ""
			case *types.Array:
				how = hasAddressTaken
				t = types.NewSlice(sliced.Elem())
			case *types.Pointer:
				if elem := elemOf(t); elem != nil {
					t = types.NewSlice(elem)
				}
			}
			refers = true
		case *ast.CallExpr:
			if !w.isStaticOfHost(u, n, part) {
				return w.ends(u, i, part, t, refers, how)
			}
		default:
			return w.ends(u, i, part, t, refers, how)
		}
		part = u.above[i]
	}
	return ""
}

// isStaticOfHost reports whether a call is qd.Static of a part, in a function that no kernel reaches. In such a
// function qd.Static returns its argument, so the use goes on with the result.
func (w *useWalk) isStaticOfHost(u varUse, call *ast.CallExpr, part ast.Node) bool {
	fn, ok := u.above[0].(*ast.FuncDecl)
	if !ok || call.Fun == part || !callsNamed(call, u.file, QDPath, "Static") || hasKernelShape(fn.Type) {
		return false
	}
	for _, n := range u.above {
		if lit, ok := n.(*ast.FuncLit); ok && hasKernelShape(lit.Type) {
			return false
		}
	}
	for _, f := range w.pkg.files {
		for _, d := range f.decls {
			if d.fn == fn {
				return d.level == unreached
			}
		}
	}
	return true // of a test
}

// ends is use, where something that is no part of the variable any more is done with a part of type t.
func (w *useWalk) ends(u varUse, i int, part ast.Node, t types.Type, refers bool, how string) string {
	switch n := u.above[i].(type) {
	case *ast.AssignStmt:
		blank := true
		for _, lhs := range n.Lhs {
			if lhs == part && refers {
				return "" // a local variable that leads elsewhere from then on
			}
			if lhs == part {
				return isAssigned
			}
			id, ok := lhs.(*ast.Ident)
			blank = blank && ok && id.Name == "_"
		}
		if at := slices.IndexFunc(n.Rhs, func(e ast.Expr) bool { return e == part }); blank || len(n.Lhs) == len(n.Rhs) && w.local(u, n.Lhs[at], t) {
			return ""
		}
	case *ast.ValueSpec:
		at := slices.IndexFunc(n.Values, func(e ast.Expr) bool { return e == part })
		if at >= 0 && len(n.Names) == len(n.Values) && w.local(u, n.Names[at], t) {
			return ""
		}
	case *ast.IncDecStmt:
		return isAssigned
	case *ast.RangeStmt:
		if n.Key == part || n.Value == part {
			if refers {
				return ""
			}
			return isAssigned
		}
		if elem := elemOf(t); n.Value == nil || elem == nil || !HoldsReferences(elem) || w.local(u, n.Value, elem) {
			return ""
		}
	case *ast.BinaryExpr:
		// Two pointers are equal where they lead to one variable: who makes a copy of it must know.
		if w.pointee || !refers && !HoldsReferences(t) || isNil(n.X) || isNil(n.Y) {
			return ""
		}
	case *ast.SwitchStmt, *ast.CaseClause:
		if w.pointee {
			return ""
		}
	case *ast.KeyValueExpr:
		if n.Key == part && !refers && (!HoldsReferences(t) || part == u.id && w.isFieldName(u, i-1)) {
			return ""
		}
	case *ast.CallExpr:
		if n.Fun == part {
			return ""
		}
		if how, ok := w.argument(u, n, part, t); ok {
			return how
		}
	}
	if !HoldsReferences(t) {
		return "" // a copy
	}
	if how == isHandedOn && w.keptByVars(u, t) {
		return ""
	}
	for _, n := range u.above[:i+1] {
		// A kernel cannot change a slice or a map that is known at compile time. The compiled
		// Go of a qd.Static can: see MayChange.
		if call, ok := n.(*ast.CallExpr); ok && how == isHandedOn {
			if callsNamed(call, u.file, QDPath, "Static") || callsNamed(call, u.file, regPath, "StaticValue") {
				return isHandedToStatic
			}
		}
	}
	return how
}

// local reports whether a slice or a pointer that leads to the variable is given to a local variable of the function
// around a use, through which nothing is written, and which is handed to nobody who might.
func (w *useWalk) local(u varUse, to ast.Expr, t types.Type) bool {
	id, ok := to.(*ast.Ident)
	fn, inFunc := u.above[0].(*ast.FuncDecl)
	if !ok || !inFunc || !leadsOn(t) {
		return false
	}
	decl := w.localIn(fn, id)
	return decl != nil && !isResult(fn, decl) && w.onlyReads(fn, decl, t)
}

// keptByVars reports whether a use, of type t, is in the initial value of a package variable through which nothing is
// written either: a table may have several names. Nobody but the package must have them, or it is one of the standard
// library.
func (w *useWalk) keptByVars(u varUse, t types.Type) bool {
	if len(u.above) < 2 {
		return false
	}
	spec, ok := u.above[1].(*ast.ValueSpec)
	if !ok || len(spec.Names) != 1 || len(spec.Values) != 1 {
		return false
	}
	id := spec.Names[0]
	if id.IsExported() && (!w.pkg.given.Standard || w.pkg.hasSettings() || w.pkg.assignedElsewhere(id.Name, true) != "") {
		return false
	}
	for _, n := range u.above[2:] {
		switch n.(type) {
		case *ast.CompositeLit:
			t = nil // until that of the whole literal is asked for
		case *ast.KeyValueExpr, *ast.ParenExpr:
		default:
			return false
		}
	}
	uses := w.pkg.uses()[id.Name]
	v := leadingVar{decl: id}
	if w.seen[v] || len(uses) == 0 {
		return true
	}
	w.seen[v] = true
	t = w.typeOf(spec, t)
	return t != nil && !slices.ContainsFunc(uses, func(use varUse) bool { return w.use(use, t, false) != "" })
}

// typeOf is the type of the variable of a declaration, whose initial value has type t, or is a composite literal if
// that is nil. It is nil if it is not known: only what kernels reach is type-checked.
func (w *useWalk) typeOf(spec *ast.ValueSpec, t types.Type) types.Type {
	if obj, ok := w.types.Scope().Lookup(spec.Names[0].Name).(*types.Var); ok {
		return obj.Type()
	}
	e := spec.Type
	if lit, ok := ast.Unparen(spec.Values[0]).(*ast.CompositeLit); e == nil && t == nil && ok {
		e = lit.Type
	}
	if e == nil {
		return t
	}
	info := types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	if types.CheckExpr(token.NewFileSet(), w.types, token.NoPos, e, &info) != nil {
		return nil
	}
	return info.Types[e].Type
}

// isResult reports whether an identifier declares a result of a function, or of a literal in it, which a return
// statement does not name.
func isResult(fn *ast.FuncDecl, id *ast.Ident) (found bool) {
	ast.Inspect(fn, func(n ast.Node) bool {
		if f, ok := n.(*ast.FuncType); ok && f.Results != nil {
			for _, field := range f.Results.List {
				found = found || slices.Contains(field.Names, id)
			}
		}
		return !found
	})
	return found
}

// isFieldName reports whether the keys in a composite literal, at an index above a use, are names of fields.
func (w *useWalk) isFieldName(u varUse, index int) bool {
	_, ok := w.literalType(u, index).(*ast.StructType)
	return ok
}

// literalType is what the type of a composite literal, at an index above a use, is declared as, nil if the package does
// not show it: a type of another package, or one that is declared in a function.
func (w *useWalk) literalType(u varUse, index int) ast.Expr {
	lit, ok := u.above[index].(*ast.CompositeLit)
	if !ok {
		return nil
	}
	t := lit.Type
	if t == nil { // it is an element of another literal, which has the type
		outer, isKey := index-1, false
		if pair, ok := u.above[outer].(*ast.KeyValueExpr); ok {
			outer, isKey = outer-1, pair.Key == lit
		}
		switch of := w.literalType(u, outer).(type) {
		case *ast.ArrayType:
			t = of.Elt
		case *ast.MapType:
			if t = of.Value; isKey {
				t = of.Key
			}
		}
		if pointer, ok := t.(*ast.StarExpr); ok {
			t = pointer.X
		}
	}
	for range len(w.pkg.decls) + 1 { // no type is declared in a circle
		switch x := t.(type) {
		case *ast.ParenExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			ds := w.pkg.decls[x.Name]
			if len(ds) != 1 || w.localIn(u.above[0], x) != nil {
				return nil
			}
			spec, ok := ds[0].spec.(*ast.TypeSpec)
			if !ok {
				return nil
			}
			t = spec.Type
		default:
			return t
		}
	}
	return nil
}

func isNil(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && id.Name == "nil"
}

// leadsOn reports whether a value of a type is a slice or a pointer.
func leadsOn(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Slice, *types.Pointer:
		return true
	}
	return false
}

// registers reports whether an address, at an index above a use, is an argument of qdreg.Vars, through which qdgen
// reads the variable.
func (w *useWalk) registers(u varUse, index int) bool {
	if index < 3 {
		return false
	}
	_, isPair := u.above[index-1].(*ast.KeyValueExpr)
	_, isMap := u.above[index-2].(*ast.CompositeLit)
	call, isCall := u.above[index-3].(*ast.CallExpr)
	return isPair && isMap && isCall && callsNamed(call, u.file, regPath, "Vars")
}
