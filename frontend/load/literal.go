package load

import (
	"go/ast"
	"strconv"
	"strings"
)

// A kernelLiteral is a function literal that has the shape of a kernel.
type kernelLiteral struct {
	lit    *ast.FuncLit
	file   *sourceFile
	around ast.Decl // the package-level declaration that it stands in
}

// literalsAt finds the function literals that begin on a kernel's line and speak for a
// thread, a block or a grid; as values for kernels all literals count.
func (p *sourcePackage) literalsAt(k Ref, value bool) (found []kernelLiteral) {
	for _, f := range p.files {
		if baseName(f.Name) != baseName(k.File) {
			continue
		}
		for _, d := range f.syntax.Decls {
			if f.line(d.Pos()) > k.Line || f.line(d.End()) < k.Line {
				continue
			}
			ast.Inspect(d, func(n ast.Node) bool {
				if n, ok := n.(*ast.FuncLit); ok && f.line(n.Pos()) == k.Line && (value || hasKernelShape(n.Type)) {
					found = append(found, kernelLiteral{n, f, d})
				}
				return true
			})
		}
	}
	return found
}

// hasKernelShape reports whether a function's first parameter is named like those of
// kernels, as far as syntax tells.
func hasKernelShape(t *ast.FuncType) bool {
	if len(t.Params.List) == 0 {
		return false
	}
	var name *ast.Ident
	switch first := ast.Unparen(t.Params.List[0].Type).(type) {
	case *ast.Ident:
		name = first
	case *ast.SelectorExpr:
		name = first.Sel
	}
	return name != nil && (name.Name == "Thread" || name.Name == "Block" || name.Name == "Grid")
}

// declare makes a package-level function of a literal, which is what it is if it
// captures nothing. Of one that does there is none: what it captures is reported.
func (l *loader) declare(k kernelLiteral, runtimeName string, value bool) *decl {
	outside := freeNames(func(w *scopeWalker) { w.topLevel(k.around) })
	captures := false
	for id := range freeNames(func(w *scopeWalker) { w.walk(k.lit) }) {
		if !outside[id] {
			captures = true
			l.literals.Add(l.prog.Diagnostic(id.Pos(), id.End(), "pass it as an argument, or declare it at package level",
				"the %s captures %s, which is declared in the function around it", root{value: value}.what(), id.Name))
		}
	}
	if captures {
		return nil
	}
	p := k.file.pkg
	base := strings.NewReplacer(".", "_", "[", "_", "]", "_", "-", "_").Replace(runtimeName)
	if base == "" {
		base = "literal"
	}
	name := base
	for n := 2; len(p.decls[name]) > 0; n++ {
		name = base + "_" + strconv.Itoa(n)
	}
	d := &decl{file: k.file, fn: &ast.FuncDecl{
		Name: &ast.Ident{NamePos: k.lit.Pos(), Name: name},
		Type: copySyntax(k.lit.Type),
		Body: copySyntax(k.lit.Body),
	}}
	k.file.decls = append(k.file.decls, d)
	p.decls[name] = append(p.decls[name], d)
	return d
}

// topLevel visits a package-level declaration; the names that it declares count as
// declared outside.
func (w *scopeWalker) topLevel(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		w.funcDecl(d, true)
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			if spec, ok := spec.(*ast.ValueSpec); ok {
				w.walk(spec.Type)
				w.exprs(spec.Values)
			}
		}
	}
}

// freeNames are the identifiers in what is walked that are declared outside of it.
// Keys of composite literals are not among them: they may be fields.
func freeNames(walk func(*scopeWalker)) map[*ast.Ident]bool {
	free := make(map[*ast.Ident]bool)
	walk(&scopeWalker{
		free:      func(id *ast.Ident) { free[id] = true },
		key:       func(*ast.Ident) {},
		qualified: func(x, _ *ast.Ident) { free[x] = true },
		selected:  func(*ast.Ident) {},
	})
	return free
}
