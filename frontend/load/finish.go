package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"sort"

	"github.com/qdgen/qd/frontend/diag"
)

// finish follows what the kernels reach once more, now that identifiers have
// meanings: by syntax every method of a selected name was reached. It fills in the
// program and reports the errors in what is reached.
func (l *loader) finish(roots []root, also Also) {
	w := &typedWalk{
		loader:    l,
		places:    make(map[token.Pos]place),
		visited:   make(map[place]bool),
		functions: make(map[*decl]*Function),
		callers:   make(map[*decl]caller),
	}
	l.callsTo = func(pos token.Pos) string { return callsTo(w, pos) }
	for _, p := range l.order {
		for _, f := range p.files {
			for _, d := range f.decls {
				w.enter(d)
			}
		}
	}
	for _, r := range roots {
		d := r.decl
		if d.fn.Body == nil {
			l.report(d.fn.Name.Pos(), d.fn.Name.End(), writeItOr(d.file.pkg.given, d.fn.Name.Name), "%s %s has no body in Go", r.what(), d.fn.Name.Name)
			l.prog.reported[r.ref] = true
			continue
		}
		w.visit(place{decl: d, body: true})
		if r.value {
			w.value(r)
		} else {
			l.prog.Kernels = append(l.prog.Kernels, w.kernel(r))
		}
	}
	w.drain()
	loud := maps.Clone(l.prog.Funcs)
	untyped := w.untyped
	l.quiet = true
	w.followStatics(also.Statics)
	l.quiet = false
	w.untyped = untyped
	l.prog.Incomplete = w.foreign
	w.judge()
	l.quiet = true
	w.listVars()
	followTexts(w)
	w.dropWrong(loud)
	l.quiet = false
	l.nameTargets()
	l.listPackages()
}

// followTexts visits the methods of reached types with which values say what they are, if a kernel may panic with one.
// What is wrong in them is no error: then the text is not known.
func followTexts(w *typedWalk) {
	if !w.texts {
		return
	}
	for _, name := range textMethods {
		for _, m := range w.methods[name] {
			if m.level == called && m.fn.Body != nil {
				w.visit(place{decl: m, body: true})
			}
		}
	}
	w.drain()
}

// typedWalk is the state of finish.
type typedWalk struct {
	*loader
	places    map[token.Pos]place // by the position of the name
	visited   map[place]bool
	queue     []place
	functions map[*decl]*Function
	reached   spans // syntax whose errors are the kernels' errors
	excused   spans // syntax that is already reported as a whole
	callers   map[*decl]caller
	at        *decl      // whose syntax is being followed
	untyped   *ast.Ident // the first use of something without a type

	statics     []*ast.CallExpr // of qd.Static, whose arguments have not been followed
	unavailable []unavailable   // packages that were met
	foreign     bool            // an argument of qd.Static has no type, because of such a package
}

// place is what an identifier means at package level: a function, with or
// without its body, or one line of a declaration.
type place struct {
	decl *decl
	spec ast.Spec // nil for a function
	body bool
}

// enter makes a declaration known by its names.
func (w *typedWalk) enter(d *decl) {
	if d.level == unreached {
		return
	}
	if d.fn != nil {
		w.places[d.fn.Name.Pos()] = place{decl: d}
		return
	}
	for _, spec := range d.specs() {
		for _, id := range specNames(spec) {
			w.places[id.Pos()] = place{decl: d, spec: spec}
		}
	}
}

// drain walks what is reached until nothing is new.
func (w *typedWalk) drain() {
	for len(w.queue) > 0 {
		p := w.queue[len(w.queue)-1]
		w.queue = w.queue[:len(w.queue)-1]
		w.walk(p)
	}
}

func (w *typedWalk) visit(p place) {
	if !w.visited[p] {
		w.visited[p] = true
		w.queue = append(w.queue, p)
	}
}

// walk follows what a declaration uses, and says where in it errors count.
func (w *typedWalk) walk(p place) {
	w.at = p.decl
	switch spec := p.spec.(type) {
	case nil:
		fn := p.decl.fn
		if !p.body {
			w.follow(fn.Type, false)
			return
		}
		if p.decl.lit != nil {
			w.follow(p.decl.lit, true)
		} else {
			w.follow(fn, true)
		}
		if f := w.function(p.decl); f.Obj != nil {
			w.prog.Funcs[f.Obj] = f
		}
		visitCompanions(w, p.decl)
		if len(p.decl.file.errs) > 0 {
			w.reportSyntax(p.decl.file) // the body may be a part of what was written
		}
	case *ast.TypeSpec:
		w.follow(spec, false)
	case *ast.ValueSpec:
		// What a variable is initialized with is run by Go before any launch. It
		// matters to a kernel only if the variable has its type from there and gets none.
		if p.decl.group.Tok == token.VAR && w.typed(spec) {
			if spec.Type != nil {
				w.follow(spec.Type, false)
			}
			return
		}
		if p.decl.group.Tok == token.VAR && w.foreignVar(spec) {
			return
		}
		w.follow(spec, false)
	}
}

// typed reports whether every name of a declaration got a type.
func (w *typedWalk) typed(spec *ast.ValueSpec) bool {
	for _, id := range spec.Names {
		if obj := w.prog.Info.Defs[id]; id.Name != "_" && (obj == nil || Invalid(obj.Type())) {
			return false
		}
	}
	return true
}

// invalid reports whether there is no type, or one that is declared as none.
func invalid(t types.Type) bool { return t == nil || t.Underlying() == types.Typ[types.Invalid] }

// function is the program's view of a function. Its Obj is nil if there is
// something so wrong with the declaration that the type checker left it out.
func (w *typedWalk) function(d *decl) *Function {
	f := w.functions[d]
	if f == nil && d.lit != nil {
		f = w.literal(d)
		w.prog.simplify(f)
		w.functions[d] = f
	}
	if f == nil {
		obj, _ := w.prog.Info.Defs[d.fn.Name].(*types.Func)
		f = &Function{Obj: obj, Decl: d.fn, Pkg: d.file.pkg.types, File: d.file.File, Info: w.prog.Info}
		w.prog.simplify(f)
		w.functions[d] = f
	}
	return f
}

// follow visits everything that syntax uses, whose errors count from here on.
// The bodies of functions matter where they may be called.
func (w *typedWalk) follow(n ast.Node, call bool) {
	w.reached = append(w.reached, span{n.Pos(), n.End()})
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if w.isStaticCall(n) {
				w.statics = append(w.statics, n)
				ast.Inspect(n.Fun, visit)
				return false
			}
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok {
				if pkg, ok := w.prog.Info.Uses[x].(*types.PkgName); ok {
					w.checkAvailable(n, pkg.Imported())
				}
			}
		case *ast.Ident:
			obj := w.prog.Info.Uses[n]
			if _, method := obj.(*types.Func); method || obj != nil && obj.Pkg() != nil { // that of error has no package
				w.use(n, obj, call)
			}
		}
		return true
	}
	ast.Inspect(n, visit)
}

// use visits what an identifier means.
func (w *typedWalk) use(id *ast.Ident, obj types.Object, call bool) {
	switch obj := obj.(type) {
	case *types.PkgName, *types.Label, *types.Builtin:
		return // they have no type
	case *types.Func:
		if recv := obj.Signature().Recv(); call && recv != nil && types.IsInterface(recv.Type()) {
			// A method of a type parameter: it is some type's method of that name.
			// Which one, is for lowering to know, one instance at a time.
			for _, m := range w.methods[obj.Name()] {
				if m.level == called && m.fn.Body != nil {
					w.visit(place{decl: m, body: true})
				}
			}
			return
		}
	}
	if invalid(obj.Type()) && w.untyped == nil {
		w.untyped = id
	}
	// Methods of instantiated types have the position of the generic one.
	p, ok := w.places[obj.Pos()]
	if !ok {
		return // a local, a field, or of a library
	}
	if p.decl.fn != nil && call && p.decl.fn.Body != nil && !p.decl.onHost() {
		if p.decl.level != called {
			panic("BUG: load: the walk by syntax missed a call of " + id.Name)
		}
		p.body = true
	}
	if _, ok := w.callers[p.decl]; !ok && p.decl != w.at && p.decl.fn != nil {
		w.callers[p.decl] = caller{w.at, id}
	}
	w.visit(p)
}

// A caller is where a function is first named.
type caller struct {
	by *decl
	at *ast.Ident
}

// callsTo are the calls that lead from a kernel to a place in another package.
func callsTo(w *typedWalk, pos token.Pos) string {
	var calls []diag.Call
	var in *decl
	for d := range w.callers {
		if d.fn.Pos() <= pos && pos < d.fn.End() {
			in = d
		}
	}
	for in != nil {
		from, ok := w.callers[in]
		if !ok || len(calls) > 100 {
			break
		}
		name := FuncName(in.fn)
		if in.file.pkg != from.by.file.pkg {
			name = in.file.pkg.name + "." + name
		}
		calls = append(calls, diag.Call{Pos: w.prog.Fset.PositionFor(from.at.Pos(), false), Name: name})
		in = from.by
	}
	slices.Reverse(calls)
	if len(calls) == 0 || filepath.Dir(calls[0].Pos.Filename) == filepath.Dir(w.prog.Fset.PositionFor(pos, false).Filename) {
		return ""
	}
	return diag.FormatCalls(calls)
}

// judge reports those type errors that concern the kernels.
func (w *typedWalk) judge() {
	w.reached, w.excused = w.reached.merge(), w.excused.merge()
	undefined := false
	for _, err := range w.errors {
		if w.concerns(err) {
			w.reportType(err)
			undefined = undefined || err.isUndeclared()
		}
	}
	if undefined {
		for _, p := range w.order {
			for _, f := range p.broken() {
				w.reportSyntax(f) // what is missing may be there
			}
		}
	}
	if w.problems.Len() > 0 {
		return
	}
	// Nothing without a type leaves this package, whatever the type checker
	// leaves unsaid.
	if id := w.untyped; id != nil && !w.foreign {
		w.report(id.Pos(), id.End(), "", "the type of %s cannot be determined", id.Name)
	}
	for _, k := range w.prog.Kernels {
		if k.Obj == nil {
			w.report(k.Decl.Name.Pos(), k.Decl.Name.End(), "", "%s cannot be type-checked", k.Decl.Name.Name)
		}
	}
}

// concerns reports whether an error is in what the kernels reach, or about it.
func (w *typedWalk) concerns(err typeError) bool {
	if w.excused.contain(err.Pos) {
		return false
	}
	return w.reached.contain(err.Pos) ||
		slices.ContainsFunc(err.related, func(other types.Error) bool { return w.reached.contain(other.Pos) })
}

// listPackages lists the packages that the kernels have something from.
func (l *loader) listPackages() {
	for _, p := range l.order {
		if p.reached() {
			l.prog.Packages = append(l.prog.Packages, &Package{Path: p.path, Files: p.given.Files, Tests: p.given.Tests, Assembly: p.given.Assembly, Partial: p.given.Partial, HostOnly: p.given.HostOnly})
		}
	}
	packages := l.prog.Packages
	sort.Slice(packages, func(i, j int) bool { return packages[i].Path < packages[j].Path })
}

// span is a piece of source.
type span struct{ pos, end token.Pos }

type spans []span

// merge sorts spans and joins those that overlap, for contain.
func (s spans) merge() spans {
	sort.Slice(s, func(i, j int) bool { return s[i].pos < s[j].pos })
	var merged spans
	for _, sp := range s {
		if last := len(merged) - 1; last >= 0 && sp.pos <= merged[last].end {
			merged[last].end = max(merged[last].end, sp.end)
		} else {
			merged = append(merged, sp)
		}
	}
	return merged
}

// contain reports whether one of the merged spans contains pos; its end counts,
// because that is where something missing is reported.
func (s spans) contain(pos token.Pos) bool {
	i := sort.Search(len(s), func(i int) bool { return s[i].end >= pos })
	return i < len(s) && s[i].pos <= pos
}
