package load

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// sizes are those of a kernel on every device and every host: int has 64 bits.
var sizes = types.SizesFor("gc", "amd64")

// Sizes are those of types in kernels, which are the same on every device.
func Sizes() types.Sizes { return sizes }

// check type-checks a package as far as it is reached, after those that it
// imports. Errors are collected for judgement when it is known what is reached.
func (l *loader) check(p *sourcePackage) *types.Package {
	if p.types != nil {
		return p.types
	}
	var syntax []*ast.File
	for _, f := range p.files {
		if s := f.trimmed(); s != nil {
			syntax = append(syntax, s)
		}
	}
	conf := types.Config{
		Importer:                 sourceImporter{l},
		Sizes:                    sizes,
		FakeImportC:              true,
		DisableUnusedImportCheck: true, // with its uses dropped, an import is unused
		Error: func(err error) {
			if err, ok := err.(types.Error); ok {
				l.addError(err)
			}
		},
	}
	p.types = types.NewPackage(p.path, p.name)
	// The error is the first of those that conf.Error got.
	_ = types.NewChecker(&conf, l.prog.Fset, p.types, l.prog.Info).Files(syntax)
	p.types.MarkComplete()
	return p.types
}

// addError collects an error. The type checker reports other declarations of a
// name, and the like, as errors of their own, with a tab in front.
func (l *loader) addError(err types.Error) {
	if last := len(l.errors) - 1; last >= 0 && strings.HasPrefix(err.Msg, "\t") {
		err.Msg = strings.TrimSpace(err.Msg)
		l.errors[last].related = append(l.errors[last].related, err)
		return
	}
	l.errors = append(l.errors, newTypeError(err))
}

// wrongIn reports whether the type checker found fault with something in a piece of syntax.
func (l *loader) wrongIn(n ast.Node) bool {
	for _, err := range l.errors {
		if n.Pos() <= err.Pos && err.Pos < n.End() {
			return true
		}
	}
	return false
}

// sourceImporter gives the type checker what reached packages import.
type sourceImporter struct{ l *loader }

// Import implements types.Importer.
func (im sourceImporter) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if lib := im.l.library(path); lib != nil {
		return lib.types, nil
	}
	if p := im.l.pkgs[path]; p != nil {
		return im.l.check(p), nil // there are no cycles: see findCycles
	}
	p := im.l.empty[path]
	if p == nil {
		p = emptyPackage(path)
		im.l.empty[path] = p
	}
	return p, nil
}

// findCycles reports import cycles among what is reached, which would have the
// type checker wait for itself.
func (l *loader) findCycles() {
	const (
		unseen = iota
		open
		done
	)
	state := make(map[*sourcePackage]int)
	var stack []*sourcePackage
	var visit func(p *sourcePackage)
	visit = func(p *sourcePackage) {
		state[p] = open
		stack = append(stack, p)
		for _, f := range p.files {
			for _, spec := range f.usedImports() {
				spec := spec.(*ast.ImportSpec)
				q := l.pkgs[importPath(spec)]
				switch {
				case q == nil || state[q] == done:
				case state[q] == open:
					cycle := stack[slices.Index(stack, q):]
					l.report(spec.Path.Pos(), spec.Path.End(), "",
						"import cycle not allowed: %s", cyclePath(cycle))
				default:
					visit(q)
				}
			}
		}
		stack = stack[:len(stack)-1]
		state[p] = done
	}
	for _, p := range l.order {
		if state[p] == unseen {
			visit(p)
		}
	}
}

// cyclePath writes a cycle as "a imports b imports a".
func cyclePath(cycle []*sourcePackage) string {
	var b strings.Builder
	for _, p := range cycle {
		b.WriteString(p.path + " imports ")
	}
	return b.String() + cycle[0].path
}
