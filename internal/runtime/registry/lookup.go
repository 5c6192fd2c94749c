package registry

import (
	"cmp"
	"path/filepath"
	"slices"
	"sync"

	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/gort"
)

// SourceOf finds where the source of a specialization can be had, which is given functions besides: among the
// registered packages, else on disk.
//
// A package that is registered lacks its test files, which are part of a program that is
// a test. Where the kernel, or a function that it is given, is in a file that is not
// registered, the package is that on disk.
//
// A generic kernel may be launched with types of packages that its own does not know,
// of its tests for one. They are looked for around those who launch it, which is why
// SourceOf is to be called by the goroutine that does.
func SourceOf(kernel load.Ref, given []load.Ref) (load.Sources, error) {
	file := kernel.File
	var launchers []launcher
	if kernel.Params != "" {
		launchers = callers()
		for _, l := range launchers {
			if isTest(l.file) && filepath.Dir(l.file) == filepath.Dir(file) {
				file = l.file // whose package has the kernel's file and those of tests
				break
			}
		}
	}
	unregistered := load.Map{}
	sources := []load.Sources{unregistered, Sources()}
	if p, _ := Sources().Package(kernel.Pkg); p != nil {
		sources = append(sources, &around{file: file}) // for the packages that it imports
		addUnregistered(unregistered, kernel.Pkg, file)
	} else {
		disk, pkg, err := load.Disk(file)
		if err != nil {
			return nil, cmp.Or(unproven(kernel.Pkg, nil), err)
		}
		// The package of the file has just been read.
		sources = append(sources, load.Map{pkg.Path: pkg}, disk)
	}
	for _, f := range given {
		addUnregistered(unregistered, f.Pkg, f.File)
	}
	for _, l := range launchers {
		addUnregistered(unregistered, l.pkg, l.file)
		sources = append(sources, &around{file: l.file})
	}
	return load.Chain(append(sources, proven{load.Standard{}}, registeredTexts{}, load.Standard{})...), nil
}

// proven are those packages of sources that the program was built from for sure. Others may have the rest.
type proven struct{ load.Sources }

func (p proven) Package(path string) (*load.Package, error) {
	if pkg, err := p.Sources.Package(path); err == nil {
		return pkg, nil
	}
	return nil, nil
}

// addUnregistered adds a package that is registered without one of its files, as it is on
// disk.
func addUnregistered(packages load.Map, path, file string) {
	p, _ := Sources().Package(path)
	if p == nil || load.IsOwn(path) || packages[path] != nil {
		return
	}
	for _, f := range p.Files {
		if filepath.Base(f.Name) == filepath.Base(file) {
			return
		}
	}
	if _, pkg, err := load.Disk(file); err == nil && pkg.Path == path {
		packages[path] = pkg
	}
}

// A launcher is a function that has called into package qd.
type launcher struct{ pkg, file string }

// isBetween reports whether a package's functions are on the stack between who launches a kernel and this package.
func isBetween(pkg string) bool {
	switch pkg {
	case "runtime", load.QDPath + "/internal/build", load.QDPath + "/internal/memo", load.QDPath + "/internal/bug":
		return true
	}
	return load.IsOwn(pkg) || IsRuntime(pkg)
}

// callers are the functions that have called into package qd, the innermost first:
// of each directory one, and one of its tests.
func callers() (list []launcher) {
	for f := range gort.Frames(200) {
		pkg, _ := gort.SplitName(f.Function)
		same := func(other launcher) bool {
			return filepath.Dir(other.file) == filepath.Dir(f.File) && isTest(other.file) == isTest(f.File)
		}
		if isBetween(pkg) || slices.ContainsFunc(list, same) {
			continue
		}
		list = append(list, launcher{pkg, f.File})
	}
	return list
}

// around is the source on disk around a file, looked up when it is first asked for.
type around struct {
	file string
	once sync.Once
	disk *load.DiskSources // nil if there is none
}

// Package implements [load.Sources].
func (a *around) Package(path string) (*load.Package, error) {
	a.once.Do(func() { a.disk, _, _ = load.Disk(a.file) })
	if a.disk == nil {
		return nil, nil
	}
	return a.disk.Package(path)
}
