package gen

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"

	"github.com/qdgen/qd/cmd/qdgen/listed"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/library"
)

// FileName is the base name of the generated file.
const FileName = "qd_gen.go"

// registryPath is the import path of the package that generated files call.
const registryPath = load.QDPath + "/qdreg"

// loader type-checks packages when they are asked for, and each once.
type loader struct {
	dir    string // where the go command runs
	more   Lister
	fset   *token.FileSet
	lists  []*listed.List               // of packages that can be type-checked, with what they import
	listed map[string]*packages.Package // all that the roots import, without the standard library and package qd
	typed  map[string]*source

	standard map[string]map[string]*ast.FuncDecl // functions of packages of the standard library
	runtime  map[name]bool                       // what is known of them: see ofRuntime
}

// sources are where the front end finds packages.
func (l *loader) sources() load.Sources {
	return load.Chain(library.Sources(), listed.New(l.listed, FileName), load.Standard{})
}

// source is a type-checked package.
type source struct {
	*packages.Package
	decls map[string][]node // package-level declarations, methods under the name of their type
	texts map[string][]byte // by file name
}

// node is a declaration and the file it is in.
type node struct {
	ast.Node
	file string
}

// newLoader makes a loader of packages and what they import.
func newLoader(dir string, list *listed.List, more Lister) *loader {
	l := &loader{dir: dir, more: more, fset: token.NewFileSet(), listed: make(map[string]*packages.Package), typed: make(map[string]*source),
		standard: make(map[string]map[string]*ast.FuncDecl), runtime: make(map[name]bool)}
	if list.Types {
		l.lists = append(l.lists, list)
	}
	packages.Visit(list.Roots, func(p *packages.Package) bool {
		if load.IsOwn(p.PkgPath) || p.Module == nil && !slices.Contains(list.Roots, p) {
			return false
		}
		l.listed[p.PkgPath] = p
		return true
	}, nil)
	return l
}

// named is the import path that the go command gives to files that are named themselves.
const named = "command-line-arguments"

// IsFiles reports whether a package is of files that were named themselves.
func IsFiles(p *packages.Package) bool { return p.PkgPath == named }

// check type-checks packages that are not yet. What is wrong with them is none of ours: the
// generated file, without which they may not compile, is read as if it were empty.
func (l *loader) check(paths ...string) error {
	paths = slices.DeleteFunc(slices.Clone(paths), func(path string) bool { return l.typed[path] != nil })
	if len(paths) == 0 {
		return nil
	}
	list, err := l.list(paths)
	if err != nil {
		return err
	}
	for _, path := range paths {
		if !list.Has(path) {
			return fmt.Errorf("package %s is no longer found: %s", path, whyNot(list.Roots))
		}
	}
	pkgs, texts, err := l.checked(list, paths)
	if err != nil {
		return err
	}
	for _, p := range pkgs {
		l.add(p, texts)
	}
	return nil
}

// list is a list with packages that are to be type-checked.
func (l *loader) list(paths []string) (*listed.List, error) {
	for _, list := range l.lists {
		if list.Has(paths...) {
			return list, nil
		}
	}
	patterns := paths
	if p := l.listed[named]; p != nil && slices.Contains(paths, named) {
		patterns = p.GoFiles // which the go command takes with no other pattern
	}
	list, err := l.more(listed.Query{Dir: l.dir, Patterns: patterns, Types: true})
	if err == nil {
		l.lists = append(l.lists, list)
	}
	return list, err
}

// checked type-checks packages of a list, by their IDs, and gives the texts of their files.
func (l *loader) checked(list *listed.List, ids []string) (pkgs []*packages.Package, texts map[string][]byte, err error) {
	var mu sync.Mutex // files are parsed by several goroutines
	texts = make(map[string][]byte)
	pkgs, err = list.Check(l.fset, func(fset *token.FileSet, name string, text []byte) (*ast.File, error) {
		mode := parser.ParseComments | parser.SkipObjectResolution
		if IsGenerated(name) {
			mode = parser.PackageClauseOnly
		}
		mu.Lock()
		texts[name] = text
		mu.Unlock()
		return parser.ParseFile(fset, name, text, mode)
	}, ids...)
	return pkgs, texts, err
}

// add makes a package one of those that are type-checked.
func (l *loader) add(p *packages.Package, texts map[string][]byte) *source {
	s := &source{Package: p, decls: make(map[string][]node), texts: make(map[string][]byte)}
	for _, f := range p.Syntax {
		name := l.fset.File(f.FileStart).Name()
		s.texts[name] = texts[name]
		s.index(f, name)
	}
	l.typed[p.PkgPath] = s
	return s
}

// whyNot is what the go command says where it lists packages that it was not asked for. If a file is gone that it
// needs, one of its cache for example, package packages makes such a package of what it prints.
func whyNot(pkgs []*packages.Package) string {
	var said []string
	for _, p := range pkgs {
		for _, e := range p.Errors {
			said = append(said, strings.Join(strings.Fields(e.Msg), " "))
		}
	}
	if len(said) == 0 {
		return fmt.Sprintf("the go command lists %v", pkgs)
	}
	return strings.Join(said, "; ")
}

// index enters the declarations of a file.
func (s *source) index(f *ast.File, name string) {
	for _, d := range f.Decls {
		for _, declared := range declaredNames(d) {
			s.decls[declared.name] = append(s.decls[declared.name], node{declared.Node, name})
		}
	}
}

// part is a part of a declaration under the name that reaches it.
type part struct {
	ast.Node
	name string
}

// declaredNames are the names that a package-level declaration declares; a method is a
// part of its receiver's type.
func declaredNames(d ast.Decl) (list []part) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		name := d.Name.Name
		if d.Recv != nil {
			name = load.ReceiverName(d)
		}
		return []part{{d, name}}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				list = append(list, part{spec, spec.Name.Name})
			case *ast.ValueSpec:
				var n ast.Node = spec
				if d.Tok == token.CONST { // a line repeats what is above it
					n = d
				}
				for _, id := range spec.Names {
					list = append(list, part{n, id.Name})
				}
			}
		}
	}
	return list
}

// moduleVersion is the version of a module that a package is of, "example.com/mod@v1.2.3", as the go command has
// it from elsewhere: it is always the same. It is "" for a package that is being worked on: of a main module, or of one
// that a directory replaces.
func moduleVersion(p *packages.Package) string {
	m := p.Module
	if m == nil || m.Main {
		return ""
	}
	if m.Replace != nil {
		m = m.Replace
	}
	if m.Version == "" {
		return ""
	}
	return m.Path + "@" + m.Version
}

// isDevelopment reports whether a package is being worked on, and files can be written into it.
func isDevelopment(p *packages.Package) bool { return moduleVersion(p) == "" }
