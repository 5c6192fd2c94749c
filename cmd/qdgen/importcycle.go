package main

import (
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/qdgen/qd/cmd/qdgen/listed"
)

// The go command says of packages that import each other which ones they are, and not where they do.

// An imported is an import of one package by another.
type imported struct {
	by, path string
	pos      token.Position
}

// cycleError is the error of packages among those listed, or what they import, that import each other; nil where there
// are none.
func cycleError(pkgs []*packages.Package) error {
	if !lacksPosition(pkgs) {
		return nil
	}
	files := filesOf(pkgs)
	done := make(map[string]bool)
	var stack []imported
	var visit func(path string) error
	visit = func(path string) error {
		if at := slices.IndexFunc(stack, func(i imported) bool { return i.by == path }); at >= 0 {
			return cycleOf(stack[at:])
		}
		if done[path] {
			return nil
		}
		done[path] = true
		for _, i := range importsIn(path, files[path]) {
			stack = append(stack, i)
			if err := visit(i.path); err != nil {
				return err
			}
			stack = stack[:len(stack)-1]
		}
		return nil
	}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		if err := visit(path); err != nil {
			return err
		}
	}
	return nil
}

// lacksPosition reports whether the go command has said something is wrong, and not where. What the compiler says of a
// package has its positions in the text, and is of one without a cycle.
func lacksPosition(pkgs []*packages.Package) (found bool) {
	packages.Visit(pkgs, func(p *packages.Package) bool {
		found = found || slices.ContainsFunc(p.Errors, func(e packages.Error) bool {
			return e.Kind == packages.ListError && (e.Pos == "" || e.Pos == "-") && !isCompilers(e)
		})
		return !found
	}, nil)
	return found
}

// cycleOf is the error of imports that lead from a package back to it.
func cycleOf(imports []imported) error {
	var parts []string
	for i, at := range imports {
		who := at.by + " imports "
		if i > 0 {
			who = "which imports "
		}
		parts = append(parts, fmt.Sprintf("%s%s at %s:%d:%d", who, at.path, at.pos.Filename, at.pos.Line, at.pos.Column))
	}
	first := imports[0].pos
	return fmt.Errorf("%s:%d:%d: import cycle not allowed: %s", first.Filename, first.Line, first.Column, strings.Join(parts, ", "))
}

// filesOf are the Go files of packages outside the standard library, of a package with its tests those too.
func filesOf(pkgs []*packages.Package) map[string][]string {
	files := make(map[string][]string)
	packages.Visit(pkgs, func(p *packages.Package) bool {
		if p.Module == nil && !slices.Contains(pkgs, p) {
			return false
		}
		for _, file := range p.GoFiles {
			if !slices.Contains(files[p.PkgPath], file) {
				files[p.PkgPath] = append(files[p.PkgPath], file)
			}
		}
		return true
	}, nil)
	return files
}

// importsIn are the imports of a package in the order of its files. What is no Go file has those before the error.
func importsIn(by string, files []string) (list []imported) {
	fset := token.NewFileSet()
	for _, file := range files {
		f, _ := parser.ParseFile(fset, file, nil, parser.ImportsOnly)
		if f == nil {
			continue
		}
		for _, spec := range f.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				continue
			}
			pos := fset.Position(spec.Pos())
			pos.Filename = listed.Shorter(pos.Filename)
			list = append(list, imported{by, path, pos})
		}
	}
	return list
}
