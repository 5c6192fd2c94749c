package analysis_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/qdgen/qd/internal/testenv"
)

// mayEnter are the files that may look into the function that a call calls, with the reason. All others ask this
// package: who walks into callees by himself walks into each as often as there are ways to it.
var mayEnter = map[string]string{
	"ssa/verify_types.go":   "compares parameters and results",
	"ssa/verify_memory.go":  "compares parameters and kinds",
	"ssa/interp/compile.go": "compiles each function once",
	"ssa/opt/inline.go":     "puts the body in the place of the call, as often as it is asked to",
	"ssa/opt/blame.go":      "makes copies of functions, one for each call of user code",
	"ssa/gradient/own.go":   "looks once into each function with a gradient of its own, for what it does to memory",
	"ssa/gradient/grid.go":  "differentiates each kernel that a Grid kernel launches, once",

	"ssa/gradient/tangent.go":       "lists the kernels that a Grid kernel launches",
	"ssa/gradient/tangent_call.go":  "makes a tangent function of each callee, one for each set of arguments that have tangents",
	"ssa/gradient/tangent_recur.go": "looks once into each of the functions that a recursive one leads to",
	"ssa/gradient/tangent_vary.go":  "looks once into each callee for each set of arguments that have tangents",

	"ssa/target/widen/calls.go": "puts the code that is prepared for vectors, once for each function, in the place of the callee",

	"internal/runtime/device/grid.go":     "launches kernels",
	"internal/runtime/device/gridkept.go": "launches kernels",

	"emit/function.go": "declares functions that stand behind one which they call",
	"ssa/verify.go":    "looks for a callee among the module's functions",

	"cmd/qdgen/cost/locals.go": "finds the local that a parameter is, not what the callee does",
}

// TestNobodyEntersCallees reads the project's sources: of the callee of an instruction they may ask its name, its
// types and its kind; what else they hand it to, or keep it in, is this package, or on the list.
func TestNobodyEntersCallees(t *testing.T) {
	used := make(map[string]bool)
	files := 0
	root := filepath.Join("..", "..")
	err := testenv.Walk(root, func(name string, d fs.DirEntry) error {
		switch {
		case d.IsDir() && d.Name() == "testdata":
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "ssa/analysis/"):
			return nil
		}
		files++
		for _, pos := range enters(t, filepath.Join(root, name), nil) {
			if mayEnter[name] == "" {
				t.Errorf("%s:%d: facts about a callee are asked from package ssa/analysis, as by Summaries.Of or BottomUp", name, pos.Line)
			}
			used[name] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 100 {
		t.Errorf("only %d files were read", files)
	}
	for name := range mayEnter {
		if !used[name] {
			t.Errorf("%s is on the list and does not look into callees", name)
		}
	}
}

// enters finds the places where a file uses a callee otherwise than it may.
func enters(t *testing.T, path string, src any) (list []token.Position) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, path, src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	isCallee := func(e ast.Expr) bool {
		sel, ok := e.(*ast.SelectorExpr)
		return ok && sel.Sel.Name == "Callee"
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr: // in.Callee.Body
			switch n.Sel.Name {
			case "Body", "Params":
				if isCallee(n.X) {
					list = append(list, fset.Position(n.Pos()))
				}
			}
		case *ast.CallExpr: // walk(in.Callee), in.Callee.Walk()
			if method, ok := n.Fun.(*ast.SelectorExpr); ok && isCallee(method.X) && method.Sel.Name != "Params" {
				list = append(list, fset.Position(n.Pos()))
			}
			for _, arg := range n.Args {
				if isCallee(arg) && !asksAnalysis(n.Fun) {
					list = append(list, fset.Position(n.Pos()))
				}
			}
		case *ast.ReturnStmt: // return in.Callee
			for _, e := range n.Results {
				if isCallee(e) {
					list = append(list, fset.Position(n.Pos()))
				}
			}
		case *ast.CompositeLit: // []*Func{in.Callee}
			for _, e := range n.Elts {
				if kv, ok := e.(*ast.KeyValueExpr); ok {
					e = kv.Value
				}
				if isCallee(e) {
					list = append(list, fset.Position(n.Pos()))
				}
			}
		case *ast.ValueSpec: // var f = in.Callee
			for _, e := range n.Values {
				if isCallee(e) {
					list = append(list, fset.Position(n.Pos()))
				}
			}
		case *ast.AssignStmt: // f := in.Callee
			for _, e := range n.Rhs {
				if isCallee(e) {
					list = append(list, fset.Position(n.Pos()))
				}
			}
		}
		return true
	})
	return list
}

// TestEnters is about what the test above finds.
func TestEnters(t *testing.T) {
	for body, want := range map[string]bool{
		"in.Callee.Body.Walk(nil)":           true,
		"f := in.Callee; walk(f)":            true,
		"walk(in.Callee)":                    true,
		"p.walk(1, in.Callee)":               true,
		"in.Callee.Walk(nil)":                true,
		"return in.Callee":                   true,
		"work = []*Func{in.Callee}":          true,
		"work = map[int]*Func{1: in.Callee}": true,
		"var f = in.Callee; walk(f)":         true,
		"print(in.Callee.Name)":              false,
		"summaries.Of(in.Callee)":            false,
		"p.summaries.Memory(in.Callee)":      false,
		"names[in.Callee] = in.Callee.Kind":  false,
	} {
		if got := len(enters(t, "x.go", "package p\n\nfunc f() {"+body+"}")) > 0; got != want {
			t.Errorf("%s: found %t", body, got)
		}
	}
}

// asksAnalysis reports whether a function that is called is one by which this package is asked.
func asksAnalysis(fun ast.Expr) bool {
	switch fun := fun.(type) {
	case *ast.Ident: // as of, which BottomUp hands to what finds a fact
		return fun.Name == "of" || fun.Name == "delete"
	case *ast.SelectorExpr:
		switch fun.Sel.Name {
		case "Of", "Memory", "callee":
			return true
		}
	}
	return false
}
