package listed

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/qdgen/qd/frontend/load"
)

// Sources are the source of listed packages. They are read once, and used by one goroutine.
type Sources struct {
	packages map[string]*packages.Package
	except   string
	read     map[string]*load.Package
}

// New gives the source of packages by import path, but for files of the base name except.
func New(packages map[string]*packages.Package, except string) *Sources {
	return &Sources{packages: packages, except: except, read: make(map[string]*load.Package)}
}

// Package implements [load.Sources]. Files are named relative to the working
// directory where that is shorter, as the go command names them.
func (s *Sources) Package(path string) (*load.Package, error) {
	if p, ok := s.read[path]; ok {
		return p, nil
	}
	found, ok := s.packages[path]
	if !ok {
		return nil, nil
	}
	p := &load.Package{Path: path}
	for _, file := range slices.Concat(found.GoFiles, ignoredIn(found)) {
		if filepath.Base(file) == s.except {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		p.Files = append(p.Files, load.File{Name: Shorter(file), Src: text})
	}
	assembly, err := AssemblyOf(found)
	if err != nil {
		return nil, err
	}
	for _, file := range assembly {
		file.Name = Shorter(file.Name)
		p.Assembly = append(p.Assembly, file)
	}
	s.read[path] = p
	return p, nil
}

// AssemblyOf are the files of assembly of a package.
func AssemblyOf(p *packages.Package) (files []load.File, err error) {
	for _, file := range slices.Concat(p.OtherFiles, p.IgnoredFiles) {
		if filepath.Ext(file) != ".s" {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		if f, ok := load.Assembly(file, text); ok {
			files = append(files, f)
		}
	}
	return files, nil
}

// ignoredIn are the Go files of a package that build constraints exclude. Of functions in assembly, they may have the
// source; the front end leaves out those that it has no use for.
func ignoredIn(p *packages.Package) (files []string) {
	for _, file := range p.IgnoredFiles {
		base := filepath.Base(file)
		if strings.HasSuffix(base, ".go") && !strings.HasSuffix(base, "_test.go") && strings.IndexAny(base, "_.") != 0 {
			files = append(files, file)
		}
	}
	return files
}

// Shorter is a file's name relative to the working directory, if it is below it.
func Shorter(file string) string {
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
