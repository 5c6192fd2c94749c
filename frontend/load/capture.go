package load

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"go/version"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// A kernel that is a function literal captures variables of the functions around it, by
// value and when its handle is made: qd.NewKernel(func..., qd.Capture("c", c)). What the
// literal itself sees when it runs as Go are the variables. Both are the same as long as
// nothing is assigned to them after their declaration, and what is named c is c.

// A use is the first place where a literal names a variable.
type use struct {
	v  *types.Var
	id *ast.Ident
}

// captured are the variables that a literal captures, in the order of their first uses. Those
// that were declared for it have its position.
func (w *typedWalk) captured(lit *ast.FuncLit) (list []use) {
	seen := make(map[*types.Var]bool)
	ast.Inspect(lit, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := w.prog.Info.Uses[id].(*types.Var)
		if ok && !v.IsField() && !seen[v] && !isPackageLevel(v) && v.Parent() != types.Universe && (v.Pos() <= lit.Pos() || v.Pos() >= lit.End()) {
			seen[v] = true
			list = append(list, use{v, id})
		}
		return true
	})
	return list
}

// FormatCaptures lists the variables that a function literal captures, with their types as package reflect
// knows them, for [Ref]: a line for each. It also gives the names, in the order of the lines.
func FormatCaptures(types map[string]string) (text string, names []string) {
	names = slices.Collect(maps.Keys(types))
	sort.Strings(names)
	lines := make([]string, len(names))
	for i, name := range names {
		lines[i] = name + " " + types[name]
	}
	return strings.Join(lines, "\n"), names
}

// parseCaptures undoes FormatCaptures.
func parseCaptures(text string) map[string]string {
	types := make(map[string]string)
	for line := range strings.Lines(text) {
		name, typ, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		types[name] = typ
	}
	return types
}

// captures are the types of what a literal captures, by name, as far as whoever asks for it knows them.
func (l *loader) captures(r Ref, value bool) map[string]string {
	if value {
		return parseCaptures(r.Captures)
	}
	return l.also.Captures
}

// maker is the function of package qd that gives the literal of a root what it captures.
func (r root) maker() string {
	if r.value {
		return "qd.NewFunc"
	}
	return "qd.NewKernel"
}

// checkCaptures reports what is wrong with what a literal captures that is a kernel, or a value for one.
func (w *typedWalk) checkCaptures(r root, f *Function) {
	d, what := r.decl, r.what()
	given := w.captures(r.ref, r.value)
	symbolic := w.also.Symbolic && !r.value
	list := w.captured(d.lit)
	names := make(map[string]bool)
	var unseen []string // variables whose qd.Capture is not beside the literal
	b := newBindings(d.file, d.literal, r.maker())
	written, isWritten := b.captures()
	for _, u := range list {
		name := u.v.Name()
		names[name] = true
		typ, isGiven := given[name]
		switch {
		case !isGiven && (!symbolic || isWritten && !written[name]):
			instead := "pass it as an argument"
			if r.value {
				instead = "make the function a method of a struct that holds it"
			}
			w.report(u.id.Pos(), u.id.End(), "name it where the "+what+" is made: "+r.maker()+"(func..., qd.Capture("+strconv.Quote(name)+", "+name+")), or "+instead,
				"the %s captures %s, which is declared in the function around it, without naming it", what, name)
			continue
		case invalid(u.v.Type()):
			w.untypedCapture = true
			continue
		case isGiven && !w.sameType(f, u.v.Type(), typ):
			instead := "write qd.Capture(" + strconv.Quote(name) + ", " + name + ")"
			if types.IsInterface(u.v.Type()) {
				instead = "give " + name + " a concrete type: interfaces are not captured"
			}
			w.report(u.id.Pos(), u.id.End(), instead,
				"the %s captures %s as a value of type %s, but it has type %s", what, name, typ, TypeName(u.v.Type()))
			continue
		}
		if id := changedIn(d.lit, u.v, w.prog.Info, d.file.pkg); r.value && id != nil {
			w.report(id.Pos(), id.End(), "what a function captures is a constant: copy it to a variable of the function's own, or give the function a parameter",
				"the function changes %s, which it captures", name)
			continue
		}
		if at := b.assigned(u.v, u.id); at.IsValid() {
			w.report(u.id.Pos(), u.id.End(), "capture a copy: "+name+" := "+name+" in front of the "+what,
				"the %s captures %s, which is assigned at %s:%d after its declaration", what, name, at.Filename, at.Line)
		}
		if arg := b.mistaken(u.v, u.id); arg != nil {
			w.report(d.lit.Pos(), d.lit.Type.End(), "write qd.Capture("+strconv.Quote(name)+", "+name+")",
				"qd.Capture(%q, %s) does not capture %s: on device go the %s sees the variable", name, types.ExprString(arg), name, what)
		} else if !b.named(u.v, u.id) {
			unseen = append(unseen, name)
		}
	}
	if len(unseen) > 0 {
		w.report(d.lit.Pos(), d.lit.Type.End(), "write the function literal and "+captureCalls(unseen)+" as arguments of one call of "+r.maker(),
			"whether qd.Capture(%q) gives the value of %[1]s cannot be seen", unseen[0])
	}
	named := slices.Collect(maps.Keys(given))
	if symbolic && isWritten {
		named = slices.Collect(maps.Keys(written))
	}
	sort.Strings(named)
	for _, name := range named {
		if names[name] {
			continue
		}
		hint, why := "remove it, or name a variable that the "+what+" uses and that the function around it declares", ""
		for _, other := range d.file.pkg.decls[name] {
			if other.fn == nil && other.group.Tok == token.VAR {
				hint, why = "remove it: its value at the launch is known", ": it is a package variable, which kernels read by themselves"
			}
		}
		w.report(d.lit.Pos(), d.lit.Type.End(), hint, "qd.Capture(%q) names no variable that the %s captures%s", name, what, why)
	}
}

// captureCalls are calls of qd.Capture for variables, as the user writes them.
func captureCalls(names []string) string {
	calls := make([]string, len(names))
	for i, name := range names {
		calls[i] = "qd.Capture(" + strconv.Quote(name) + ", " + name + ")"
	}
	return strings.Join(calls, ", ")
}

// changedIn is where a literal assigns to a variable that it captures, or takes its address; nil if it does not.
func changedIn(lit *ast.FuncLit, v *types.Var, info *types.Info, pkg *sourcePackage) (found *ast.Ident) {
	inspectPath(lit, func(n ast.Node, above []ast.Node) {
		id, ok := n.(*ast.Ident)
		if !ok || info.Uses[id] != v || found != nil {
			return
		}
		switch pkg.changes(varUse{id: id, above: above}, v) {
		case isAssigned, hasAddressTaken:
			found = id
		}
	})
	return found
}

// sameType reports whether a captured variable's type is the one that package reflect
// names.
func (w *typedWalk) sameType(f *Function, t types.Type, name string) bool {
	if f.Outer != nil {
		args := make(map[*types.TypeParam]types.Type)
		for i, arg := range f.TypeArgs {
			args[f.Outer.At(i)] = arg
		}
		t = replaced(t, args)
	}
	return TypeName(t) == name || mentionsParam(t)
}

// A bindings tells what the identifiers of a declaration mean, by the scopes of its file:
// also in what the type checker does not see.
type bindings struct {
	file    *sourceFile
	old     bool // a loop of the file has one variable for all turns, as before Go 1.22
	around  ast.Node
	literal ast.Node        // what the literal stands in, or nil
	maker   *ast.CallExpr   // the call of qd.NewKernel or qd.NewFunc that has it as its first argument, or nil
	qd      map[string]bool // as [qdNames] gives them
	base    int             // offset of positions against those of the program
	lit     int             // position of the literal
	fset    *token.FileSet
	at      map[token.Pos]*ast.Ident
}

// newBindings parses the file of a literal once more. What the literal captures is named in a call of a function of
// package qd, maker.
func newBindings(f *sourceFile, k *kernelLiteral, maker string) *bindings {
	b := &bindings{file: f, lit: int(k.lit.Pos()), fset: token.NewFileSet(), at: make(map[token.Pos]*ast.Ident)}
	syntax, _ := parser.ParseFile(b.fset, f.Name, f.Src, 0)
	if syntax == nil {
		return b
	}
	b.old = syntax.GoVersion != "" && version.Compare(syntax.GoVersion, "go1.22") < 0
	b.qd = qdNames(syntax)
	b.base = f.tok.Base() - b.fset.File(syntax.FileStart).Base()
	for _, d := range syntax.Decls {
		if b.base+int(d.Pos()) == int(k.above[0].Pos()) {
			b.around = d
		}
	}
	if b.around == nil {
		return b
	}
	inspectPath(b.around, func(n ast.Node, above []ast.Node) {
		switch n := n.(type) {
		case *ast.Ident:
			b.at[n.Pos()] = n
		case *ast.FuncLit:
			if b.base+int(n.Pos()) == int(k.lit.Pos()) && len(above) > 0 {
				b.literal = parent(above)
			}
		}
	})
	if call, ok := b.literal.(*ast.CallExpr); ok && b.calls(call, strings.TrimPrefix(maker, "qd.")) {
		if lit, ok := ast.Unparen(call.Args[0]).(*ast.FuncLit); ok && b.base+int(lit.Pos()) == b.lit {
			b.maker = call
		}
	}
	return b
}

// calls reports whether a call that has arguments is one of a function of package qd.
func (b *bindings) calls(call *ast.CallExpr, name string) bool {
	return len(call.Args) > 0 && name == calledOfQD(call,
		func(id *ast.Ident) bool { return id.Obj == nil && b.qd["."] },
		func(x *ast.Ident) bool { return x.Obj == nil && b.qd[x.Name] })
}

// parent is what a piece of syntax stands in, but for parentheses.
func parent(above []ast.Node) ast.Node {
	for i := len(above) - 1; i >= 0; i-- {
		if _, ok := above[i].(*ast.ParenExpr); !ok {
			return above[i]
		}
	}
	return nil
}

// declaredAt is where what an identifier of the program means is declared.
func (b *bindings) declaredAt(id *ast.Ident) token.Pos {
	return declaredAt(b.at[id.Pos()-token.Pos(b.base)])
}

// declaredAt is where what an identifier means is declared, as far as its file tells.
func declaredAt(id *ast.Ident) token.Pos {
	if id == nil || id.Obj == nil {
		return token.NoPos
	}
	return id.Obj.Pos()
}

// assigned is where a variable is assigned after its declaration, outside of the literal, or has
// its address taken: that may be so. The loop that declares it may count it on.
func (b *bindings) assigned(v *types.Var, id *ast.Ident) (at token.Position) {
	decl := b.declaredAt(id)
	if !decl.IsValid() || b.around == nil {
		return at
	}
	inspectPath(b.around, func(n ast.Node, above []ast.Node) {
		if b.assigns(n, above, decl) && !at.IsValid() {
			at = b.fset.PositionFor(n.Pos(), false)
		}
		other, ok := n.(*ast.Ident)
		if !ok || declaredAt(other) != decl || other.Pos() == decl || at.IsValid() || len(above) == 0 {
			return
		}
		for i, n := range above {
			if b.base+int(n.Pos()) == b.lit {
				return // for those who lower it
			}
			if loop, ok := n.(*ast.ForStmt); ok && i+1 < len(above) && above[i+1] == loop.Post && loop.Init != nil &&
				loop.Init.Pos() <= decl && decl < loop.Init.End() {
				return
			}
		}
		switch b.file.pkg.changes(varUse{id: other, above: above}, v) {
		case isAssigned, hasAddressTaken:
			at = b.fset.PositionFor(other.Pos(), false)
		}
	})
	return at
}

// assigns reports whether a statement assigns to a variable that it does not name: a return to a named result, and a
// loop to its variable where that is one for all turns.
func (b *bindings) assigns(n ast.Node, above []ast.Node, decl token.Pos) bool {
	within := func(n ast.Node) bool { return n != nil && n.Pos() <= decl && decl < n.End() }
	switch n := n.(type) {
	case *ast.ReturnStmt:
		for i := len(above) - 1; i >= 0 && len(n.Results) > 0; i-- {
			switch f := above[i].(type) {
			case *ast.FuncLit:
				return f.Type.Results != nil && within(f.Type.Results)
			case *ast.FuncDecl:
				return f.Type.Results != nil && within(f.Type.Results)
			}
		}
	case *ast.ForStmt:
		return b.old && n.Init != nil && within(n.Init)
	case *ast.RangeStmt:
		return b.old && n.Tok == token.DEFINE && (n.Key != nil && within(n.Key) || n.Value != nil && within(n.Value))
	}
	return false
}

// captures are the names that the call which makes the kernel has for what the literal
// captures, as far as they stand in that call. A literal that is launched captures nothing.
func (b *bindings) captures() (names map[string]bool, ok bool) {
	names = make(map[string]bool)
	if b.maker == nil {
		return names, b.isLaunched()
	}
	for _, arg := range b.maker.Args[1:] {
		name, _ := b.captureCall(arg)
		if name == "" {
			return nil, false
		}
		names[name] = true
	}
	return names, true
}

// isLaunched reports whether the literal is an argument of a launch.
func (b *bindings) isLaunched() bool {
	call, ok := b.literal.(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	return ok && (sel.Sel.Name == "Launch" || sel.Sel.Name == "Run")
}

// captureCall is what a call qd.Capture("name", value) has; "" for anything else.
func (b *bindings) captureCall(e ast.Expr) (name string, value ast.Expr) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(call.Args) != 2 || !b.calls(call, "Capture") {
		return "", nil
	}
	lit, ok := call.Args[0].(*ast.BasicLit)
	if !ok {
		return "", nil
	}
	name, _ = strconv.Unquote(lit.Value)
	return name, call.Args[1]
}

// named reports whether a qd.Capture of the variable, and of no other, is an argument of the call that makes the kernel
// or the value of the literal. Who makes either of a literal in a variable or of a function's result may name another
// value.
func (b *bindings) named(v *types.Var, id *ast.Ident) bool {
	if b.maker == nil || b.mistaken(v, id) != nil {
		return false
	}
	return slices.ContainsFunc(b.maker.Args, func(arg ast.Expr) bool {
		name, _ := b.captureCall(arg)
		return name == v.Name()
	})
}

// mistaken is the value of a qd.Capture that has the name of a variable and is not that
// variable, where the literal is an argument of the same call; nil if there is none.
func (b *bindings) mistaken(v *types.Var, id *ast.Ident) ast.Expr {
	if b.maker == nil {
		return nil
	}
	for _, arg := range b.maker.Args {
		name, value := b.captureCall(arg)
		if name != v.Name() {
			continue
		}
		if same, ok := ast.Unparen(value).(*ast.Ident); !ok || declaredAt(same) != b.declaredAt(id) {
			return value
		}
	}
	return nil
}
