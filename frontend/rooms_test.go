package frontend

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestRooms checks that the packages of the front end import only those below them, and know nothing of what is
// made of the SSA.
func TestRooms(t *testing.T) {
	const root = "github.com/qdgen/qd/frontend"
	order := []string{"/diag", "/desugar", "/load", "/comptime", "/check", "/initial", "/eval", "/lower", ""} // upward
	below := []string{"github.com/qdgen/qd/ssa/analysis", "github.com/qdgen/qd/ssa/interp"}
	dirs := 0
	for rank, room := range order {
		files, err := filepath.Glob(filepath.Join("."+room, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no files in %q: %v", room, err)
		}
		dirs++
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range f.Imports {
				path, _ := strconv.Unquote(s.Path.Value)
				if strings.HasPrefix(path, "github.com/qdgen/qd/ssa/") && !slices.Contains(below, path) {
					t.Errorf("%s imports %s: of SSA it knows %q", name, path, below)
				}
				if path != root && !strings.HasPrefix(path, root+"/") {
					continue
				}
				if at := slices.Index(order, strings.TrimPrefix(path, root)); at < 0 || at >= rank {
					t.Errorf("%s imports %s: imports go down only, of %q", name, path, order)
				}
			}
		}
	}
	all, err := filepath.Glob("*/doc.go")
	if err != nil || len(all)+1 != dirs {
		t.Errorf("packages %q, and %d are in the order: %v", all, dirs-1, err)
	}
}

// TestTypesAreSmall checks that no type of the front end comes to do everything: none has more
// methods than a reader can keep apart.
func TestTypesAreSmall(t *testing.T) {
	const most = 50
	methods := map[string]int{}
	for _, room := range []string{"diag", "desugar", "load", "comptime", "check", "initial", "eval", "lower", "."} {
		files, err := filepath.Glob(filepath.Join(room, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range f.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok || fn.Recv == nil {
					continue
				}
				of := fn.Recv.List[0].Type
				if p, ok := of.(*ast.StarExpr); ok {
					of = p.X
				}
				if id, ok := of.(*ast.Ident); ok {
					methods[room+"."+id.Name]++
				}
			}
		}
	}
	if len(methods) < 50 {
		t.Fatalf("only %d types with methods found", len(methods))
	}
	for of, n := range methods {
		if n > most {
			t.Errorf("%s has %d methods, more than %d: give a concern of it a type of its own", of, n, most)
		}
	}
}
