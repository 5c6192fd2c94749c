package load

import (
	"go/ast"
	"slices"
	"strings"

	"github.com/qdgen/qd/internal/gort"
)

// ParamNames are the names of a kernel's parameters after the first, by its syntax alone: nothing is type-checked.
// A parameter without a name is "". The error is a *NotFoundError, or says that the source cannot be read.
func ParamNames(src Sources, k Ref) ([]string, error) {
	t, err := kernelSyntax(src, k)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, field := range t.Params.List {
		if len(field.Names) == 0 {
			names = append(names, "")
		}
		for _, id := range field.Names {
			names = append(names, strings.TrimPrefix(id.Name, "_"))
		}
	}
	return names[1:], nil
}

// kernelSyntax is the type of a kernel as it is written.
func kernelSyntax(src Sources, k Ref) (*ast.FuncType, error) {
	p, err := src.Package(k.Pkg)
	if err != nil || p == nil {
		return nil, &NotFoundError{Kernel: k, Reason: "the source of the package is not available", Err: err}
	}
	name := gort.WithoutTypes(k.Name)
	var found, likely []*ast.FuncType
	for i := range p.Files {
		f := &sourceFile{File: &p.Files[i]}
		if k.File != "" && baseName(f.Name) != baseName(k.File) {
			continue
		}
		f.parse(1, parseMode)
		for _, d := range f.syntax.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if ok && FuncName(fn) == strings.NewReplacer("(*", "", ")", "").Replace(name) {
				return fn.Type, nil
			}
			if !mayHold(d, k.Name) {
				continue
			}
			ast.Inspect(d, func(n ast.Node) bool {
				if lit, ok := n.(*ast.FuncLit); ok && f.line(lit.Pos()) == k.Line {
					if hasKernelShape(lit.Type) {
						found = append(found, lit.Type)
					} else if mayHaveKernelShape(lit.Type) {
						likely = append(likely, lit.Type)
					}
				}
				return true
			})
		}
	}
	if len(found) == 0 {
		found = likely
	}
	if found = slices.Compact(found); len(found) != 1 {
		return nil, &NotFoundError{Kernel: k, Reason: "its declaration is not found"}
	}
	return found[0], nil
}
