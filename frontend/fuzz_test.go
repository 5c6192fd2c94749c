package frontend

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// FuzzCompile compiles arbitrary text, with every function in it taken for a
// kernel: there must be a valid module for each, or an error with diagnostics that
// lie in the text and are in order.
func FuzzCompile(f *testing.F) {
	for _, pattern := range []string{"testdata/*/*.go", "../testdata/corpus/*.txtar", "load/testdata/errors/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			f.Fatal("no files ", pattern, err)
		}
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(goSource(string(text)))
		}
	}
	for _, test := range illTyped {
		f.Add(test.source())
	}
	src := sources(f)
	f.Fuzz(func(t *testing.T, text string) {
		own := load.Map{load.QDPath: src[load.QDPath], "k": onePackage("k", "k.go", text)}
		compileAny(t, own, functions(text))
	})
}

// goSource is the Go file in a file of the corpus, or the whole file.
func goSource(text string) string {
	const head = "-- kernel.go --\n"
	if _, rest, ok := strings.Cut(text, head); ok {
		text, _, _ = strings.Cut(rest, "\n-- ")
	}
	return text
}

// functions are kernels for everything in the text that looks like one.
func functions(text string) []load.Ref {
	var refs []load.Ref
	for _, line := range strings.Split(text, "\n") {
		rest, ok := strings.CutPrefix(line, "func ")
		if !ok {
			continue
		}
		if i := strings.IndexAny(rest, "([ "); i > 0 {
			refs = append(refs, load.Ref{Pkg: "k", Name: rest[:i]})
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
	if len(ds.List) == 0 || strings.Contains(ds.Error(), "BUG") || strings.Contains(ds.Error(), "invalid type") {
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
