package load

import (
	_ "embed"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"sync"
)

// A library is a package that comes with this program: it is checked once per process, those
// of this module as far as programs need them. Much of it are operations of the device, which the front end
// knows by their names. What else has a body, and needs nothing that kernels cannot have, is
// compiled like any other function.
type library struct {
	types *types.Package
	files []*sourceFile
	funcs map[*types.Func]*Function // those with a body to compile

	companions map[*types.Func]map[string]*Companion // by directive
}

//go:generate go run stubs/generate.go

//go:embed stubs/math.go.txt
var mathStub []byte

//go:embed stubs/math_bits.go.txt
var bitsStub []byte

//go:embed stubs/math_cmplx.go.txt
var cmplxStub []byte

// divisionStub is a second file of package math/cmplx.
//
//go:embed stubs/complex_division.go.txt
var divisionStub []byte

//go:embed stubs/errors.go.txt
var errorsStub []byte

// fmtStub has the declarations of package fmt: the front end knows those that make texts.
//
//go:embed stubs/fmt.go.txt
var fmtStub []byte

const fmtPath = "fmt"

// constantTimeStub has what the Go compiler knows the meaning of, in the place of bodies that are never run.
//
//go:embed stubs/constanttime.go.txt
var constantTimeStub []byte

const constantTimePath = "crypto/internal/constanttime"

// stringStub has the comparison of strings, which package runtime has in assembly. Nobody imports its package.
//
//go:embed stubs/string_equality.go.txt
var stringStub []byte

const stringPath = "runtime/string"

// Positions of all libraries have fixed places, in front of those of a Check's own
// files, so that every Check can add them to its file set.
const firstBase = 2

var (
	bitsBase         = firstBase + len(mathStub) + 1
	errorsBase       = bitsBase + len(bitsStub) + 1
	cmplxBase        = errorsBase + len(errorsStub) + 1
	constantTimeBase = cmplxBase + len(cmplxStub) + 1 + len(divisionStub) + 1
	stringBase       = constantTimeBase + len(constantTimeStub) + 1
	fmtBase          = stringBase + len(stringStub) + 1
	ownBase          = fmtBase + len(fmtStub) + 1
)

// ownRoom is how many positions there are for each of this module's packages: more than they
// have, so that the positions of one do not depend on which others are in use.
const ownRoom = 8 << 20

// baseOf is where the positions of one of this module's packages begin.
func baseOf(path string) int { return ownBase + slices.Index(OwnPaths, path)*ownRoom }

// userBase is where those of a Check's own files begin.
func userBase() int { return ownBase + len(OwnPaths)*ownRoom }

var stubs = map[string]func() *library{
	"math":      sync.OnceValue(func() *library { return newStub("math", firstBase, mathStub) }),
	"math/bits": sync.OnceValue(func() *library { return newStub("math/bits", bitsBase, bitsStub) }),
	cmplxPath:   sync.OnceValue(func() *library { return newStub(cmplxPath, cmplxBase, cmplxStub, divisionStub) }),
	"errors":    sync.OnceValue(func() *library { return newStub("errors", errorsBase, errorsStub) }),
	fmtPath:     sync.OnceValue(func() *library { return newStub(fmtPath, fmtBase, fmtStub) }),

	stringPath:       sync.OnceValue(func() *library { return newStub(stringPath, stringBase, stringStub) }),
	constantTimePath: sync.OnceValue(func() *library { return newStub(constantTimePath, constantTimeBase, constantTimeStub) }),
}

// isLibrary reports whether a package comes with this program.
func isLibrary(path string) bool { return IsOwn(path) || stubs[path] != nil }

// IsLibrary reports whether a package is one of those that come with this program.
func IsLibrary(p *types.Package) bool { return p != nil && isLibrary(p.Path()) }

func newStub(path string, base int, texts ...[]byte) *library {
	given, size := &Package{Path: path}, 0
	for i, src := range texts {
		// The name is a path in Go's own tree, where a curious reader finds more.
		name := path + "/doc.go"
		if i > 0 {
			name = "runtime/complex.go"
		}
		given.Files = append(given.Files, File{Name: name, Src: src})
		size += len(src)
	}
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
	return newLibrary(path, p.files, syntax, size, nil)
}

// cmplxPath is the import path of the package of functions of complex numbers.
const cmplxPath = "math/cmplx"

// ComplexDivision is the function that divides complex numbers, for the operator /. It is there also where the
// program does not import the package that it stands in.
func (p *Program) ComplexDivision() *types.Func {
	return p.stub(cmplxPath).types.Scope().Lookup("complex128div").(*types.Func)
}

// StringEquality is the function that compares slices of bytes as strings.
func (p *Program) StringEquality() *types.Func {
	return p.stub(stringPath).types.Scope().Lookup("equal").(*types.Func)
}

// stub is a package of the standard library that comes with this program, nil if there is none of that path: also one
// that the program does not import, which another one calls.
func (p *Program) stub(path string) *library {
	stub := stubs[path]
	if stub == nil {
		return nil
	}
	lib := stub()
	for _, f := range lib.files {
		p.Fset.AddExistingFiles(f.tok)
	}
	return lib
}

// newLibrary checks files, with so many bytes of source. Errors in them are no business of
// kernels: they compile, as they are part of this program. They tell what is not for
// kernels: that uses other files, or packages that are not there. It may import others.
func newLibrary(path string, files []*sourceFile, syntax []*ast.File, size int, others map[string]*library) *library {
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
		Importer:                 libraryImporter(others),
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
	lib.findCompanions(fset)
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
type libraryImporter map[string]*library

func (others libraryImporter) Import(path string) (*types.Package, error) {
	if lib := others[path]; lib != nil {
		return lib.types, nil
	}
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

// ownPackages are this module's packages: what they declare, and what of it was last checked.
type ownPackages struct {
	mu      sync.Mutex
	indexes map[string]*partIndex // by import path; of those that were asked for
	parts   map[*part]bool        // those of libs
	libs    map[string]*library
	checked int // how many bytes of declarations have been checked, each as often as it was
}

// latestOwn are the packages that were last used. There is one of each in a program, embedded; tests
// bring their own.
var latestOwn struct {
	sync.Mutex
	*ownPackages
}

// with returns packages among which one, with its declarations known, is of a source: those that
// were last used, if these are among them, and else others. of is nil for the first package.
func (of *ownPackages) with(path string, src *Package) *ownPackages {
	latestOwn.Lock()
	defer latestOwn.Unlock()
	if of == nil {
		of = latestOwn.ownPackages
	}
	if of == nil || !of.add(path, src) {
		others := &ownPackages{indexes: make(map[string]*partIndex), parts: make(map[*part]bool)}
		if of != nil && path != QDPath {
			of.mu.Lock()
			maps.Copy(others.indexes, of.indexes)
			of.mu.Unlock()
			delete(others.indexes, path)
		}
		others.add(path, src)
		of = others
	}
	latestOwn.ownPackages = of
	return of
}

// add adds a package, unless it is there; it reports false if that is of another source.
func (o *ownPackages) add(path string, src *Package) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if x := o.indexes[path]; x != nil {
		return sameSource(x.pkg.given, src)
	}
	o.indexes[path] = newPartIndex(&Package{Path: path, Files: slices.Clone(src.Files)}, baseOf(path))
	return true
}

// index is where a package declares what, nil for one that is not there.
func (o *ownPackages) index(path string) *partIndex {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.indexes[path]
}

// libraries returns the packages checked, with all that a program needs of them. What was needed before stays in them,
// so that programs soon share them; those that came earlier keep theirs. Many programs of which each needs a little
// more would have all of it checked as often: once as much has been checked as there is, everything is, and that for
// the last time.
func (o *ownPackages) libraries(w wish) map[string]*library {
	o.mu.Lock()
	defer o.mu.Unlock()
	more := len(o.libs) < len(o.indexes)
	for p := range o.reached(w) {
		more = more || !o.parts[p]
		o.parts[p] = true
	}
	if more && o.checked >= o.size() {
		o.addAll()
	}
	if more {
		libs := make(map[string]*library)
		for _, path := range OwnPaths {
			if x := o.indexes[path]; x != nil {
				files, syntax, size := x.syntax(o.parts)
				libs[path] = newLibrary(path, files, syntax, size, libs)
				o.checked += size
			}
		}
		o.libs = libs
	}
	return o.libs
}

// size is how many bytes of source there are.
func (o *ownPackages) size() (n int) {
	for _, x := range o.indexes {
		for _, f := range x.files {
			n += len(f.Src)
		}
	}
	return n
}

// addAll makes all declarations those that are needed.
func (o *ownPackages) addAll() {
	for _, x := range o.indexes {
		for _, f := range x.files {
			for i := range f.parts {
				x.parse(&f.parts[i])
				o.parts[&f.parts[i]] = true
			}
		}
	}
}

func sameSource(a, b *Package) bool {
	return slices.EqualFunc(a.Files, b.Files, func(a, b File) bool {
		return a.Name == b.Name && string(a.Src) == string(b.Src)
	})
}
