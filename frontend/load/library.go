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

// A library is a package that comes with this program: it is checked whole, and once
// per process. Much of it are operations of the device, which the front end knows by
// their names. What else has a body, and needs nothing that kernels cannot have, is
// compiled like any other function.
type library struct {
	types *types.Package
	files []*sourceFile
	funcs map[*types.Func]*Function // those with a body to compile
	end   int                       // base for what comes after it
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
	return newLibrary(&Package{Path: path, Files: []File{{Name: path + "/doc.go", Src: src}}}, base)
}

// newLibrary parses and checks a library. Errors in it are no business of kernels: it
// compiles, as it is part of this program. They tell what is not for kernels: that
// uses other files, or packages that are not there.
func newLibrary(src *Package, base int) *library {
	p, end := parsePackage(src, base, parser.SkipObjectResolution, func(*File) bool { return false })
	lib := &library{files: p.files, funcs: make(map[*types.Func]*Function), end: end}
	var wrong []token.Pos
	fset := token.NewFileSet()
	var syntax []*ast.File
	size := 0
	for _, f := range p.files {
		fset.AddExistingFiles(f.tok)
		f.useAll()
		for _, d := range f.decls {
			d.level = called
		}
		size += len(f.Src)
		if s := f.trimmed(); s != nil {
			syntax = append(syntax, s)
		}
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
	lib.types, _ = conf.Check(src.Path, fset, syntax, info)
	for _, f := range p.files {
		for _, d := range f.decls {
			if d.fn == nil || d.fn.Body == nil || slices.ContainsFunc(wrong, func(at token.Pos) bool { return d.fn.Pos() <= at && at < d.fn.End() }) {
				continue
			}
			if obj, ok := info.Defs[d.fn.Name].(*types.Func); ok {
				lib.funcs[obj] = &Function{Obj: obj, Decl: d.fn, Pkg: lib.types, File: f.File, Info: info}
			}
		}
	}
	return lib
}

// useAll keeps a library's imports, under the names they have by convention.
func (f *sourceFile) useAll() {
	for _, spec := range f.syntax.Imports {
		if spec.Name == nil {
			f.useImport(conventionalName(importPath(spec)), spec)
		} else if name := spec.Name.Name; name != "_" && name != "." {
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

// latestQD is the package qd that was last checked. There is one in a program,
// embedded; tests bring their own.
var latestQD struct {
	sync.Mutex
	src *Package
	lib *library
}

// qdLibrary returns package qd checked.
func qdLibrary(src *Package) *library {
	latestQD.Lock()
	defer latestQD.Unlock()
	if latestQD.src == nil || !sameSource(latestQD.src, src) {
		latestQD.src = &Package{Path: QDPath, Files: slices.Clone(src.Files)}
		latestQD.lib = newLibrary(latestQD.src, qdBase)
	}
	return latestQD.lib
}

func sameSource(a, b *Package) bool {
	return slices.EqualFunc(a.Files, b.Files, func(a, b File) bool {
		return a.Name == b.Name && string(a.Src) == string(b.Src)
	})
}
