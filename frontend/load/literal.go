package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/qdgen/qd/internal/gort"
)

// A kernelLiteral is a function literal that has the shape of a kernel.
type kernelLiteral struct {
	lit   *ast.FuncLit
	file  *sourceFile
	above []ast.Node // from the package-level declaration that it stands in to its parent
}

// literalsAt finds the function literals that begin on a kernel's line and speak for a
// thread, a block or a grid; as values for kernels all literals count.
func (p *sourcePackage) literalsAt(k Ref, value bool) (found []kernelLiteral) {
	var likely []kernelLiteral
	for _, f := range p.files {
		if baseName(f.Name) != baseName(k.File) {
			continue
		}
		sure := gort.IsInstance(k.Name) && p.hasFile(k.File)
		for _, d := range f.syntax.Decls {
			if f.line(d.Pos()) > k.Line || f.line(d.End()) < k.Line || !sure && !mayHold(d, k.Name) {
				continue
			}
			inspectPath(d, func(n ast.Node, above []ast.Node) {
				lit, ok := n.(*ast.FuncLit)
				if !ok || f.line(lit.Pos()) != k.Line || k.Col != 0 && f.tok.PositionFor(lit.Pos(), false).Column != k.Col {
					return
				}
				switch {
				case value || hasKernelShape(lit.Type):
					found = append(found, kernelLiteral{lit, f, slices.Clone(above)})
				case mayHaveKernelShape(lit.Type) && p.mayBeAlias(lit.Type.Params.List[0].Type, d):
					likely = append(likely, kernelLiteral{lit, f, slices.Clone(above)})
				}
			})
		}
	}
	if len(found) == 0 {
		return likely
	}
	return found
}

// mayBeAlias reports whether a name of a type, in a declaration of the package, is that of an alias, or of a type of another
// package.
func (p *sourcePackage) mayBeAlias(typ ast.Expr, in ast.Decl) bool {
	name, ok := ast.Unparen(typ).(*ast.Ident)
	if !ok {
		return true
	}
	isAlias := func(spec ast.Spec) bool {
		t, ok := spec.(*ast.TypeSpec)
		return ok && t.Name.Name == name.Name && t.Assign.IsValid()
	}
	found := slices.ContainsFunc(p.decls[name.Name], func(d *decl) bool { return isAlias(d.spec) })
	ast.Inspect(in, func(n ast.Node) bool {
		spec, ok := n.(ast.Spec)
		found = found || ok && isAlias(spec)
		return !found
	})
	return found
}

// hasFile reports whether a file that the compiler has read is one of the package, and not one of the same name in
// another package.
func (p *sourcePackage) hasFile(name string) bool {
	dir := path.Dir(filepath.ToSlash(name))
	return dir == p.path || slices.ContainsFunc(p.files, func(f *sourceFile) bool { return path.Dir(filepath.ToSlash(f.Name)) == dir })
}

// LiteralLines are the lines of a kernel's file on which function literals are that have the shape of kernels, in the
// functions that may hold the kernel by its name, one after the other. Without source there are none.
func LiteralLines(src Sources, k Ref) (lines []int) {
	given, err := src.Package(k.Pkg)
	if err != nil || given == nil {
		return nil
	}
	for i := range given.Files {
		f := &sourceFile{File: &given.Files[i]}
		if baseName(f.Name) != baseName(k.File) {
			continue
		}
		f.parse(1, parseMode)
		for _, d := range f.syntax.Decls {
			if !mayHold(d, k.Name) {
				continue
			}
			ast.Inspect(d, func(n ast.Node) bool {
				if lit, ok := n.(*ast.FuncLit); ok && mayHaveKernelShape(lit.Type) {
					lines = append(lines, f.line(lit.Pos()))
				}
				return true
			})
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// mayHold reports whether a declaration may hold the literal with the name that the Go
// compiler gives it. Where a function of another package is inlined, its literal counts as one
// of this package, and may be on the line of another one in a file of the same name. Where a generic
// function is inlined into another one, the name of the literal may have only the other one's.
func mayHold(d ast.Decl, name string) bool {
	fn, ok := d.(*ast.FuncDecl)
	if !ok || name == "" {
		return true
	}
	path := strings.ReplaceAll("."+gort.WithoutTypes(name)+".", "-", ".")
	return strings.Contains(path, "."+fn.Name.Name+".")
}

// inspectPath visits syntax, each node with those that it stands in, outermost first.
func inspectPath(n ast.Node, visit func(n ast.Node, above []ast.Node)) {
	var above []ast.Node
	ast.Inspect(n, func(n ast.Node) bool {
		if n == nil {
			above = above[:len(above)-1]
			return true
		}
		visit(n, above)
		above = append(above, n)
		return true
	})
}

// hasKernelShape reports whether a function's first parameter is named like those of
// kernels.
func hasKernelShape(t *ast.FuncType) bool {
	name := placeType(t)
	return name != nil && (name.Name == "Thread" || name.Name == "Block" || name.Name == "Grid")
}

// mayHaveKernelShape reports whether a function's first parameter is of a type with a name that is declared somewhere,
// as an alias perhaps.
func mayHaveKernelShape(t *ast.FuncType) bool {
	name := placeType(t)
	return name != nil && types.Universe.Lookup(name.Name) == nil
}

// placeType is the name of the type of a function's first parameter, without its package; nil if that has none.
func placeType(t *ast.FuncType) *ast.Ident {
	if len(t.Params.List) == 0 {
		return nil
	}
	switch first := ast.Unparen(t.Params.List[0].Type).(type) {
	case *ast.Ident:
		return first
	case *ast.SelectorExpr:
		return first.Sel
	}
	return nil
}

// declare makes a package-level declaration of a literal. What the literal names of the
// functions around it is declared along with it.
func (l *loader) declare(k kernelLiteral, captures map[string]string) *decl {
	p := k.file.pkg
	base := k.name()
	name := base
	for n := 2; len(p.decls[name]) > 0; n++ {
		name = base + "_" + strconv.Itoa(n)
	}
	fn, lit := k.cutOut(name, l.captureTypes(k, captures))
	d := &decl{file: k.file, fn: fn, lit: lit, literal: &k}
	k.file.decls = append(k.file.decls, d)
	p.decls[name] = append(p.decls[name], d)
	return d
}

// name is a literal's name, by the declaration that it stands in and its number there:
// the Go compiler has another one for each copy that it inlines.
func (k kernelLiteral) name() string {
	base := FuncName(k.above[0].(ast.Decl))
	if group, ok := k.above[0].(*ast.GenDecl); ok && len(k.above) > 1 {
		if spec, ok := k.above[1].(*ast.ValueSpec); ok && group.Tok == token.VAR {
			base = spec.Names[0].Name
		}
	}
	number, found := 0, false
	ast.Inspect(k.above[0], func(n ast.Node) bool {
		if n, ok := n.(*ast.FuncLit); ok && !found {
			number++
			found = n == k.lit
		}
		return !found
	})
	return strings.ReplaceAll(base, ".", "_") + "_func" + strconv.Itoa(number)
}

// declaredLiteral matches the names that literals get.
var declaredLiteral = regexp.MustCompile(`_func[0-9]`)

// IsDeclaredLiteral reports whether a name is that of the declaration which stands for a function literal. A
// function that a programmer has given such a name counts too.
func IsDeclaredLiteral(name string) bool { return declaredLiteral.MatchString(name) }

// captureTypes are the types of variables that a literal captures, as far as they are to be
// declared for it.
func (l *loader) captureTypes(k kernelLiteral, captures map[string]string) map[string]ast.Expr {
	if !l.declareCaptures {
		return nil
	}
	typed := make(map[string]ast.Expr)
	names := slices.Collect(maps.Keys(captures))
	sort.Strings(names)
	for _, name := range names {
		if t, err := l.typeExpr(k.file, captures[name]); err == nil {
			typed[name] = t
		}
	}
	return typed
}

// kernelLiteral is the program's view of a kernel that is a literal.
func (w *typedWalk) kernelLiteral(r root, f *Function) *Function {
	if f.Obj == nil {
		return f
	}
	if f.Outer != nil {
		instance := *f
		instance.TypeArgs = w.outerArguments(r, f)
		f = &instance
	}
	w.checkCaptures(r, f)
	return f
}

// outerArguments finds the type arguments of the function around a literal, which the types of
// the literal's parameters and of what it captures tell. A type parameter that the literal
// does not mention may be anything.
func (w *typedWalk) outerArguments(r root, f *Function) []types.Type {
	args := make(map[*types.TypeParam]types.Type)
	var unknown error // about a type that is not found
	if list, err := w.resolveAll(r.ref.Params, f.Pkg); err != nil {
		unknown = err
	} else {
		for i, t := range list {
			if i < f.Obj.Signature().Params().Len() {
				unify(f.Obj.Signature().Params().At(i).Type(), t, args)
			}
		}
	}
	captures := w.captures(r.ref, r.value)
	for _, u := range w.captured(r.decl.lit) {
		if name := captures[u.v.Name()]; name != "" {
			if list, err := w.resolveAll(name, f.Pkg); err != nil {
				unknown = err
			} else if len(list) == 1 {
				unify(u.v.Type(), list[0], args)
			}
		}
	}
	list := make([]types.Type, f.Outer.Len())
	for i := range list {
		p := f.Outer.At(i)
		if list[i] = args[p]; list[i] != nil {
			continue
		}
		if list[i] = firstType(p.Constraint()); list[i] == nil || mentionsParam(list[i]) {
			list[i] = types.Typ[types.Int]
		}
		switch id := w.mentions(r.decl.lit, p); {
		case id == nil || w.also.Symbolic:
		case unknown != nil && r.ref.Params != "":
			w.report(id.Pos(), id.End(), "use types that are declared at package level",
				"type parameter %s of the function around the %s cannot be determined: %v", p.Obj().Name(), r.what(), unknown)
		default:
			w.report(id.Pos(), id.End(), "make it a generic "+r.what()+", or a method of a generic type",
				"the types of the %s's parameters do not determine type parameter %s of the function around the %[1]s", r.what(), p.Obj().Name())
		}
	}
	return list
}

// mentions is where a literal names a type parameter, nil if it does not.
func (w *typedWalk) mentions(lit *ast.FuncLit, p *types.TypeParam) (found *ast.Ident) {
	ast.Inspect(lit, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && found == nil && w.prog.Info.Uses[id] == p.Obj() {
			found = id
		}
		return found == nil
	})
	return found
}

// literalValue makes a literal known that is given to a kernel. One that captures variables is lowered where it
// is called, with the values that they have.
func (w *typedWalk) literalValue(r root, f *Function) {
	t := Target{Obj: f.Obj}
	if f.Outer != nil {
		t.TypeArgs = w.outerArguments(r, f)
	}
	if f.Outer != nil || len(w.captured(r.decl.lit)) > 0 {
		t.Lit, t.Src = r.decl.lit, f
	}
	// What the front end has evaluated itself is right. Of what the running program has, all that is captured is
	// named, or nothing: that is nobody's fault before the function is used.
	if r.ref.Col == 0 && r.ref.Captures != "" {
		w.checkCaptures(r, f)
	}
	w.prog.targets[r.ref] = t
}

// literal is the program's view of a literal that has been made a declaration.
func (w *typedWalk) literal(d *decl) *Function {
	f := &Function{
		Decl: &ast.FuncDecl{Name: d.fn.Name, Type: d.lit.Type, Body: d.lit.Body},
		Pkg:  d.file.pkg.types, File: d.file.File, Info: w.prog.Info,
	}
	sig, ok := w.prog.Info.TypeOf(d.lit).(*types.Signature)
	if !ok {
		return f
	}
	f.Obj = types.NewFunc(d.fn.Name.Pos(), f.Pkg, d.fn.Name.Name, sig)
	if outer, ok := w.prog.Info.Defs[d.fn.Name].(*types.Func); ok {
		f.Outer = outer.Signature().TypeParams()
		if recv := outer.Signature().RecvTypeParams(); recv != nil {
			f.Outer = recv
		}
	}
	return f
}
