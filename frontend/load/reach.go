package load

import (
	"go/ast"
	"go/types"
)

// onHost reports whether a declaration has no body in kernels, because only the host can run it.
func (d *decl) onHost() bool {
	p := d.file.pkg.given
	return p.HostOnly || d.fn != nil && d.fn.Recv == nil && needsHost(p.Path, d.fn.Name.Name)
}

// reach raises how much of a declaration is reached.
func (l *loader) reach(d *decl, to level) {
	if d.onHost() {
		to = min(to, declared)
	}
	if d.level >= to {
		return
	}
	first := d.level == unreached
	d.level = to
	l.queue = append(l.queue, d)
	if d.fn != nil && d.lit == nil && to == called {
		for _, c := range d.file.pkg.companionsOf(d.fn) {
			l.reach(c.decl, called)
		}
	}

	spec, ok := d.spec.(*ast.TypeSpec)
	if !ok || !first {
		return
	}
	for _, m := range d.file.pkg.methods[spec.Name.Name] {
		name := m.fn.Name.Name
		l.methods[name] = append(l.methods[name], m)
		// The signature, because whether the type satisfies a constraint
		// depends on it.
		l.reach(m, listed)
		if l.selected[name] {
			l.reach(m, called)
		}
	}
}

// run walks what is reached until nothing is new.
func (l *loader) run() {
	for len(l.queue) > 0 {
		d := l.queue[len(l.queue)-1]
		l.queue = l.queue[:len(l.queue)-1]
		l.walk(d)
	}
}

// walk follows the names in a declaration, as far as it is reached.
func (l *loader) walk(d *decl) {
	f, to := d.file, declared
	if d.level == called && (d.fn != nil || d.computed) {
		to = called
	}
	w := scopeWalker{skipLits: to != called, lit: d.lit}
	// level is how much of a name is reached where the walker is.
	level := func() level {
		if w.inStatic > 0 && !l.also.Statics || (d.lit != nil || d.local != nil) && !w.inLit {
			return min(to, declared)
		}
		return to
	}
	w.static = func(call *ast.CallExpr) bool { return l.isStatic(f, &w, call) }
	w.free = func(id *ast.Ident) {
		l.use(f, id.Name, level())
		computesFor(l, d, Global{f.pkg.path, id.Name})
	}
	w.key = func(id *ast.Ident) {
		// A field's name, or a constant or variable that is a key. It is no
		// function: that cannot be a key.
		if ds := f.pkg.lookup(f, id.Name); len(ds) == 0 || ds[0].fn == nil {
			l.use(f, id.Name, declared)
		}
	}
	w.field = func(id *ast.Ident) { l.wish.methods[id.Name] = true } // of a constraint, maybe
	w.qualified = func(x, sel *ast.Ident) {
		if len(f.pkg.decls[x.Name]) == 0 {
			if d.level == listed {
				return
			}
			if spec := l.importNamed(f, x.Name); spec != nil {
				f.useImport(x.Name, spec)
				l.member(importPath(spec), sel.Name, level())
				computesFor(l, d, Global{importPath(spec), sel.Name})
				return
			}
		}
		l.use(f, x.Name, level())
		w.selected(sel)
	}
	w.selected = func(sel *ast.Ident) {
		l.wish.methods[sel.Name] = true
		if level() == called {
			l.selectName(sel.Name)
		}
	}
	if d.fn != nil {
		if to == called {
			l.size += int(d.fn.End() - d.fn.Pos())
			if panicsWithValue(d.fn) {
				l.selectTexts()
			}
		}
		w.funcDecl(d.fn, to == called)
		return
	}
	for _, spec := range d.specs() {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			w.typeSpec(spec)
		case *ast.ValueSpec:
			w.walk(spec.Type)
			w.exprs(spec.Values)
		}
	}
}

// computes reaches what a variable's initial value is computed with.
func (l *loader) computes(v Global) {
	p := l.load(v.Pkg)
	if p == nil {
		return
	}
	for _, d := range p.decls[v.Name] {
		if _, ok := d.spec.(*ast.ValueSpec); ok && !d.computed {
			d.computed, d.level = true, called
			l.queue = append(l.queue, d)
		}
	}
}

// use follows an identifier that a file uses without declaring it.
func (l *loader) use(f *sourceFile, name string, to level) {
	ds := f.pkg.lookup(f, name)
	for _, d := range ds {
		l.reach(d, to)
	}
	if len(ds) > 0 || types.Universe.Lookup(name) != nil {
		return
	}
	for _, spec := range f.syntax.Imports {
		if spec.Name != nil && spec.Name.Name == "." {
			f.useDot(spec)
			l.member(importPath(spec), name, to)
		}
	}
}

// member follows a name of another package.
func (l *loader) member(path, name string, to level) {
	if path == fmtPath && to == called {
		l.selectTexts()
	}
	if IsOwn(path) {
		l.loadOwn(path)
		l.wish.names[Global{path, name}] = true
		return
	}
	p := l.load(path)
	if p == nil {
		return
	}
	for _, d := range p.decls[name] {
		l.reach(d, to)
	}
}

// textMethods are the methods with which values say what they are.
var textMethods = [...]string{"Error", "String"}

// selectTexts follows the methods with which values say what they are.
func (l *loader) selectTexts() {
	l.texts = true
	for _, name := range textMethods {
		l.wish.methods[name] = true
		l.selectName(name)
	}
}

// panicsWithValue reports whether a function may panic with something that is no literal.
func panicsWithValue(fn *ast.FuncDecl) (found bool) {
	ast.Inspect(fn, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && len(call.Args) == 1 {
			id, ok := call.Fun.(*ast.Ident)
			_, literal := call.Args[0].(*ast.BasicLit)
			found = found || ok && id.Name == "panic" && !literal
		}
		return !found
	})
	return found
}

// selectName follows a selector: the methods of that name, whatever they are of.
func (l *loader) selectName(name string) {
	if l.selected[name] {
		return
	}
	l.selected[name] = true
	for _, m := range l.methods[name] {
		l.reach(m, called)
	}
}
