package main

import (
	"errors"
	"fmt"
	"go/types"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"

	"github.com/qdgen/qd/cmd/qdgen/gen"
	"github.com/qdgen/qd/cmd/qdgen/listed"
	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/library"
)

// kernelPackage is a package with kernels.
type kernelPackage struct {
	path    string     // import path
	command bool       // it is a package main, which the front end knows as a running program does
	kernels []load.Ref // in source order
	src     load.Sources
}

// runtimePath is the import path that a running program has for the package.
func (p *kernelPackage) runtimePath() string {
	if p.command {
		return "main"
	}
	return p.path
}

// runtimePathOf is the import path that a running program has for any package.
func (p *kernelPackage) runtimePathOf(other *types.Package) string {
	if other.Path() == p.path {
		return p.runtimePath()
	}
	return other.Path()
}

// Package implements [load.Sources]: the package itself, under the path that a running
// program has for it.
func (p *kernelPackage) Package(path string) (*load.Package, error) {
	if !p.command || path != "main" {
		return nil, nil
	}
	own, err := p.src.Package(p.path)
	if own == nil || err != nil {
		return nil, err
	}
	return &load.Package{Path: path, Files: own.Files, Assembly: own.Assembly}, nil
}

// sources are where the source of the package and of those that it imports comes from.
func (p *kernelPackage) sources() load.Sources { return load.Chain(p, p.src) }

// goList is [listed.Packages], which starts the go command. Tests that list the same packages again and again have
// another one.
var goList = listed.Packages

// listPackages lists the packages that match patterns, as the go command takes them ("" is
// the package of this directory), and what they import. What is wrong with a generated
// file is no error: it is about to be replaced, or has nothing that matters. Typed says that most of the packages will
// be type-checked: their list has what is needed for this, so that there is no second one.
func listPackages(patterns []string, typed bool) (*listed.List, error) {
	list, err := goList(listed.Query{Patterns: patterns, Types: typed})
	if err != nil {
		return nil, driverError(err)
	}
	if len(list.Roots) == 0 {
		if typed {
			// There may be a reason, which is not told to who asks for so much.
			return listPackages(patterns, false)
		}
		if err := noPackages(patterns); err != nil {
			return nil, err
		}
	}
	if err := cycleError(list.Roots); err != nil {
		return nil, err
	}
	var errs []error
	for _, p := range list.Roots {
		for _, e := range p.Errors {
			if file, _, _ := strings.Cut(e.Pos, ":"); gen.IsGenerated(file) {
				continue
			}
			if e.Kind == packages.ListError && !isCompilers(e) || len(p.GoFiles) == 0 {
				errs = append(errs, listError(p, e))
			}
		}
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return list, nil
}

// importError is why packages that others import cannot be had, nil if they can. Without package qd, nothing is a kernel.
func importError(roots []*packages.Package) error {
	var errs []error
	packages.Visit(roots, nil, func(p *packages.Package) {
		for _, e := range p.Errors {
			if e.Kind == packages.ListError && !isCompilers(e) {
				errs = append(errs, listError(p, e))
			}
		}
	})
	return errors.Join(errs...)
}

// A lister is listPackages for some patterns. It lists them when it is called, and once.
type lister func() (*listed.List, error)

func newLister(patterns []string, typed bool) lister {
	return sync.OnceValues(func() (*listed.List, error) { return listPackages(patterns, typed) })
}

// isSingle reports whether patterns stand for one package, or the files of one. Some names stand for many: see go help
// packages.
func isSingle(patterns []string) bool {
	return len(patterns) == 0 || len(patterns) == 1 && !strings.Contains(patterns[0], "...") && !slices.Contains([]string{"all", "cmd", "std", "tool", "work"}, patterns[0])
}

// findKernels finds the kernels of packages, and where their source comes from.
func findKernels(pkgs []*packages.Package) ([]*kernelPackage, error) {
	src := load.Chain(library.Sources(), listed.New(index(pkgs), ""), load.Standard{})
	var found []*kernelPackage
	var problems diag.List
	for _, p := range pkgs {
		k := &kernelPackage{path: p.PkgPath, command: p.Name == "main", src: src}
		var err error
		k.kernels, err = frontend.Kernels(k.sources(), k.runtimePath())
		if faults := (*diag.Diagnostics)(nil); errors.As(err, &faults) {
			problems.Add(faults.List...)
			continue
		}
		if err != nil {
			return nil, err
		}
		if len(k.kernels) > 0 {
			found = append(found, k)
		}
	}
	if err := problems.Err(); err != nil {
		return nil, err
	}
	return found, nil
}

// index lists packages and everything they import outside the standard library.
func index(roots []*packages.Package) map[string]*packages.Package {
	all := make(map[string]*packages.Package)
	packages.Visit(roots, func(p *packages.Package) bool {
		if p.Module == nil && !slices.Contains(roots, p) {
			return false
		}
		all[p.PkgPath] = p
		return true
	}, nil)
	return all
}

// errNoKernels is the error of a command that works on kernels where there are none.
var errNoKernels = errors.New("no kernels found outside of _test.go files; a kernel is a function with the directive //qd:kernel and a qd.Thread, a qd.Block or a qd.Grid as its first parameter")

// A kernel is one of those of a package.
type kernel struct {
	pkg *kernelPackage
	ref load.Ref
}

// withoutPointer makes P.Run of (*P).Run: a method is named like this by most.
var withoutPointer = strings.NewReplacer("(*", "", ")", "")

// selectKernels keeps the kernels of some names, which may have type arguments, or all where
// there are no names.
func selectKernels(pkgs []*kernelPackage, wanted []string) ([]kernel, error) {
	var list []kernel
	var names []string
	found := make(map[string]bool)
	for _, p := range pkgs {
		for _, k := range p.kernels {
			names = append(names, k.Name)
			if len(wanted) == 0 {
				list = append(list, kernel{p, k})
			}
			own := make(map[string]bool)
			for _, name := range wanted {
				with := k
				switch {
				case own[name]:
					continue
				case name == k.Name || bareName(name) == k.Name:
					with.Name = name
				case name != withoutPointer.Replace(k.Name):
					continue
				}
				list = append(list, kernel{p, with})
				own[name], found[name] = true, true
			}
		}
	}
	if len(names) == 0 {
		return nil, errNoKernels
	}
	for _, name := range wanted {
		if !found[name] {
			verb := "are"
			if len(names) == 1 {
				verb = "is"
			}
			return nil, fmt.Errorf("no kernel is named %s; there %s %s", name, verb, strings.Join(names, ", "))
		}
	}
	return list, nil
}
