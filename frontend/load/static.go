package load

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
)

// What is inside of a qd.Static may be any Go: functions with bodies that no kernel can
// have, and packages whose source is not there. So the functions in it are reached by
// their declarations only, and what is wrong with them is nobody's error: who evaluates the
// argument may not need them. Where a package in it is not there, its type is what the
// program that has it compiled says: see [Also].

// A SiteID tells the qd.Static of a program apart.
type SiteID struct {
	Pkg   string // import path
	Func  string // as [FuncName] gives it
	Index int    // among those of Func
}

// A Static is a qd.Static in what is reached.
type Static struct {
	SiteID
	Expr  string // the argument, as [SiteExpr] writes it
	Names string // what names in it mean, see [SiteNames]

	// Foreign is whether there is a package in the argument that is not there, or that
	// something in it has its type from: Missing is its path, as far as that is known. The
	// type checker knows nothing of such an argument if it is Untyped; else there is a call in
	// its place that has the same type and the same local variables in it.
	Foreign bool
	Missing string
	Untyped bool
}

// Static is the qd.Static that a call is, nil if it is none.
func (p *Program) Static(call *ast.CallExpr) *Static { return p.statics[call.Pos()] }

// Untyped are the sites that lack their types, in source order.
func (p *Program) Untyped() (list []*Static) {
	inOrder := slices.Collect(maps.Keys(p.statics))
	sort.Slice(inOrder, func(i, j int) bool { return inOrder[i] < inOrder[j] })
	for _, pos := range inOrder {
		if s := p.statics[pos]; s.Untyped {
			list = append(list, s)
		}
	}
	return list
}

// isStatic reports whether a call is one of qd.Static, as far as syntax tells; the
// walker knows which names are declared around it.
func (l *loader) isStatic(f *sourceFile, w *scopeWalker, call *ast.CallExpr) bool {
	return isStaticCall(call, func(id *ast.Ident) bool {
		return w.isFree(id) && len(f.pkg.decls[id.Name]) == 0 && slices.ContainsFunc(f.syntax.Imports, func(spec *ast.ImportSpec) bool {
			return spec.Name != nil && spec.Name.Name == "." && importPath(spec) == QDPath
		})
	}, func(x *ast.Ident) bool {
		if !w.isFree(x) || len(f.pkg.decls[x.Name]) > 0 {
			return false
		}
		spec := l.importNamed(f, x.Name)
		return spec != nil && importPath(spec) == QDPath
	})
}

// numberStatics finds the sites of the files that something is reached in.
func (l *loader) numberStatics() {
	for _, p := range l.order {
		for _, f := range p.files {
			for _, s := range f.sites.of(f) {
				l.prog.statics[s.call.Pos()] = &Static{SiteID: SiteID{p.path, s.Func, s.Index}, Expr: s.Expr, Names: s.Names}
			}
		}
	}
}

// fileSites has the sites of a file. It is kept with the parsed file, so that many kernels have them from one search.
type fileSites struct {
	once sync.Once
	list []calledSite
}

// of finds the sites of a file before its syntax is modified.
func (s *fileSites) of(f *sourceFile) []calledSite {
	s.once.Do(func() {
		if !bytes.Contains(f.Src, []byte("Static")) {
			return
		}
		names := qdNames(f.syntax)
		for _, d := range f.syntax.Decls {
			if bytes.Contains(f.textOf(d), []byte("Static")) { // else without a look at all its nodes
				s.list = append(s.list, sitesIn(f.syntax, d, names)...)
			}
		}
	})
	return s.list
}

// textOf is the text of a declaration of the file.
func (f *sourceFile) textOf(d ast.Decl) []byte {
	from, to := f.tok.Offset(d.Pos()), f.tok.Offset(d.End())
	return f.Src[from:max(from, min(to, len(f.Src)))]
}

// ownSyntax reports whether syntax is going to be modified, by replaceStatics.
func (l *loader) ownSyntax() bool { return len(l.also.Types) > 0 }

// replaceStatics puts what has the right type in the place of arguments that the type
// checker could not understand: a call of a variable that is not there, with the local
// names in the argument.
func (l *loader) replaceStatics(typeNames map[SiteID]string) {
	if len(typeNames) == 0 {
		return
	}
	declared := 0
	for _, p := range l.order {
		for _, f := range p.files {
			for _, d := range slices.Clone(f.decls) {
				if d.fn == nil || d.level != called {
					continue
				}
				ast.Inspect(d.fn, func(n ast.Node) bool {
					call, ok := n.(*ast.CallExpr)
					if !ok || len(call.Args) != 1 {
						return true
					}
					s := l.prog.statics[call.Pos()]
					if s == nil || typeNames[s.SiteID] == "" {
						return true
					}
					t, err := l.typeExpr(f, typeNames[s.SiteID])
					if err != nil {
						return true
					}
					name := fmt.Sprintf("static·%d", declared)
					declared++
					l.declareStatic(f, name, call.Pos(), t)
					by := &ast.CallExpr{Fun: &ast.Ident{NamePos: call.Args[0].Pos(), Name: name}, Lparen: call.Lparen, Rparen: call.Rparen}
					for _, id := range localNames(d, call.Args[0]) {
						by.Args = append(by.Args, id)
					}
					call.Args[0] = by
					s.Foreign = true
					return false
				})
			}
		}
	}
}

// localNames are the identifiers in an expression that functions around it declare, each
// name once.
func localNames(d *decl, e ast.Expr) (ids []*ast.Ident) {
	outside := freeNames(func(w *scopeWalker) { w.funcDecl(d.fn, true) })
	free := freeNames(func(w *scopeWalker) { w.walk(e) })
	seen := typeParamNames(d.fn)
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && free[id] && !outside[id] && !seen[id.Name] {
			seen[id.Name] = true
			ids = append(ids, id)
		}
		return true
	})
	return ids
}

// typeParamNames are the names of a function's type parameters and of the types that it
// declares, which are no values.
func typeParamNames(fn *ast.FuncDecl) map[string]bool {
	names := make(map[string]bool)
	if fn.Recv != nil {
		for _, f := range fn.Recv.List {
			_, args := receiverBase(f.Type)
			for _, arg := range args {
				if id, ok := arg.(*ast.Ident); ok {
					names[id.Name] = true
				}
			}
		}
	}
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncType:
			if n.TypeParams != nil {
				for _, f := range n.TypeParams.List {
					for _, id := range f.Names {
						names[id.Name] = true
					}
				}
			}
		case *ast.TypeSpec:
			names[n.Name.Name] = true
		}
		return true
	})
	return names
}

// declareStatic declares a variable that holds a function with results of a type.
func (l *loader) declareStatic(f *sourceFile, name string, pos token.Pos, t ast.Expr) {
	spec := &ast.ValueSpec{
		Names: []*ast.Ident{{NamePos: pos, Name: name}},
		Type: &ast.FuncType{
			Params:  &ast.FieldList{List: []*ast.Field{{Type: &ast.Ellipsis{Elt: &ast.InterfaceType{Methods: &ast.FieldList{}}}}}},
			Results: &ast.FieldList{List: []*ast.Field{{Type: t}}},
		},
	}
	group := &ast.GenDecl{TokPos: pos, Tok: token.VAR, Specs: []ast.Spec{spec}}
	f.decls = append(f.decls, &decl{file: f, group: group, spec: spec, level: declared})
}

// typeExpr is the syntax of a type that package reflect names, for a file: it imports
// what that needs.
func (l *loader) typeExpr(f *sourceFile, name string) (ast.Expr, error) {
	var text strings.Builder
	aliases := make(map[string]string) // names for the parser to those of imports
	for name != "" {
		n := 0
		for n < len(name) && isPathByte(name[n]) {
			n++
		}
		if quote, err := strconv.QuotedPrefix(name); n == 0 && err == nil { // a tag
			text.WriteString(quote)
			name = name[len(quote):]
			continue
		}
		if n == 0 {
			text.WriteByte(name[0])
			name = name[1:]
			continue
		}
		word := name[:n]
		name = name[n:]
		for strings.HasPrefix(word, "...") {
			text.WriteString("...")
			word = word[3:]
		}
		dot := strings.LastIndexByte(word, '.')
		if dot < 0 {
			text.WriteString(word)
			continue
		}
		path, base := word[:dot], word[dot+1:]
		l.member(path, base, called)
		if path == f.pkg.path {
			text.WriteString(base)
			continue
		}
		alias := fmt.Sprintf("import_%d", len(aliases))
		aliases[alias] = "static·" + path
		f.useImport("static·"+path, &ast.ImportSpec{Path: &ast.BasicLit{Kind: token.STRING, Value: fmt.Sprintf("%q", path)}})
		text.WriteString(alias + "." + base)
	}
	e, err := parser.ParseExpr(text.String())
	if err != nil {
		return nil, err
	}
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			id.NamePos = token.NoPos
			if alias := aliases[id.Name]; alias != "" {
				id.Name = alias
			}
		}
		return true
	})
	return e, nil
}

// isPathByte reports whether a byte can be in an import path or a name.
func isPathByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80 || strings.IndexByte("_./-~+%@", c) >= 0
}

// followStatics follows the arguments of the qd.Static that were met, with what they use,
// so that the type checker's errors in them are told from those of the kernels.
func (w *typedWalk) followStatics(bodies bool) {
	reached, excused := w.reached, w.excused
	for len(w.statics) > 0 {
		call := w.statics[0]
		w.statics = w.statics[1:]
		s, arg := w.prog.statics[call.Pos()], call.Args[0]
		if s == nil {
			continue
		}
		w.reached, w.unavailable = nil, nil
		w.follow(arg, bodies)
		w.drain()
		t := w.prog.Info.TypeOf(arg)
		within := func(at unavailable) bool { return arg.Pos() <= at.pos && at.pos < arg.End() }
		if len(w.unavailable) > 0 && (slices.ContainsFunc(w.unavailable, within) || invalid(t)) {
			s.Foreign, s.Missing, s.Untyped = true, w.unavailable[0].path, invalid(t)
			w.foreign = w.foreign || s.Untyped
			excused = append(excused, span{arg.Pos(), arg.End()})
		}
	}
	w.reached, w.excused = reached, excused
}

// unavailable is a use of a package that is not there.
type unavailable struct {
	pos  token.Pos
	path string
}

// isStaticCall reports whether a call is one of qd.Static.
func (w *typedWalk) isStaticCall(call *ast.CallExpr) bool {
	return isStaticCall(call, func(id *ast.Ident) bool {
		obj := w.prog.Info.Uses[id]
		return obj == nil || obj.Pkg() != nil && obj.Pkg().Path() == QDPath
	}, func(x *ast.Ident) bool {
		name, ok := w.prog.Info.Uses[x].(*types.PkgName)
		return ok && name.Imported().Path() == QDPath
	})
}
