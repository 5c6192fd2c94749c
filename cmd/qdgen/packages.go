package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/cmd/qdgen/gen"
	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/frontend/load"
)

// kernelPackage is a package with kernels.
type kernelPackage struct {
	path    string
	kernels []load.Ref // in source order
}

// listPackages lists the packages that match patterns, as the go command takes them ("" is
// the package of this directory), and what they import. What is wrong with a generated
// file is no error: it is about to be replaced, or has nothing that matters.
func listPackages(patterns []string) ([]*packages.Package, error) {
	pkgs, err := packages.Load(&packages.Config{Mode: gen.ListMode}, patterns...)
	if err != nil {
		return nil, driverError(err)
	}
	var errs []error
	for _, p := range pkgs {
		for _, e := range p.Errors {
			if strings.Contains(e.Pos, gen.FileName+":") {
				continue
			}
			if e.Kind == packages.ListError || len(p.GoFiles) == 0 {
				errs = append(errs, listError(p, e))
			}
		}
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return pkgs, nil
}

// findKernels finds the kernels of the packages that match patterns, as the go
// command takes them ("" is the package of this directory), and where their source
// comes from.
func findKernels(patterns []string) ([]kernelPackage, load.Sources, error) {
	pkgs, err := listPackages(patterns)
	if err != nil {
		return nil, nil, err
	}
	src := load.Chain(qd.KernelSources(), &goSources{packages: index(pkgs), read: map[string]*load.Package{}})
	var found []kernelPackage
	var problems diag.List
	for _, p := range pkgs {
		refs, err := frontend.Kernels(src, p.PkgPath)
		if faults := (*diag.Diagnostics)(nil); errors.As(err, &faults) {
			problems.Add(faults.List...)
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		if len(refs) > 0 {
			found = append(found, kernelPackage{path: p.PkgPath, kernels: refs})
		}
	}
	if err := problems.Err(); err != nil {
		return nil, nil, err
	}
	return found, src, nil
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

// goSources is source on disk, in the places that the go command knows.
type goSources struct {
	packages map[string]*packages.Package
	read     map[string]*load.Package
}

// Package implements [load.Sources]. Files are named relative to the working
// directory where that is shorter, as the go command names them.
func (s *goSources) Package(path string) (*load.Package, error) {
	if p, ok := s.read[path]; ok {
		return p, nil
	}
	listed, ok := s.packages[path]
	if !ok {
		return nil, nil
	}
	p := &load.Package{Path: path}
	for _, file := range listed.GoFiles {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		p.Files = append(p.Files, load.File{Name: shorter(file), Src: text})
	}
	s.read[path] = p
	return p, nil
}

// shorter is a file's name relative to the working directory, if it is below it.
func shorter(file string) string {
	dir, err := os.Getwd()
	if err != nil {
		return file
	}
	rel, err := filepath.Rel(dir, file)
	if err != nil || strings.HasPrefix(rel, "..") {
		return file
	}
	return rel
}

// errNoKernels is the error of a command that works on kernels where there are none.
var errNoKernels = errors.New("no kernels found; a kernel is a function with the directive //qd:kernel and a qd.Thread as its first parameter")

// selectKernels keeps the kernels of a name, or all for "".
func selectKernels(pkgs []kernelPackage, name string) ([]load.Ref, error) {
	var refs []load.Ref
	var names []string
	for _, p := range pkgs {
		for _, k := range p.kernels {
			names = append(names, k.Name)
			if base, _, generic := strings.Cut(name, "["); generic && k.Name == base {
				k.Name = name // with its type arguments
			}
			if name == "" || k.Name == name {
				refs = append(refs, k)
			}
		}
	}
	switch {
	case len(names) == 0:
		return nil, errNoKernels
	case len(refs) == 0:
		return nil, fmt.Errorf("no kernel is named %s; there are %s", name, strings.Join(names, ", "))
	}
	return refs, nil
}
