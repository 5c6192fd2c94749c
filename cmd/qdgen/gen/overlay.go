package gen

import (
	"bytes"
	"errors"
	"fmt"
	"go/types"
	"path/filepath"
	"slices"

	"github.com/dave/jennifer/jen"
	"golang.org/x/tools/go/packages"
)

// EvalPath is the import path of the package that serves values.
const EvalPath = "github.com/qdgen/qd/cmd/qdgen/eval"

// serveFile is the file of an overlay that serves values. The go command initializes a
// package's files in the order of their names: this one is to be the last.
const serveFile = "zzzz_qdgen_eval.go"

// serveDir is the directory of an overlay with the command that is built where the package
// itself is none.
const serveDir = "qdgen_eval"

// An Overlay is files for go build -overlay, with which a package becomes a program that
// serves its values, see package eval.
type Overlay struct {
	Files map[string][]byte // by absolute path
	Build []string          // what to build, as the go command takes it
}

// A Value is an expression that a program is to serve the value of, under a name.
type Value struct {
	Name string
	Expr *Expr
	Type types.Type // that it is converted to by assignment, nil for its own
}

// Overlay makes the overlay for a package. What the packages' generated files are to say
// counts, whatever they say now.
func (w *Workspace) Overlay(path string, values []Value) (*Overlay, error) {
	var pkgs []*packages.Package
	for _, p := range w.l.listed {
		if isDevelopment(p) {
			pkgs = append(pkgs, p)
			w.matched[p.PkgPath] = true
		}
	}
	if err := w.planAll(pkgs); err != nil {
		return nil, err
	}
	o := &Overlay{Files: make(map[string][]byte), Build: []string{path}}
	for _, p := range w.plans {
		shown := *p
		shown.embed, shown.foreign = false, nil
		text, err := shown.render()
		if err != nil {
			return nil, err
		}
		o.Files[filepath.Join(p.dir(), FileName)] = text
	}
	if err := w.l.check(path); err != nil {
		return nil, err
	}
	p, err := w.l.plan(w.l.typed[path])
	if err != nil {
		return nil, err
	}
	if o.Files[filepath.Join(p.dir(), serveFile)], err = p.serveText(values); err != nil {
		return nil, err
	}
	if p.Name != "main" {
		if path == named {
			return nil, errors.New("give the package, not its files: they are not a command")
		}
		o.Build = []string{path + "/" + serveDir}
		main := jen.NewFile("main")
		main.Anon(path)
		main.Func().Id("main").Params().Block()
		o.Files[filepath.Join(p.dir(), serveDir, "main.go")] = []byte(main.GoString())
	}
	if path == named {
		o.Build = slices.Clone(p.GoFiles)
		if generated := filepath.Join(p.dir(), FileName); o.Files[generated] != nil && !slices.Contains(o.Build, generated) {
			o.Build = append(o.Build, generated)
		}
		o.Build = append(o.Build, filepath.Join(p.dir(), serveFile)) // initialized in this order
	}
	return o, nil
}

func (s *source) dir() string { return filepath.Dir(s.GoFiles[0]) }

// serveText is the file that serves the values of a package.
func (p *plan) serveText(values []Value) ([]byte, error) {
	f := jen.NewFilePathName(p.PkgPath, p.Name)
	list := make(jen.Dict)
	texts := []string{"v"}
	for _, v := range values {
		text, ok := p.text(v.Expr.excerpt)
		if !ok {
			return nil, fmt.Errorf("%s has types that are not declared at package level", v.Expr.Text)
		}
		body := []jen.Code{jen.Return(code(text))}
		if v.Type != nil {
			if !p.nameable(v.Type) {
				return nil, fmt.Errorf("type %s cannot be named in package %s", v.Type, p.PkgPath)
			}
			body = []jen.Code{jen.Var().Id("v").Add(p.typeCode(v.Type)).Op("=").Add(code(text)), jen.Return(jen.Id("v"))}
		}
		list[jen.Lit(v.Name)] = jen.Func().Params().Any().Block(body...)
		texts = append(texts, text)
	}
	p.nameImports(f, texts, EvalPath)
	f.Func().Id("init").Params().Block(
		jen.Qual(EvalPath, "Serve").Call(jen.Map(jen.String()).Func().Params().Any().Values(list)),
	)
	var b bytes.Buffer
	if err := f.Render(&b); err != nil {
		return nil, fmt.Errorf("the file that evaluates for package %s is not Go: %w", p.PkgPath, err)
	}
	return b.Bytes(), nil
}
