package load

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/qdgen/qd/internal/gort"
	"github.com/qdgen/qd/internal/reread"
)

// DiskSources are packages found on disk from one Go file: the package that the file
// belongs to, those of the same module or workspace, and those of the modules it
// requires, in vendor directories, local replacements and the module cache. The go
// command is not run. DiskSources reads a file whenever its package is asked
// for; it is safe for concurrent use.
type DiskSources struct {
	dir     string // of the file
	file    string // its base name
	clause  string // its package clause
	modules func() *modules
}

// Disk returns the sources around a Go file, which is named as package runtime
// names it, and the package that the file belongs to, with the import path that the running
// program knows it by. If the file is a test, the package's test files are among its files.
// The error is a *[NotFoundError].
func Disk(goFile string) (*DiskSources, *Package, error) {
	notFound := func(reason string, err error) (*DiskSources, *Package, error) {
		return nil, nil, &NotFoundError{Kernel: Ref{File: goFile}, Reason: reason, Err: err}
	}
	switch {
	case !strings.Contains(filepath.ToSlash(goFile), "/") || !strings.HasSuffix(goFile, ".go"):
		return notFound("a //line directive says that it is in "+goFile+", and not which Go file it is in", nil)
	case !filepath.IsAbs(goFile) && !filepath.IsAbs(gort.RuntimeFile()):
		return notFound("the program was built with -trimpath, which removes the directories of source files from it", nil)
	case !filepath.IsAbs(goFile): // -trimpath may be a flag of the compiler alone, for some packages
		return notFound("the program knows its file as "+goFile+": a //line directive says so, or the package was built with -trimpath, which removes the directories of source files", nil)
	}
	src, err := reread.File(goFile)
	if err != nil {
		return notFound("the file cannot be read", err)
	}
	d := &DiskSources{dir: filepath.Dir(goFile), file: filepath.Base(goFile), clause: packageClause(src)}
	d.modules = sync.OnceValue(func() *modules { return findModules(d.dir) })
	if d.clause == "" {
		return notFound("the file has no package clause", nil)
	}
	pkg, err := d.Package(d.rootPath())
	if err != nil {
		return notFound("its package cannot be read", err)
	}
	return d, pkg, nil
}

// isFile reports whether a name is that of the file that the sources were looked up for: it is in the running program.
func (d *DiskSources) isFile(name string) bool { return name == d.file }

// Package implements [Sources].
func (d *DiskSources) Package(importPath string) (*Package, error) {
	test := strings.HasSuffix(d.file, "_test.go")
	if internal := strings.TrimSuffix(importPath, "_test"); internal != importPath && (test || isTested(internal)) && d.isRoot(internal) {
		return readPackage(importPath, d.dir, func(name, clause string) role {
			if isTest(name) && strings.HasSuffix(clause, "_test") {
				return member
			}
			return foreign
		}, d.isFile)
	}
	if d.isRoot(importPath) {
		clause := d.clause
		if test {
			clause = strings.TrimSuffix(clause, "_test")
		}
		return readPackage(importPath, d.dir, func(name, c string) role {
			switch {
			case c != clause:
				return foreign
			case test || !isTest(name) || isTested(importPath):
				return member
			}
			return beside
		}, d.isFile)
	}
	for _, dir := range d.modules().dirs(importPath) {
		p, err := readPackage(importPath, dir, func(name, clause string) role {
			switch {
			case clause == "main" || isTest(name) && strings.HasSuffix(clause, "_test"):
				return foreign
			case isTest(name) && !isTested(importPath):
				return beside
			}
			return member
		}, nil)
		if p != nil || err != nil {
			return p, err
		}
	}
	return nil, nil
}

// rootPath is the import path that a running program knows the file's package
// by.
func (d *DiskSources) rootPath() string {
	test := strings.HasSuffix(d.file, "_test.go")
	if d.clause == "main" && !test {
		return "main"
	}
	path := d.modules().pathOf(d.dir)
	if path == "" {
		return d.clause
	}
	if test && strings.HasSuffix(d.clause, "_test") {
		path += "_test"
	}
	return path
}

// isRoot reports whether an import path means the directory that the file is in.
func (d *DiskSources) isRoot(importPath string) bool {
	switch importPath {
	case "main":
		return d.clause == "main"
	case "command-line-arguments": // go test with the names of files
		return true
	}
	if own := d.modules().pathOf(d.dir); own != "" {
		return importPath == own
	}
	// Outside of a module there is nothing to compare with.
	return importPath == d.clause || path.Base(importPath) == filepath.Base(d.dir)
}

// A role is what a file of a directory is to a package.
type role int

const (
	foreign role = iota // nothing
	member              // a file of it
	beside              // a test of it, which is no part of the program
)

func isTest(name string) bool { return strings.HasSuffix(name, "_test.go") }

// readPackage reads the Go files of a directory that build constraints include
// and that have a role, which is told by the name and the package clause. The
// files that always, if it is given, is true for are of the package whatever their constraints. There is no package
// without files.
func readPackage(importPath, dir string, roleOf func(name, clause string) role, always func(name string) bool) (*Package, error) {
	entries, err := reread.Dir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	p := &Package{Path: importPath}
	assembly := slices.ContainsFunc(entries, func(e os.DirEntry) bool { return strings.HasSuffix(e.Name(), ".s") })
	for _, e := range entries {
		name := e.Name()
		if strings.HasSuffix(name, ".s") && !e.IsDir() {
			text, err := reread.File(filepath.Join(dir, name))
			if err != nil {
				return nil, err
			}
			if f, ok := Assembly(filepath.Join(dir, name), text); ok {
				p.Assembly = append(p.Assembly, f)
			}
			continue
		}
		if !strings.HasSuffix(name, ".go") || strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".") || e.IsDir() {
			continue
		}
		f := File{Name: filepath.Join(dir, name)}
		if f.Src, err = reread.File(f.Name); err != nil {
			return nil, err
		}
		if !(always != nil && always(name)) && !included(&f) && (!assembly || isTest(name)) {
			continue // of functions in assembly, other builds may have the source
		}
		switch roleOf(name, packageClause(f.Src)) {
		case member:
			p.Files = append(p.Files, f)
		case beside:
			p.Tests = append(p.Tests, f)
		}
	}
	if len(p.Files) == 0 {
		return nil, nil
	}
	return p, nil
}
