//go:build !race

package qd_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const raceDetector = false

// sequentialOnCUDA are tests of TestWithoutGPU that are not run with the race detector.
var sequentialOnCUDA = []string{"TestTangentMixed/cuda:0", "TestOnCUDARecursion/cuda:0", "TestFaults/shift/cuda:0"}

// The files of tests that the race detector does not see are about what one launch after the other computes. Those that start
// goroutines, or use what is there to be used by several, are for it too.
func TestFilesWithoutRace(t *testing.T) {
	names, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var without, with []string
	for _, name := range names {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if len(f.Comments) == 0 || f.Comments[0].Pos() > f.Package || f.Comments[0].List[0].Text != "//go:build !race" {
			with = append(with, name)
			continue
		}
		without = append(without, name)
		ast.Inspect(f, func(n ast.Node) bool {
			what := ""
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Doc != nil && slices.ContainsFunc(n.Doc.List, func(c *ast.Comment) bool { return c.Text == "//qd:kernel" }) {
					return false // which launches nothing
				}
			case *ast.ImportSpec:
				if strings.HasPrefix(n.Path.Value, `"sync`) {
					what = n.Path.Value
				}
			case *ast.GoStmt:
				what = "a go statement"
			case *ast.CallExpr:
				if s, ok := n.Fun.(*ast.SelectorExpr); ok && slices.Contains([]string{"Build", "NewStream", "Parallel", "Record", "Tune", "WithContext"}, s.Sel.Name) {
					what = "a call of " + s.Sel.Name
				}
			}
			if what != "" {
				t.Errorf("%v: %s, but the race detector does not see this file", fset.Position(n.Pos()), what)
			}
			return true
		})
	}
	if len(without) < 10 || !slices.Contains(with, "launch_test.go") {
		t.Errorf("the files that the race detector does not see are %v", without)
	}
}
