package load

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/qdgen/qd/internal/gort"
)

// find finds the declaration of a kernel, or of a function that one is given. It
// returns nil without an error when it has reported diagnostics instead.
func (l *loader) find(k Ref, value bool) (*decl, error) {
	asked := k
	if value {
		k.Pkg = StandsIn(l.src, k)
	}
	if value && isLibrary(k.Pkg) {
		l.library(k.Pkg)
		if IsOwn(k.Pkg) {
			l.wishFor(k)
		}
		return nil, nil // it is there: see Program.Target
	}
	if IsOwn(k.Pkg) {
		name := conventionalName(k.Pkg)
		return nil, &NotFoundError{Kernel: k, Value: value, Reason: fmt.Sprintf("package %s has no kernels; its tests declare theirs in package %[1]s_test", name)}
	}
	p := l.load(k.Pkg)
	if p == nil {
		e := &NotFoundError{Kernel: k, Value: value, Reason: "the source of the package is not available", Err: l.failed[k.Pkg]}
		if e.Err != nil {
			e.Reason = "the source of the package cannot be read"
		}
		return nil, e
	}
	name, _ := gort.CutMethodValue(gort.WithoutTypes(k.Name))
	if d := chooseDecl(p.kernels(name), k); d != nil {
		if len(d.file.errs) > 0 {
			l.reportSyntax(d.file)
			return nil, nil
		}
		return d, nil
	}
	// A file that is not Go has lost what follows the error.
	for _, f := range p.broken() {
		if k.File == "" || baseName(f.Name) == baseName(k.File) {
			l.reportSyntax(f)
			return nil, nil
		}
	}
	if name == "" || gort.IsUndeclared(name) {
		switch lits := p.literalsAt(k, value); len(lits) {
		case 0:
		case 1:
			return l.declare(lits[0], l.captures(k, value)), nil
		default:
			what, hint := "on one line", "begin each on a separate line"
			if lits[1].lit.End() <= lits[0].lit.End() {
				what, hint = "on one line, one inside the other,", "move the inner one to a line of its own"
			}
			l.literals.Add(l.prog.Diagnostic(lits[1].lit.Pos(), lits[1].lit.Type.End(), hint,
				"two %s %s cannot be distinguished", plural[value], what))
			l.prog.reported[asked] = true
			return nil, nil
		}
		if !strings.Contains(k.Name, "[") {
			return nil, &NotFoundError{Kernel: k, Value: value, Reason: fmt.Sprintf("there is no function literal at %s:%d", k.File, k.Line)}
		}
		switch instances := l.instancesAt(p, k); len(instances) {
		case 0:
		case 1:
			p.used = true
			return instances[0].of, nil
		default:
			at := instances[1].at
			l.literals.Add(l.prog.Diagnostic(at.Pos(), at.End(), "begin each on a separate line",
				"two generic %s on one line, in a generic function, cannot be distinguished", pluralOf[value]))
			p.used, l.prog.reported[asked] = true, true
			return nil, nil
		}
		if method := p.methodValueAt(k); value && method != nil {
			name := types.ExprString(method)
			l.literals.Add(l.prog.Diagnostic(method.Pos(), method.End(), "write a function literal that calls it, and name what that captures: qd.NewFunc(func(...) ... { return "+name+"(...) }, qd.Capture(...))",
				"%s is a method value in a generic function, whose receiver cannot be seen", name))
			p.used, l.prog.reported[asked] = true, true
			return nil, nil
		}
		return nil, &NotFoundError{Kernel: k, Value: value, Reason: fmt.Sprintf("there is neither a function literal nor a generic kernel at %s:%d", k.File, k.Line)}
	}
	return nil, &NotFoundError{Kernel: k, Value: value, Reason: fmt.Sprintf("none of %s declares it", fileNames(p))}
}

// wishFor reaches a function of one of this module's packages.
func (l *loader) wishFor(k Ref) {
	name, method, isMethod := strings.Cut(gort.WithoutTypes(k.Name), ".")
	l.loadOwn(k.Pkg)
	l.wish.names[Global{k.Pkg, strings.Trim(name, "(*)")}] = true
	if isMethod {
		l.wish.methods[method] = true
	}
	l.reachTypes(k)
}

// plural is what function literals on one line are called, by whether they are values.
var plural = map[bool]string{false: "kernels", true: "function literals"}

// pluralOf is plural of generic functions.
var pluralOf = map[bool]string{false: "kernels", true: "functions"}

// kernels are the functions or methods that a name without type arguments means.
func (p *sourcePackage) kernels(name string) []*decl {
	recv, method, ok := strings.Cut(name, ".")
	var list []*decl
	if !ok {
		for _, d := range p.decls[name] {
			if d.fn != nil {
				list = append(list, d)
			}
		}
		return list
	}
	// The compiler wraps a method of T as one of *T: the star does not count.
	recv = strings.TrimSuffix(strings.TrimPrefix(recv, "(*"), ")")
	for _, d := range p.methods[recv] {
		if d.fn.Name.Name == method {
			list = append(list, d)
		}
	}
	return list
}

// chooseDecl picks the declaration that stands where the kernel is said to be,
// else the first. Several are an error that the type checker reports.
func chooseDecl(list []*decl, k Ref) *decl {
	var best *decl
	for _, d := range list {
		if best == nil {
			best = d
		}
		if k.File == "" || baseName(d.file.Name) != baseName(k.File) {
			continue
		}
		if baseName(best.file.Name) != baseName(k.File) || d.hasLine(k.Line) {
			best = d
		}
	}
	return best
}

// hasLine reports whether a function extends over a line.
func (d *decl) hasLine(line int) bool {
	first, last := d.file.line(d.fn.Pos()), d.file.line(d.fn.End())
	return first <= line && line <= last
}

// An instanceAt is a generic function that an expression instantiates.
type instanceAt struct {
	of *decl
	at ast.Expr
}

// instancesAt finds the generic functions with as many parameters as a kernel has that are
// instantiated on the kernel's line, and not called there. The Go compiler
// makes a function literal of an instance whose type arguments are those of a generic
// function around it.
func (l *loader) instancesAt(p *sourcePackage, k Ref) (found []instanceAt) {
	params, err := parseTypes(k.Params)
	if err != nil {
		params = nil // they say nothing
	}
	for _, f := range p.files {
		if baseName(f.Name) != baseName(k.File) {
			continue
		}
		called := map[ast.Node]bool{}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			var x ast.Expr
			switch n := n.(type) {
			case *ast.CallExpr:
				called[ast.Unparen(n.Fun)] = true
			case *ast.IndexExpr:
				x = n.X
			case *ast.IndexListExpr:
				x = n.X
			}
			if x == nil || called[n] || f.line(n.Pos()) != k.Line {
				return true
			}
			if d := l.genericFunc(f, x); d != nil && (params == nil || d.fn.Type.Params.NumFields() == len(params)) &&
				!slices.ContainsFunc(found, func(i instanceAt) bool { return i.of == d }) {
				found = append(found, instanceAt{d, n.(ast.Expr)})
			}
			return true
		})
	}
	return found
}

// methodValueAt is the selector on a function's line that may be a method value: it is not called. It is nil if there
// is none. The Go compiler makes a function literal of a method value in a generic function.
func (p *sourcePackage) methodValueAt(k Ref) (found *ast.SelectorExpr) {
	for _, f := range p.files {
		if baseName(f.Name) != baseName(k.File) {
			continue
		}
		for _, d := range f.syntax.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil || !mayHold(d, k.Name) {
				continue
			}
			called := make(map[ast.Node]bool)
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CallExpr:
					called[ast.Unparen(n.Fun)] = true
				case *ast.CompositeLit:
					called[n.Type] = true
				case *ast.FuncType, *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.StructType, *ast.InterfaceType:
					return false // selectors in it are types
				case *ast.SelectorExpr:
					if found == nil && !called[n] && f.line(n.Sel.Pos()) == k.Line {
						found = n
					}
				}
				return true
			})
		}
	}
	return found
}

// genericFunc is the generic function that an expression at package level names.
func (l *loader) genericFunc(f *sourceFile, x ast.Expr) *decl {
	var list []*decl
	switch x := x.(type) {
	case *ast.Ident:
		list = f.pkg.lookup(f, x.Name)
	case *ast.SelectorExpr:
		id, ok := x.X.(*ast.Ident)
		if !ok {
			return nil
		}
		spec := l.importNamed(f, id.Name)
		if spec == nil {
			return nil
		}
		if other := l.load(importPath(spec)); other != nil {
			list = other.decls[x.Sel.Name]
		}
	}
	for _, d := range list {
		if d.fn != nil && d.fn.Type.TypeParams != nil {
			return d
		}
	}
	return nil
}

// fileNames lists a package's files for an error message.
func fileNames(p *sourcePackage) string {
	const most = 8
	var names []string
	for i, f := range p.files {
		if i == most {
			return strings.Join(names, ", ") + fmt.Sprintf(" and %d more files", len(p.files)-most)
		}
		names = append(names, f.Name)
	}
	return strings.Join(names, ", ")
}
