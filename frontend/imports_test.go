package frontend

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestRooms checks that the packages of the front end import only those below them.
func TestRooms(t *testing.T) {
	const root = "github.com/qdgen/qd/frontend"
	order := []string{"/diag", "/load", "/comptime", "/check", "/eval", "/lower", ""} // upward
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
