package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/qdgen/qd/frontend/diag"
)

// loader is the state of one Check.
type loader struct {
	src      Sources
	also     Also
	prog     *Program
	problems diag.List
	literals diag.List           // the problems of function literals that cannot be kernels, which the others can be told with
	wanted   map[string][]string // base names of the files that kernels are in, by import path

	base   int                       // of the next file's positions
	libs   map[string]*library       // the libraries in use
	pkgs   map[string]*sourcePackage // what was asked for, by import path; nil for what is not to be had
	order  []*sourcePackage          // those that are not nil
	failed map[string]error          // why a package could not be read

	// Reachability by syntax.
	own      *ownPackages       // nil where the sources do not have package qd
	asked    map[string]bool    // those of them that are in use, by import path
	wish     wish               // what is reached of them
	queue    []*decl            // reached and to be walked
	selected map[string]bool    // names selected in something reached
	methods  map[string][]*decl // methods of reached types, by name
	locals   localTypes
	size     int // bytes of source walked

	callsTo func(token.Pos) string // once it is known
	texts   bool                   // a kernel may panic with what says itself what it is
	quiet   bool                   // what is wrong is no error: only where it is, is noted
	quietAt []token.Pos            // there

	untypedCapture  bool // a variable that a literal captures has no type
	declareCaptures bool // so variables are declared with the types of the values

	// Type checking.
	empty  map[string]*types.Package // packages without source
	errors []typeError
}

func newLoader(src Sources) *loader {
	return &loader{
		src: src,
		prog: &Program{
			Fset:  token.NewFileSet(),
			Funcs: make(map[*types.Func]*Function),
			texts: make(map[*token.File]*sourceFile),

			targets:  make(map[Ref]Target),
			reported: make(map[Ref]bool),
			named:    make(map[Global]Target),
			vars:     make(map[*types.Var]*Var),
			statics:  make(map[token.Pos]*Static),
		},
		wanted:   make(map[string][]string),
		libs:     make(map[string]*library),
		pkgs:     make(map[string]*sourcePackage),
		failed:   make(map[string]error),
		base:     userBase(),
		asked:    make(map[string]bool),
		wish:     newWish(),
		selected: make(map[string]bool),
		methods:  make(map[string][]*decl),
		locals:   make(localTypes),
		empty:    make(map[string]*types.Package),
	}
}

// newInfo makes room for the type checker's results on so many bytes of source;
// the ratios are those of numeric code.
func newInfo(size int) *types.Info {
	return &types.Info{
		Types:      make(map[ast.Expr]types.TypeAndValue, size/6),
		Instances:  make(map[*ast.Ident]types.Instance),
		Defs:       make(map[*ast.Ident]types.Object, size/30),
		Uses:       make(map[*ast.Ident]types.Object, size/9),
		Implicits:  make(map[ast.Node]types.Object),
		Selections: make(map[*ast.SelectorExpr]*types.Selection),
	}
}

// load returns a package's parsed source, nil if the sources do not have it.
func (l *loader) load(path string) *sourcePackage {
	if p, ok := l.pkgs[path]; ok {
		return p
	}
	l.pkgs[path] = nil
	if isLibrary(path) || path == "unsafe" || path == "C" || path == "" {
		return nil
	}
	src, err := l.src.Package(path)
	if err != nil {
		l.failed[path] = err
		return nil
	}
	if src == nil || len(src.Files) == 0 {
		return nil
	}
	p, next := parseWithTwins(src, l.base, parseMode, l.ownSyntax(), func(f *File) bool {
		return slices.Contains(l.wanted[path], baseName(f.Name))
	})
	l.base = next
	p.path, p.others = path, l.pkgs
	for _, f := range p.files {
		l.prog.addFile(f)
	}
	l.strayCompanions(p)
	l.pkgs[path] = p
	l.order = append(l.order, p)
	return p
}

// loadOwn gets one of this module's packages from the sources, if they have it, and those that it imports.
func (l *loader) loadOwn(path string) {
	if _, ok := l.asked[path]; ok {
		return
	}
	src, err := l.src.Package(path)
	if err != nil {
		l.failed[path] = err
	}
	found := err == nil && src != nil && len(src.Files) > 0
	if l.asked[path] = found; found {
		l.own = l.own.with(path, src)
		for _, imported := range l.own.index(path).imports {
			l.loadOwn(imported)
		}
	}
}

// ownIndex is where one of this module's packages that are in use declares what, nil for any other.
func (l *loader) ownIndex(path string) *partIndex {
	if !l.asked[path] {
		return nil
	}
	return l.own.index(path)
}

// checkOwn makes what is reached of this module's packages part of the program.
func (l *loader) checkOwn() {
	if l.own == nil {
		return
	}
	libs := l.own.libraries(l.wish)
	for _, path := range OwnPaths {
		if l.asked[path] {
			l.addLibrary(path, libs[path])
		}
	}
}

// library returns a package that comes with this program, nil if there is none of that path.
func (l *loader) library(path string) *library {
	lib := l.libs[path]
	if stub := stubs[path]; lib == nil && stub != nil {
		lib = stub()
		l.addLibrary(path, lib)
	}
	return lib
}

func (l *loader) addLibrary(path string, lib *library) {
	l.libs[path] = lib
	l.prog.libs = l.libs
	for _, f := range lib.files {
		l.prog.addFile(f)
	}
}
