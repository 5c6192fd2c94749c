package vet

import (
	"errors"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"reflect"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"

	"github.com/qdgen/qd/frontend"
	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/bug"
	"github.com/qdgen/qd/internal/library"
)

// Analyzer reports what is wrong with the kernels of a package and with their
// launches. A kernel that is wrong because of a function of another package is
// reported where that function is.
//
// Its result is a *[Result].
var Analyzer = NewAnalyzer(nil)

// NewAnalyzer makes an [Analyzer] that knows packages which are analyzed with one another: a generic kernel is looked
// at with the types that any of them launches it with.
func NewAnalyzer(pkgs []*packages.Package) *analysis.Analyzer {
	elsewhere := launchedIn(pkgs)
	return &analysis.Analyzer{
		Name:             "qdkernel",
		Doc:              "report kernels that qdgen cannot compile, and launches whose arguments do not fit\n\nA kernel is a function with the directive //qd:kernel, or a function that is passed to qd.Launch, qd.Run or qd.NewKernel.",
		URL:              "https://pkg.go.dev/github.com/qdgen/qd/cmd/qdgen/vet",
		Run:              func(pass *analysis.Pass) (any, error) { return run(pass, elsewhere) },
		RunDespiteErrors: true, // type errors outside of kernels are none of ours, those in them are reported
		ResultType:       reflect.TypeFor[*Result](),
	}
}

// Result is what the analyzer found in a package.
type Result struct {
	// Diagnostics are the problems, in the form in which a launch reports them.
	Diagnostics []diag.Diagnostic

	// Warnings are what is not wrong but hardly meant. Drivers are not told: all that they
	// know is a failure.
	Warnings []diag.Diagnostic

	// Notes are what is wrong for some of the values that a launch may give at compile time, where it is not
	// known which values there are. Drivers are not told either.
	Notes []diag.Diagnostic
}

func run(pass *analysis.Pass, elsewhere map[kernelName]bool) (any, error) {
	if !concerned(pass) {
		return &Result{}, nil
	}
	src, err := sources(pass)
	if err != nil {
		return nil, err
	}
	var problems, warnings diag.List
	refs, err := frontend.Kernels(src, pass.Pkg.Path())
	if err := collect(&problems, err); err != nil {
		return nil, err
	}
	launches := findLaunches(pass)
	refs = instances(pass, withLaunched(refs, launches), launches, elsewhere)
	opts := frontend.Options{Registered: (&registered{src: src}).has, Warn: func(d diag.Diagnostic) { warnings.Add(d) }}
	if len(refs) > 0 {
		kernels := examined(pass, refs, launches)
		examine := func(name string, kernels ...frontend.Examined) error {
			return bug.Guard(name, func() error { return frontend.Examine(opts, src, kernels, nil) })
		}
		err := examine("", kernels...)
		if errors.As(err, new(*bug.Error)) && len(refs) > 1 {
			// One by one, to tell which, and what is wrong with the others.
			var errs []error
			for _, k := range kernels {
				errs = append(errs, collect(&problems, examine(k.Kernel.Name, k)))
			}
			err = errors.Join(errs...)
		}
		if err := collect(&problems, err); err != nil {
			return nil, err
		}
	}
	if differentiates(pass) {
		for _, ref := range refs {
			if err := constantGradients(src, opts, ref, &warnings); err != nil {
				return nil, err
			}
		}
	}
	if funcs := functionValues(pass); len(funcs) > 0 {
		err := bug.Guard("", func() error { return frontend.Examine(opts, src, nil, funcs) })
		if err := collect(&problems, err); err != nil {
			return nil, err
		}
	}
	for _, l := range launches {
		problems.Add(l.check(pass)...)
	}
	problems.Add(captureProblems(pass)...)
	result := &Result{Warnings: warnings.All()}
	for _, d := range problems.All() {
		if d.Doubtful {
			result.Notes = append(result.Notes, d)
		} else {
			result.Diagnostics = append(result.Diagnostics, d)
		}
	}
	places := places{pass: pass}
	for _, d := range result.Diagnostics {
		msg := d.Msg
		if d.Hint != "" {
			msg += "; " + d.Hint
		}
		pass.Report(analysis.Diagnostic{Pos: places.of(d.Pos), End: places.of(d.End), Category: "kernel", Message: msg})
	}
	return result, nil
}

// collect adds the front end's diagnostics to the list and gives back any other
// error.
func collect(problems *diag.List, err error) error {
	faults := (*diag.Diagnostics)(nil)
	if errors.As(err, &faults) {
		problems.Add(faults.List...)
		return nil
	}
	return err
}

// concerned reports whether a package can have kernels: whether it imports package qd.
func concerned(pass *analysis.Pass) bool {
	for _, f := range pass.Files {
		for _, spec := range f.Imports {
			if spec.Path.Value == `"`+load.QDPath+`"` {
				return true
			}
		}
	}
	return false
}

// own is the source of the package under analysis, with the files that the driver
// chose; build constraints have been seen to.
type own struct{ pkg *load.Package }

// Package implements [load.Sources].
func (o own) Package(path string) (*load.Package, error) {
	if path == o.pkg.Path {
		return o.pkg, nil
	}
	return nil, nil
}

// sources are where the front end finds this package and those that it imports.
func sources(pass *analysis.Pass) (load.Sources, error) {
	p := &load.Package{Path: pass.Pkg.Path()}
	read := pass.ReadFile
	if read == nil {
		read = os.ReadFile
	}
	for _, f := range pass.Files {
		name := writtenFile(pass, f)
		if name == "" {
			continue
		}
		readFile := read
		if ofCgo(f) {
			readFile = os.ReadFile // the pass has none but cgo's
		}
		text, err := readFile(name)
		if err != nil {
			return nil, err
		}
		p.Files = append(p.Files, load.File{Name: name, Src: text, Chosen: true})
	}
	for _, name := range pass.OtherFiles {
		if filepath.Ext(name) != ".s" {
			continue
		}
		text, err := read(name)
		if err != nil {
			return nil, err
		}
		if f, ok := load.Assembly(name, text); ok {
			p.Assembly = append(p.Assembly, f)
		}
	}
	list := []load.Sources{own{p}, library.Sources()}
	if len(p.Files) > 0 {
		if name, err := filepath.Abs(p.Files[0].Name); err == nil {
			if disk, _, err := load.Disk(name); err == nil {
				list = append(list, disk)
			}
		}
	}
	return load.Chain(append(list, load.Standard{})...), nil
}

// withLaunched adds the kernels of this package that are launched and do not carry
// the directive.
func withLaunched(refs []load.Ref, launches []*launch) []load.Ref {
	seen := make(map[load.Ref]bool)
	for _, r := range refs {
		seen[load.Ref{Name: r.Name}] = true
	}
	for _, l := range launches {
		key := load.Ref{Name: l.ref.Name}
		if key.Name == "" { // a literal: known by its place
			key = l.ref
		}
		if l.own && !seen[key] {
			seen[key] = true
			refs = append(refs, l.ref)
		}
	}
	return refs
}

// places turns positions of the front end into those of the pass.
type places struct {
	pass  *analysis.Pass
	files map[string]*token.File
}

// of is the place of a position; NoPos for one that is in no file.
func (p *places) of(at token.Position) token.Pos {
	if !at.IsValid() {
		return token.NoPos
	}
	f := p.file(at.Filename)
	if f == nil || at.Offset > f.Size() {
		return token.NoPos
	}
	return f.Pos(at.Offset)
}

func (p *places) file(name string) *token.File {
	if f, ok := p.files[name]; ok {
		return f
	}
	if p.files == nil {
		p.files = make(map[string]*token.File)
		for _, f := range p.pass.Files {
			tok := p.pass.Fset.File(f.FileStart)
			p.files[tok.Name()] = tok
		}
		return p.file(name)
	}
	// A file of another package, which the pass has not read.
	text, err := os.ReadFile(name)
	if err != nil {
		p.files[name] = nil
		return nil
	}
	f := p.pass.Fset.AddFile(name, -1, len(text))
	f.SetLinesForContent(text)
	p.files[name] = f
	return f
}

// unparen is an expression without parentheses and without type arguments.
func unparen(e ast.Expr) ast.Expr {
	switch x := ast.Unparen(e).(type) {
	case *ast.IndexExpr:
		return ast.Unparen(x.X)
	case *ast.IndexListExpr:
		return ast.Unparen(x.X)
	default:
		return x
	}
}
