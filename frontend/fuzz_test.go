package frontend

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// FuzzCompile compiles arbitrary text, and the text with pieces of its syntax
// exchanged, with every function in it taken for a kernel: there must be a valid
// module for each, or an error with diagnostics that lie in the text and are in order.
func FuzzCompile(f *testing.F) {
	for i, text := range seeds(f) {
		f.Add(text, uint64(i%3))
	}
	qd := sources(f)[load.QDPath]
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		text = mutate(text, seed)
		compileAny(t, load.Map{load.QDPath: qd, "k": onePackage("k", "k.go", text)}, functions(text))
		if t.Failed() {
			t.Log(text)
		}
	})
}

// TestMutated compiles mutations of all seeds, the same each time.
func TestMutated(t *testing.T) {
	qd := sources(t)[load.QDPath]
	count := uint64(10)
	if testing.Short() {
		count = 2
	}
	for _, text := range seeds(t) {
		for seed := range count {
			text := mutate(text, seed)
			compileAny(t, load.Map{load.QDPath: qd, "k": onePackage("k", "k.go", text)}, functions(text))
			if t.Failed() {
				t.Fatal(text)
			}
		}
	}
}

// seeds are the fixtures of this package and of load, the corpus, and the tables
// of ill-typed programs and of such as would not end.
func seeds(t testing.TB) []string {
	t.Helper()
	var list []string
	for _, pattern := range []string{"testdata/*/*.go", "../testdata/corpus/*.txtar", "load/testdata/errors/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatal("no files ", pattern, err)
		}
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, goSource(string(text)))
		}
	}
	for _, test := range illTyped {
		list = append(list, test.source())
	}
	shorter := strings.NewReplacer("(1000)", "(5)", "(100)", "(5)", "range 16", "range 3", "i >= 0", "i < 9") // the limits take their time
	for _, test := range endless {
		list = append(list, shorter.Replace(endlessSource(test.text)))
	}
	return list
}

// mutate exchanges pieces of a file: what seed says, nothing for 0. An expression
// becomes another one of the file, a statement another statement or none, so that
// what comes out is mostly Go, and mostly with errors of type.
func mutate(text string, seed uint64) string {
	if seed == 0 {
		return text
	}
	rnd := rand.New(rand.NewPCG(seed, 0))
	for range 1 + rnd.IntN(4) {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "k.go", text, parser.SkipObjectResolution)
		if err != nil {
			return text
		}
		var exprs, stmts []ast.Node
		for _, d := range file.Decls {
			ast.Inspect(d, func(n ast.Node) bool {
				switch n.(type) {
				case *ast.ImportSpec:
					return false
				case ast.Expr:
					exprs = append(exprs, n)
				case ast.Stmt:
					stmts = append(stmts, n)
				}
				return true
			})
		}
		nodes := exprs
		if len(stmts) > 0 && rnd.IntN(3) == 0 {
			nodes = stmts
		}
		if len(nodes) == 0 {
			return text
		}
		span := func(n ast.Node) (from, to int) {
			return fset.Position(n.Pos()).Offset, min(fset.Position(n.End()).Offset, len(text))
		}
		from, to := span(nodes[rnd.IntN(len(nodes))])
		otherFrom, otherTo := span(nodes[rnd.IntN(len(nodes))])
		if rnd.IntN(8) == 0 {
			otherTo = otherFrom // nothing instead
		}
		text = text[:from] + text[otherFrom:otherTo] + text[to:]
	}
	return text
}

// goSource is the Go file in a file of the corpus, or the whole file.
func goSource(text string) string {
	const head = "-- kernel.go --\n"
	if _, rest, ok := strings.Cut(text, head); ok {
		text, _, _ = strings.Cut(rest, "\n-- ")
	}
	return text
}

// functions are kernels for all functions of a file, in source order, but those
// that have no name of their own.
func functions(text string) []load.Ref {
	var refs []load.Ref
	file, _ := parser.ParseFile(token.NewFileSet(), "k.go", text, parser.SkipObjectResolution)
	for _, d := range file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.Name != "_" && fn.Recv == nil {
			refs = append(refs, load.Ref{Pkg: "k", Name: fn.Name.Name})
		}
	}
	return refs
}

// compileAny compiles kernels of package k and checks the outcome.
func compileAny(t *testing.T, src load.Sources, refs []load.Ref) {
	t.Helper()
	p, modules, err := Compile(src, refs...)
	var ds *diag.Diagnostics
	switch {
	case errors.As(err, new(*load.NotFoundError)):
	case errors.As(err, &ds):
		checkDiagnostics(t, ds)
	case err != nil:
		t.Errorf("%T: %v", err, err)
	case p == nil || len(modules) != len(refs):
		t.Errorf("%d modules for %d kernels", len(modules), len(refs))
	}
	for _, m := range modules {
		if err := ssa.Verify(m); err != nil {
			t.Errorf("%v\n%s", err, m)
		}
	}
}

func checkDiagnostics(t *testing.T, ds *diag.Diagnostics) {
	t.Helper()
	if strings.Contains(ds.Error(), "BUG") || strings.Contains(ds.Error(), "invalid type") {
		t.Error(ds)
	}
	checkPlaces(t, ds)
}

func checkPlaces(t *testing.T, ds *diag.Diagnostics) {
	t.Helper()
	if len(ds.List) == 0 {
		t.Error(ds)
	}
	for i, d := range ds.List {
		if !d.Pos.IsValid() || d.Pos.Filename == "" || d.End.Offset < d.Pos.Offset || d.Msg == "" {
			t.Errorf("%#v", d)
		}
		if i > 0 && d.Pos == ds.List[i-1].Pos && d.Msg == ds.List[i-1].Msg {
			t.Errorf("twice: %s", d)
		}
	}
}
