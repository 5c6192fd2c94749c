package vectypes

import (
	"cmp"
	"errors"
	"fmt"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A Package is one that types are written into.
type Package struct {
	Name     string
	declared map[string]token.Position // by its other files
}

// OpenPackage reads the package that a file belongs to, or will: that of the other Go files
// in its directory, else of the file itself. What they declare is known as far as
// their syntax can be understood.
func OpenPackage(file string) (*Package, error) {
	dir := filepath.Dir(file)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, noDirectory(dir, err)
	}
	p := &Package{declared: map[string]token.Position{}}
	fset := token.NewFileSet()
	own, first := "", "" // first: the file that named the package
	for _, e := range entries {
		name := e.Name()
		if match, err := build.Default.MatchFile(dir, name); err != nil || !match || !strings.HasSuffix(name, ".go") {
			continue
		}
		// What is wrong with a file is for the Go compiler to say.
		f, _ := parser.ParseFile(fset, filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		switch {
		case f == nil || f.Name == nil:
		case name == filepath.Base(file):
			own = f.Name.Name
		case strings.HasSuffix(name, "_test.go") && strings.HasSuffix(f.Name.Name, "_test"):
			// a package of its own
		case p.Name != "" && p.Name != f.Name.Name:
			return nil, fmt.Errorf("there are two packages in %s, %s of %s and %s of %s: let all files have the same package clause, or name a file of another directory with -o", dir, p.Name, first, f.Name.Name, name)
		default:
			p.Name, first = f.Name.Name, name
			for _, id := range declared(f) {
				p.declared[id.Name] = fset.Position(id.Pos())
			}
		}
	}
	if p.Name == "" {
		p.Name = own
	}
	if p.Name == "" {
		if abs, err := filepath.Abs(dir); err == nil {
			dir = abs
		}
		return nil, fmt.Errorf("there is no Go package in %s: begin one with a file that has a package clause, or name a file of another directory with -o", dir)
	}
	return p, nil
}

// noDirectory says what to do where a directory cannot be read.
func noDirectory(dir string, err error) error {
	info, statErr := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is no directory %s: make it, with a Go file that names the package, or name a file of another directory with -o", dir)
	case statErr == nil && !info.IsDir():
		return fmt.Errorf("%s is no directory: name a file in the directory of a package with -o", dir)
	}
	return err
}

// Generate gives the file with some types. What it declares must not be
// declared by the package already.
func (p *Package) Generate(elem Elem, list []Type) ([]byte, error) {
	text, err := Generate(p.Name, elem, list)
	if err != nil {
		return nil, err
	}
	f, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, spec := range f.Imports {
		names = append(names, path.Base(strings.Trim(spec.Path.Value, `"`)))
	}
	for _, id := range declared(f) {
		names = append(names, id.Name)
	}
	names = slices.DeleteFunc(names, func(name string) bool { return p.declared[name] == token.Position{} })
	if len(names) == 0 {
		return text, nil
	}
	slices.SortFunc(names, func(a, b string) int {
		at, other := p.declared[a], p.declared[b]
		return cmp.Or(cmp.Compare(at.Filename, other.Filename), cmp.Compare(at.Offset, other.Offset))
	})
	var clashes strings.Builder
	for _, name := range names {
		fmt.Fprintf(&clashes, "\n%s: %s", p.declared[name], name)
	}
	return nil, fmt.Errorf("the package declares names of the file to write; rename what is here, write all types of %s with one call, or write these into a package of their own with -o:%s", elem, &clashes)
}
