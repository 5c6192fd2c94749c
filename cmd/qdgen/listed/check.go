package listed

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/gcexportdata"
	"golang.org/x/tools/go/packages"
)

// A ParseFile parses a file that has a text, see [packages.Config]. Several goroutines call it.
type ParseFile func(fset *token.FileSet, name string, text []byte) (*ast.File, error)

// ParseAll parses all of a file.
func ParseAll(fset *token.FileSet, name string, text []byte) (*ast.File, error) {
	return parser.ParseFile(fset, name, text, parser.AllErrors|parser.ParseComments|parser.SkipObjectResolution)
}

// Check type-checks packages of the list, by their IDs, as [packages.Load] does: from source, and what they import from
// what the go command has compiled, unless it imports one of them. What is wrong with a package is among its Errors. The
// packages are copies of those of the list. Their types, and those of what they import, are not those of another Check.
func (l *List) Check(fset *token.FileSet, parse ParseFile, ids ...string) ([]*packages.Package, error) {
	c, err := l.newChecker(fset, parse)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		if c.all[id] == nil {
			return nil, fmt.Errorf("package %s is not listed", id)
		}
		c.all[id].root, c.all[id].source = true, true
	}
	for _, id := range ids {
		c.visit(c.all[id])
	}
	c.loadCompiled()
	var all sync.WaitGroup
	for _, p := range c.order {
		if p.source {
			all.Go(func() { c.check(p) })
		}
	}
	all.Wait()
	checked := make([]*packages.Package, len(ids))
	for i, id := range ids {
		checked[i] = c.all[id].Package
	}
	return checked, nil
}

// Exported are the types of packages of the list, by import path, as the go command has compiled them; those that do
// not compile are left out.
func (l *List) Exported(paths ...string) (map[string]*types.Package, error) {
	c, err := l.newChecker(token.NewFileSet(), nil)
	if err != nil {
		return nil, err
	}
	found := make(map[string]*types.Package)
	for _, path := range paths {
		if p := c.all[path]; p != nil && c.load(p) == nil {
			found[path] = p.Types
		}
	}
	return found, nil
}

// A checker type-checks packages once.
type checker struct {
	fset  *token.FileSet
	parse ParseFile
	sizes types.Sizes
	all   map[string]*checkedPackage // by ID
	order []*checkedPackage          // those that are visited, each behind those that it imports
	files sync.Map                   // *parsedFile by name: a package and its variant for a test have the same files
	busy  chan struct{}              // limits how many are parsed and checked at a time
}

// A checkedPackage is a package that a checker type-checks, or reads the types of.
type checkedPackage struct {
	*packages.Package
	root    bool
	source  bool // type-checked from its source
	visited bool
	done    chan struct{} // closed when Types is complete, of one with source
	err     error         // why there are no types of what is compiled
}

func (l *List) newChecker(fset *token.FileSet, parse ParseFile) (*checker, error) {
	c := &checker{fset: fset, parse: parse, all: make(map[string]*checkedPackage), busy: make(chan struct{}, runtime.GOMAXPROCS(0))}
	var err error
	if c.sizes, err = l.sizes(); err != nil {
		return nil, err
	}
	for id, p := range l.byID {
		own := *p
		own.Errors = slices.Clone(p.Errors)
		own.Imports = make(map[string]*packages.Package, len(p.Imports))
		own.Fset, own.TypesSizes = fset, c.sizes
		// Each has a package from the beginning, so that reading one that imports it makes no other.
		if own.Types = types.NewPackage(p.PkgPath, p.Name); p.PkgPath == "unsafe" {
			own.Types = types.Unsafe
		}
		c.all[id] = &checkedPackage{Package: &own, done: make(chan struct{})}
	}
	for id, p := range c.all {
		for path, imported := range l.byID[id].Imports {
			p.Imports[path] = c.all[imported.ID].Package
		}
	}
	return c, nil
}

// sizes are those of the system that the packages are built for.
func (l *List) sizes() (types.Sizes, error) {
	arch := ""
	if p := l.byID["internal/goarch"]; p != nil { // which nearly all import
		for _, file := range p.GoFiles {
			if name, ok := strings.CutPrefix(filepath.Base(file), "zgoarch_"); ok {
				arch = strings.TrimSuffix(name, ".go")
			}
		}
	}
	if arch == "" {
		cmd := exec.Command("go", "env", "GOARCH")
		cmd.Dir = l.query.Dir
		out, err := cmd.Output()
		if err != nil {
			return nil, err
		}
		arch = strings.TrimSpace(string(out))
	}
	if sizes := types.SizesFor("gc", arch); sizes != nil {
		return sizes, nil
	}
	return nil, fmt.Errorf("the sizes of types are not known for GOARCH=%s", arch)
}

// visit finds out which packages are type-checked from source: those that import one which is, and those that the go
// command could not compile.
func (c *checker) visit(p *checkedPackage) (source bool) {
	if p.visited {
		return p.source
	}
	p.visited = true
	p.source = p.source || p.ExportFile == "" && p.PkgPath != "unsafe"
	for _, imported := range p.Imports {
		if c.visit(c.all[imported.ID]) {
			p.source = true
		}
	}
	c.order = append(c.order, p)
	return p.source
}

// loadCompiled reads the types of what those packages import that are type-checked. To read one writes into others that
// it imports, so this is done before several goroutines use them, and in the order of the imports.
func (c *checker) loadCompiled() {
	wanted := make(map[string]bool)
	for _, p := range c.order {
		for _, imported := range p.Imports {
			wanted[imported.ID] = wanted[imported.ID] || p.source
		}
	}
	for _, p := range c.order {
		if wanted[p.ID] && !p.source {
			c.load(p)
		}
	}
}

// check type-checks a package when those that it imports are.
func (c *checker) check(p *checkedPackage) {
	defer close(p.done)
	for _, imported := range p.Imports {
		if i := c.all[imported.ID]; i.source {
			<-i.done
		}
	}
	if p.PkgPath == "unsafe" {
		p.TypesInfo, p.Syntax = newInfo(), []*ast.File{}
		return
	}
	c.busy <- struct{}{}
	defer func() { <-c.busy }()
	for _, name := range p.CompiledGoFiles {
		f, err := c.file(name)
		p.addError(err)
		if f != nil {
			p.Syntax = append(p.Syntax, f)
		}
	}
	p.TypesInfo = newInfo()
	config := &types.Config{
		Importer:         importer(func(path string) (*types.Package, error) { return c.imported(p, path) }),
		IgnoreFuncBodies: !p.root,
		Error:            p.addError,
		Sizes:            c.sizes,
	}
	if p.Module != nil && p.Module.GoVersion != "" {
		config.GoVersion = "go" + p.Module.GoVersion
	}
	if err := types.NewChecker(config, c.fset, p.Types, p.TypesInfo).Files(p.Syntax); len(p.Errors) == 0 {
		p.addError(err)
	}
	p.IllTyped = len(p.Errors) > 0
	for _, imported := range p.Imports {
		p.IllTyped = p.IllTyped || imported.IllTyped
	}
}

// An importer implements [types.Importer].
type importer func(path string) (*types.Package, error)

func (i importer) Import(path string) (*types.Package, error) { return i(path) }

// imported is a package that another one imports.
func (c *checker) imported(by *checkedPackage, path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	found := by.Imports[path]
	if found == nil { // it imports this one, or the source has changed since
		return nil, errors.New("the go command has listed no such import")
	}
	return found.Types, c.all[found.ID].err
}

// load reads the types of a package that the go command has compiled.
func (c *checker) load(p *checkedPackage) error {
	p.err = c.read(p)
	p.IllTyped = p.err != nil
	return p.err
}

func (c *checker) read(p *checkedPackage) error {
	if p.Types.Complete() {
		return nil
	}
	if p.ExportFile == "" {
		return errors.New("the go command has not compiled it")
	}
	f, err := os.Open(p.ExportFile)
	if err != nil {
		return err
	}
	defer f.Close()
	//lint:ignore SA1019 it also reads what releases of Go before 1.28 write
	r, err := gcexportdata.NewReader(f)
	if err != nil {
		return err
	}
	// All that it imports, in one way or another: two packages for one path are of different tests.
	known := make(map[string]*types.Package)
	packages.Visit([]*packages.Package{p.Package}, nil, func(i *packages.Package) { known[i.PkgPath] = i.Types })
	_, err = gcexportdata.Read(r, c.fset, known, p.PkgPath)
	return err
}

// A parsedFile is a file that is parsed once.
type parsedFile struct {
	once sync.Once
	file *ast.File
	err  error
}

func (c *checker) file(name string) (*ast.File, error) {
	found, _ := c.files.LoadOrStore(name, new(parsedFile))
	f := found.(*parsedFile)
	f.once.Do(func() {
		var text []byte
		if text, f.err = os.ReadFile(name); f.err == nil {
			f.file, f.err = c.parse(c.fset, name, text)
		}
	})
	return f.file, f.err
}

// addError adds what is wrong with a package.
func (p *checkedPackage) addError(err error) {
	add := func(pos, msg string, kind packages.ErrorKind) {
		p.Errors = append(p.Errors, packages.Error{Pos: pos, Msg: msg, Kind: kind})
	}
	switch err := err.(type) {
	case nil:
	case *fs.PathError:
		add(err.Path+":1", err.Err.Error(), packages.ParseError)
	case scanner.ErrorList:
		for _, e := range err {
			add(e.Pos.String(), e.Msg, packages.ParseError)
		}
	case types.Error:
		p.TypeErrors = append(p.TypeErrors, err)
		add(err.Fset.Position(err.Pos).String(), err.Msg, packages.TypeError)
	default:
		add("-", err.Error(), packages.UnknownError)
	}
}

func newInfo() *types.Info {
	return &types.Info{
		Types: make(map[ast.Expr]types.TypeAndValue), Defs: make(map[*ast.Ident]types.Object), Uses: make(map[*ast.Ident]types.Object),
		Implicits: make(map[ast.Node]types.Object), Instances: make(map[*ast.Ident]types.Instance), Scopes: make(map[ast.Node]*types.Scope),
		Selections: make(map[*ast.SelectorExpr]*types.Selection), FileVersions: make(map[*ast.File]string),
	}
}
