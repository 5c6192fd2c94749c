package load

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"go/types"
)

// A site is an expression qd.Static(x). Tools and running programs tell sites apart by
// the function they are in, their number among those of that function, x, and what the names in x
// mean: what an edit elsewhere in the file leaves as it is.

// A Site is a qd.Static that [FileSites] has found.
type Site struct {
	Func          string // as [FuncName] gives it
	Index         int    // among those of Func
	Expr          string // the argument, as [SiteExpr] writes it
	Names         string // what names in it mean, see [SiteNames]
	Line, EndLine int    // of the call
}

// StaticCalls finds the calls of qd.Static in a package-level declaration, function
// literals included, in source order: a site's index is that in the result. The info is
// that of a type check, which need not have been free of errors.
func StaticCalls(decl ast.Node, info *types.Info) []*ast.CallExpr {
	return staticCalls(decl, func(id *ast.Ident) bool {
		obj, ok := info.Uses[id].(*types.Func)
		return ok && obj.Pkg() != nil && obj.Pkg().Path() == QDPath && obj.Signature().Recv() == nil
	}, func(x *ast.Ident) bool {
		name, ok := info.Uses[x].(*types.PkgName)
		return ok && name.Imported().Path() == QDPath
	})
}

// staticCalls finds calls of Static by what decides whether an identifier is the
// function itself, and whether one is the name of package qd.
func staticCalls(decl ast.Node, isStatic, isQD func(*ast.Ident) bool) (calls []*ast.CallExpr) {
	ast.Inspect(decl, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && isStaticCall(call, isStatic, isQD) {
			calls = append(calls, call)
		}
		return true
	})
	return calls
}

func isStaticCall(call *ast.CallExpr, isStatic, isQD func(*ast.Ident) bool) bool {
	return len(call.Args) == 1 && calledOfQD(call, isStatic, isQD) == "Static"
}

// calledOfQD is the name of the function of package qd that a call calls, "" of another one. IsOwn decides whether an
// identifier is a function of package qd, and isQD whether one is the name of the package.
func calledOfQD(call *ast.CallExpr, isOwn, isQD func(*ast.Ident) bool) string {
	fun := ast.Unparen(call.Fun)
	if index, ok := fun.(*ast.IndexExpr); ok { // qd.Static[float32](x)
		fun = ast.Unparen(index.X)
	}
	switch fun := fun.(type) {
	case *ast.Ident:
		if isOwn(fun) {
			return fun.Name
		}
	case *ast.SelectorExpr:
		if x, isName := fun.X.(*ast.Ident); isName && isQD(x) {
			return fun.Sel.Name
		}
	}
	return ""
}

// FileSites finds the sites of a file by its syntax alone, for programs that have the
// text of a file and not the packages that it imports. It finds those of [StaticCalls], and
// nothing in what is not Go.
func FileSites(f File) []Site {
	fset := token.NewFileSet()
	syntax, err := parser.ParseFile(fset, f.Name, f.Src, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	names := qdNames(syntax)
	if len(names) == 0 {
		return nil
	}
	line := func(pos token.Pos) int { return fset.PositionFor(pos, false).Line }
	var sites []Site
	for _, d := range syntax.Decls {
		for _, s := range sitesIn(syntax, d, names) {
			s.Line, s.EndLine = line(s.call.Pos()), line(s.call.End())
			sites = append(sites, s.Site)
		}
	}
	return sites
}

// A calledSite is a site with its call. Where there is no more than syntax, it has no lines.
type calledSite struct {
	Site
	call *ast.CallExpr
}

// sitesIn finds the sites of a declaration of a file, which imports package qd under these names.
func sitesIn(f *ast.File, d ast.Decl, names map[string]bool) (sites []calledSite) {
	calls := staticCalls(d, func(*ast.Ident) bool { return names["."] }, func(x *ast.Ident) bool { return names[x.Name] })
	if len(calls) == 0 {
		return nil
	}
	meanings := SiteNames(f, d)
	for i, call := range calls {
		site := Site{Func: FuncName(d), Index: i, Expr: SiteExpr(call.Args[0]), Names: meanings[call.Pos()]}
		sites = append(sites, calledSite{site, call})
	}
	return sites
}

// qdNames are the names under which a file imports package qd.
func qdNames(f *ast.File) map[string]bool {
	names := make(map[string]bool)
	for _, spec := range f.Imports {
		if importPath(spec) != QDPath {
			continue
		}
		name := "qd"
		if spec.Name != nil {
			name = spec.Name.Name
		}
		names[name] = true
	}
	return names
}

// FuncName is the name of a declared function in sites, "f" or "T.M", without stars and
// type parameters; "" for other declarations.
func FuncName(d ast.Decl) string {
	fn, ok := d.(*ast.FuncDecl)
	if !ok {
		return ""
	}
	if recv := ReceiverName(fn); recv != "" {
		return recv + "." + fn.Name.Name
	}
	return fn.Name.Name
}

// SiteExpr is an expression as sites have it: formatted, whatever the line breaks in the
// source and without its comments.
func SiteExpr(e ast.Expr) string {
	var b bytes.Buffer
	// The positions mean nothing to an empty file set: no line of the source counts.
	if err := (&printer.Config{Mode: printer.RawFormat}).Fprint(&b, token.NewFileSet(), e); err != nil {
		panic("BUG: load: an expression cannot be printed: " + err.Error())
	}
	return b.String()
}

// SiteLocals are the variables in an expression that are declared in the function around
// it, its parameters and receiver among them, each once and in the order in which they
// first occur. Those that function literals in the expression declare are not among them.
func SiteLocals(e ast.Expr, info *types.Info) (locals []*types.Var) {
	seen := make(map[*types.Var]bool)
	ast.Inspect(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := info.Uses[id].(*types.Var)
		if !ok || v.IsField() || seen[v] || isPackageLevel(v) || e.Pos() <= v.Pos() && v.Pos() < e.End() {
			return true
		}
		seen[v] = true
		locals = append(locals, v)
		return true
	})
	return locals
}

// AtPackageLevel reports whether an expression means the same at package level: whether it
// names neither variables nor types of the function around it.
func AtPackageLevel(e ast.Expr, info *types.Info) bool {
	if len(SiteLocals(e, info)) > 0 {
		return false
	}
	outside := true
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			t, isType := info.Uses[id].(*types.TypeName)
			outside = outside && !(isType && t.Pkg() != nil && !isPackageLevel(t) && !(e.Pos() <= t.Pos() && t.Pos() < e.End()))
		}
		return outside
	})
	return outside
}

func isPackageLevel(obj types.Object) bool {
	return obj.Pkg() != nil && obj.Parent() == obj.Pkg().Scope()
}

// NeedsGo reports whether only compiled Go may be able to evaluate an expression: whether
// there is more in it than local variables, constants, names of functions, operators, selectors
// and indices of such, conversions to predeclared types, and the functions len, min and max.
func NeedsGo(e ast.Expr, info *types.Info) bool {
	if tv := info.Types[e]; tv.Value != nil {
		return false
	}
	switch e := e.(type) {
	case *ast.BasicLit:
		return false
	case *ast.Ident:
		switch obj := info.Uses[e].(type) {
		case *types.Var:
			return isPackageLevel(obj)
		case *types.Const, *types.Nil, *types.Func:
			return false
		}
		return true
	case *ast.ParenExpr:
		return NeedsGo(e.X, info)
	case *ast.UnaryExpr:
		return e.Op == token.AND || e.Op == token.ARROW || NeedsGo(e.X, info)
	case *ast.BinaryExpr:
		return NeedsGo(e.X, info) || NeedsGo(e.Y, info)
	case *ast.SelectorExpr:
		sel := info.Selections[e]
		if sel == nil { // a name of another package
			return NeedsGo(e.Sel, info)
		}
		return sel.Kind() != types.FieldVal || sel.Indirect() || NeedsGo(e.X, info)
	case *ast.IndexExpr:
		return NeedsGo(e.X, info) || NeedsGo(e.Index, info)
	case *ast.CallExpr:
		if !isPlainCall(e, info) {
			return true
		}
		for _, arg := range e.Args {
			if NeedsGo(arg, info) {
				return true
			}
		}
		return false
	}
	return true
}

// isPlainCall reports whether a call is a conversion to a predeclared type or one of
// len, min and max.
func isPlainCall(e *ast.CallExpr, info *types.Info) bool {
	id, ok := ast.Unparen(e.Fun).(*ast.Ident)
	if !ok {
		return false
	}
	switch obj := info.Uses[id].(type) {
	case *types.TypeName:
		return obj.Pkg() == nil
	case *types.Builtin:
		switch obj.Name() {
		case "len", "min", "max":
			return true
		}
	}
	return false
}
