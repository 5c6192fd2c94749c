package load

import (
	"cmp"
	"go/ast"
	"go/token"
	"slices"
	"sync"
)

// Init functions fill tables. A variable that nothing else changes has the value that they give it, and those can be
// computed who have them, with what they name, as far as it has to do with the variable.

// inits is what is known of the init functions of a package.
type inits struct {
	once         sync.Once
	only         map[*ast.FuncDecl]bool // see onlyInits
	called       sync.Once
	initializing map[*ast.FuncDecl]bool // see there
	funcs        []*initFunc            // those that are among the program's, in their order
	vars         []*Var                 // those that they may change, or that are computed with these
}

// Inits are the functions init of the variable's package that may change it, or another one that is loaded to be
// computed, in the order in which they run. A nil one cannot be run.
func (v *Var) Inits() (list []*Function) {
	for _, init := range v.pkg.inits.funcs {
		if slices.ContainsFunc(v.pkg.inits.vars, init.mayChange) {
			list = append(list, init.fn)
		}
	}
	return list
}

// An initFunc is an init function.
type initFunc struct {
	decl *decl
	fn   *Function              // nil if something is wrong with it
	runs map[*ast.FuncDecl]bool // what it may call, once that is known
}

// mayChange reports whether an init function may change a variable.
func (f *initFunc) mayChange(v *Var) bool {
	if f.runs == nil {
		f.runs = map[*ast.FuncDecl]bool{f.decl.fn: true}
		v.pkg.follow(f.decl, func(_ string, d *decl) bool {
			if d.fn != nil {
				f.runs[d.fn] = true
			}
			return true
		})
	}
	return slices.ContainsFunc(v.pkg.uses()[v.Obj.Name()], func(u varUse) bool {
		fn, ok := u.above[0].(*ast.FuncDecl)
		return (!ok || f.runs[fn]) && v.pkg.changes(u, v.Obj) != ""
	})
}

// computesFor reaches what a name in a declaration is computed with, if that is to be computed.
func computesFor(l *loader, d *decl, name Global) {
	if d.filled {
		fills(l, name)
	} else if d.computed {
		l.computes(name)
	}
}

// fills reaches what a variable's initial value is computed with, and the init functions that may change it. Of a
// function that is run for that, it reaches what that needs.
func fills(l *loader, v Global) {
	p := l.load(v.Pkg)
	if p == nil || p.given.HostOnly {
		return
	}
	fill := func(d *decl) {
		d.filled, d.computed, d.level = true, true, called
		l.queue = append(l.queue, d)
	}
	for _, d := range p.decls[v.Name] {
		if _, isVar := d.spec.(*ast.ValueSpec); !isVar && d.fn == nil || d.filled {
			continue
		}
		fill(d)
		if d.fn != nil {
			continue
		}
		for _, init := range p.decls["init"] {
			if !init.filled && p.leadsTo(init, v.Name) {
				fill(init)
			}
		}
	}
}

// leadsTo reports whether a declaration names another one, or a function or variable that does, and so on.
func (p *sourcePackage) leadsTo(d *decl, name string) (found bool) {
	p.follow(d, func(id string, _ *decl) bool {
		found = found || id == name
		return !found
	})
	return found
}

// follow calls each for the names in a declaration and for what they mean, in what functions and variables of those
// names do too, and so on, until that returns false. Of a method all of its name are.
func (p *sourcePackage) follow(d *decl, each func(name string, d *decl) bool) {
	seen, stopped := map[*decl]bool{}, false
	var visit func(d *decl)
	visit = func(d *decl) {
		if seen[d] || stopped {
			return
		}
		seen[d] = true
		w, registered := &scopeWalker{}, registrations(d)
		name := func(id *ast.Ident) {
			if len(p.decls[id.Name]) == 0 || stopped || registered.contain(id.Pos()) {
				return
			}
			for _, next := range p.decls[id.Name] {
				stopped = stopped || !each(id.Name, next)
				visit(next)
			}
		}
		w.free, w.key = name, name
		w.selected = func(sel *ast.Ident) {
			for _, methods := range p.methods {
				for _, m := range methods {
					if m.fn.Name.Name == sel.Name {
						stopped = stopped || !each("", m)
						visit(m)
					}
				}
			}
		}
		w.qualified = func(x, sel *ast.Ident) {
			name(x)
			w.selected(sel)
		}
		if d.fn != nil {
			w.funcDecl(d.fn, true)
		} else if spec, ok := d.spec.(*ast.ValueSpec); ok {
			w.exprs(spec.Values)
		}
	}
	visit(d)
}

// registrations are the addresses in a declaration that are given to qdreg.Vars, which lets the program tell what
// variables hold, and changes none.
func registrations(d *decl) (addresses spans) {
	file := d.file.syntax
	if d.fn == nil || !slices.ContainsFunc(file.Imports, func(spec *ast.ImportSpec) bool { return importPath(spec) == regPath }) {
		return nil
	}
	ast.Inspect(d.fn, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || !callsNamed(call, file, regPath, "Vars") || len(call.Args) != 2 {
			return true
		}
		vars, _ := call.Args[1].(*ast.CompositeLit)
		for i := 0; vars != nil && i < len(vars.Elts); i++ {
			pair, _ := vars.Elts[i].(*ast.KeyValueExpr)
			if pair == nil {
				continue
			}
			if address, ok := pair.Value.(*ast.UnaryExpr); ok && address.Op == token.AND {
				if _, ok := address.X.(*ast.Ident); ok {
					addresses = append(addresses, span{address.Pos(), address.End()})
				}
			}
		}
		return true
	})
	return addresses.merge()
}

// regPath is the import path of the package that generated files call.
const regPath = QDPath + "/qdreg"

// callsNamed reports whether a call names a function of a package that a file imports.
func callsNamed(call *ast.CallExpr, file *ast.File, path, name string) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != name || file == nil {
		return false
	}
	pkg, ok := sel.X.(*ast.Ident)
	return ok && slices.ContainsFunc(file.Imports, func(spec *ast.ImportSpec) bool {
		as := conventionalName(path)
		if spec.Name != nil {
			as = spec.Name.Name
		}
		return importPath(spec) == path && pkg.Name == as
	})
}

// ChangedInitializing reports whether the variable may be changed by what other variables are initialized with.
func (v *Var) ChangedInitializing() bool {
	initializing := v.pkg.initializing()
	return slices.ContainsFunc(v.pkg.uses()[v.Obj.Name()], func(u varUse) bool {
		fn, ok := u.above[0].(*ast.FuncDecl)
		return (!ok || initializing[fn]) && v.pkg.changes(u, v.Obj) != ""
	})
}

// initializing are the functions that may be called while the package's variables get their initial values.
func (p *sourcePackage) initializing() map[*ast.FuncDecl]bool {
	p.inits.called.Do(func() {
		p.inits.initializing = make(map[*ast.FuncDecl]bool)
		for _, f := range p.files {
			for _, d := range f.decls {
				if _, ok := d.spec.(*ast.ValueSpec); !ok {
					continue
				}
				p.follow(d, func(_ string, reached *decl) bool {
					if reached.fn != nil {
						p.inits.initializing[reached.fn] = true
					}
					return true
				})
			}
		}
	})
	return p.inits.initializing
}

// onlyInits are the functions that run only while the package is initialized: its init functions, and those that are
// called by these and by nothing else, nor used in another way.
func (p *sourcePackage) onlyInits() map[*ast.FuncDecl]bool {
	p.inits.once.Do(func() {
		only, names := make(map[*ast.FuncDecl]bool), make(map[string]bool)
		for name, ds := range p.decls {
			for _, d := range ds {
				if d.fn == nil || d.fn.Body == nil || d.fn.Recv != nil || ast.IsExported(name) || name == "main" || name == "_" || p.isLinkname(name) {
					continue
				}
				if name != "init" && len(ds) > 1 {
					continue
				}
				only[d.fn], names[name] = true, true
			}
		}
		delete(names, "init") // nothing can name it
		uses := p.usesOf(names)
		for again := true; again; {
			again = false
			for fn := range only {
				if fn.Name.Name == "init" {
					continue
				}
				calls := uses[fn.Name.Name]
				if len(calls) == 0 || slices.ContainsFunc(calls, func(u varUse) bool { return !callsWithin(u, only) }) {
					delete(only, fn)
					again = true
				}
			}
		}
		p.inits.only = only
	})
	return p.inits.only
}

// callsWithin reports whether a use of a function calls it, in one of some functions.
func callsWithin(u varUse, funcs map[*ast.FuncDecl]bool) bool {
	by, ok := u.above[0].(*ast.FuncDecl)
	if !ok || !funcs[by] || withinLiteral(u) {
		return false
	}
	call, ok := u.above[len(u.above)-1].(*ast.CallExpr)
	if !ok || call.Fun != ast.Expr(u.id) {
		return false
	}
	return !slices.ContainsFunc(u.above, func(n ast.Node) bool {
		_, isGo := n.(*ast.GoStmt)
		return isGo
	})
}

// withinLiteral reports whether a use is in a function literal, which may run at any time.
func withinLiteral(u varUse) bool {
	return slices.ContainsFunc(u.above, func(n ast.Node) bool {
		_, ok := n.(*ast.FuncLit)
		return ok
	})
}

// turn tells the files of a package apart whose order is not that of their names, in which the go command gives them to
// the compiler: tests come after the others, and what cgo makes of files comes last.
func (f *sourceFile) turn() int {
	switch {
	case slices.ContainsFunc(f.syntax.Imports, func(spec *ast.ImportSpec) bool { return importPath(spec) == "C" }):
		return 2
	case isTest(f.Name):
		return 1
	}
	return 0
}

// listInits lists the init functions of a package that are to be run, with the functions that they call.
func listInits(w *typedWalk, p *sourcePackage) {
	var list []*decl
	for _, d := range p.decls["init"] {
		if d.filled {
			list = append(list, d)
		}
	}
	slices.SortStableFunc(list, func(a, b *decl) int {
		return cmp.Or(cmp.Compare(a.file.turn(), b.file.turn()), cmp.Compare(baseName(a.file.Name), baseName(b.file.Name)))
	})
	for _, d := range list {
		reached := w.reached
		w.reached = nil
		w.visit(place{decl: d, body: true})
		w.drain()
		w.reached = reached
		f := w.function(d)
		if f.Obj == nil || w.wrongIn(d.fn) || w.quietIn(d.fn) {
			f = nil
		}
		p.inits.funcs = append(p.inits.funcs, &initFunc{decl: d, fn: f})
	}
}
