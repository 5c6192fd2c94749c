package load

import (
	_ "embed"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"sync"
)

// A library is a package that comes with this program: it is checked once per process, package
// qd as far as programs need it. Much of it are operations of the device, which the front end
// knows by their names. What else has a body, and needs nothing that kernels cannot have, is
// compiled like any other function.
type library struct {
	types *types.Package
	files []*sourceFile
	funcs map[*types.Func]*Function // those with a body to compile
}

//go:generate go run stubs/generate.go

//go:embed stubs/math.go.txt
var mathStub []byte

//go:embed stubs/math_bits.go.txt
var bitsStub []byte

// Positions of all libraries have fixed places, in front of those of a Check's own
// files, so that every Check can add them to its file set.
const firstBase = 2

var (
	bitsBase = firstBase + len(mathStub) + 1
	qdBase   = bitsBase + len(bitsStub) + 1
)

var stubs = map[string]func() *library{
	"math":      sync.OnceValue(func() *library { return newStub("math", firstBase, mathStub) }),
	"math/bits": sync.OnceValue(func() *library { return newStub("math/bits", bitsBase, bitsStub) }),
}

// isLibrary reports whether a package comes with this program.
func isLibrary(path string) bool { return path == QDPath || stubs[path] != nil }

// IsLibrary reports whether a package is one of those that come with this program.
func IsLibrary(p *types.Package) bool { return p != nil && isLibrary(p.Path()) }

func newStub(path string, base int, src []byte) *library {
	// The name is a path in Go's own tree, where a curious reader finds more.
	given := &Package{Path: path, Files: []File{{Name: path + "/doc.go", Src: src}}}
	p, _ := parsePackage(given, base, parser.SkipObjectResolution, true, func(*File) bool { return false })
	var syntax []*ast.File
	for _, f := range p.files {
		f.useConventional(func(string) bool { return true })
		for _, d := range f.decls {
			d.level = called
		}
		if s := f.trimmed(); s != nil {
			syntax = append(syntax, s)
		}
	}
	return newLibrary(path, p.files, syntax, len(src))
}

// newLibrary checks files, with so many bytes of source. Errors in them are no business of
// kernels: they compile, as they are part of this program. They tell what is not for
// kernels: that uses other files, or packages that are not there.
func newLibrary(path string, files []*sourceFile, syntax []*ast.File, size int) *library {
	lib := &library{
		types: types.NewPackage(path, conventionalName(path)),
		files: files,
		funcs: make(map[*types.Func]*Function),
	}
	var wrong []token.Pos
	fset := token.NewFileSet()
	for _, f := range files {
		fset.AddExistingFiles(f.tok)
	}
	conf := types.Config{
		Importer:                 libraryImporter{},
		Sizes:                    sizes,
		FakeImportC:              true,
		DisableUnusedImportCheck: true,
		Error: func(err error) {
			if err, ok := err.(types.Error); ok {
				wrong = append(wrong, err.Pos)
			}
		},
	}
	info := newInfo(size)
	_ = types.NewChecker(&conf, fset, lib.types, info).Files(syntax)
	lib.types.MarkComplete()
	for i, f := range files {
		for _, d := range syntax[i].Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil || slices.ContainsFunc(wrong, func(at token.Pos) bool { return fn.Pos() <= at && at < fn.End() }) {
				continue
			}
			if obj, ok := info.Defs[fn.Name].(*types.Func); ok {
				lib.funcs[obj] = &Function{Obj: obj, Decl: fn, Pkg: lib.types, File: f.File, Info: info}
			}
		}
	}
	return lib
}

// useConventional keeps those imports of a library that are needed, under the names that they
// have by convention.
func (f *sourceFile) useConventional(needed func(name string) bool) {
	for _, spec := range f.syntax.Imports {
		name := conventionalName(importPath(spec))
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if name != "_" && name != "." && needed(name) {
			f.useImport(name, spec)
		}
	}
}

// libraryImporter gives libraries one another's declarations.
type libraryImporter struct{}

func (libraryImporter) Import(path string) (*types.Package, error) {
	if stub := stubs[path]; stub != nil {
		return stub().types, nil
	}
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	return emptyPackage(path), nil
}

// emptyPackage is what stands for a package without source.
func emptyPackage(path string) *types.Package {
	p := types.NewPackage(path, conventionalName(path))
	p.MarkComplete()
	return p
}

// A qdPackage is package qd: what it declares, and what of it was last checked.
type qdPackage struct {
	src   *Package
	index *partIndex

	mu    sync.Mutex
	parts map[*part]bool // those of lib
	lib   *library
}

// latestQD is the package qd that was last used. There is one in a program, embedded; tests
// bring their own.
var latestQD struct {
	sync.Mutex
	*qdPackage
}

// qdPackageOf returns package qd with its declarations known.
func qdPackageOf(src *Package) *qdPackage {
	latestQD.Lock()
	defer latestQD.Unlock()
	if q := latestQD.qdPackage; q == nil || !sameSource(q.src, src) {
		src = &Package{Path: QDPath, Files: slices.Clone(src.Files)}
		latestQD.qdPackage = &qdPackage{src: src, index: newPartIndex(src, qdBase), parts: make(map[*part]bool)}
	}
	return latestQD.qdPackage
}

// library returns package qd checked, with all that a program needs of it. What was needed
// before stays in it, so that programs soon share one; those that came earlier keep theirs.
func (q *qdPackage) library(w wish) *library {
	q.mu.Lock()
	defer q.mu.Unlock()
	more := false
	for p := range q.index.reached(w) {
		more = more || !q.parts[p]
		q.parts[p] = true
	}
	if more || q.lib == nil {
		files, syntax, size := q.index.syntax(q.parts)
		q.lib = newLibrary(QDPath, files, syntax, size)
	}
	return q.lib
}

func sameSource(a, b *Package) bool {
	return slices.EqualFunc(a.Files, b.Files, func(a, b File) bool {
		return a.Name == b.Name && string(a.Src) == string(b.Src)
	})
}
