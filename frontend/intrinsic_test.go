package frontend

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// declared are the exported functions of a Go file.
func declared(t *testing.T, file string) []*ast.FuncDecl {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var fns []*ast.FuncDecl
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.IsExported() {
			fns = append(fns, fn)
		}
	}
	return fns
}

// callOf is a statement that calls a function of package math or of its twins
// with variables of the types that it takes: f float32, d float64, n int, u and w
// of unsigned types.
func callOf(fn *ast.FuncDecl, name, float string) string {
	count := func(list *ast.FieldList) (types []string) {
		if list == nil {
			return nil
		}
		for _, field := range list.List {
			for range max(1, len(field.Names)) {
				types = append(types, field.Type.(*ast.Ident).Name)
			}
		}
		return types
	}
	vars := map[string]string{"float32": "f", "float64": "d", "int": "n", "uint32": "u", "uint64": "w", "T": float}
	var args []string
	for _, typ := range count(fn.Type.Params) {
		args = append(args, vars[typ])
	}
	blanks := strings.TrimSuffix(strings.Repeat("_, ", len(count(fn.Type.Results))), ", ")
	return "\t" + blanks + " = " + name + "(" + strings.Join(args, ", ") + ")\n"
}

// TestMathIsComplete lowers a call of every function of package math and of
// every twin in package qd, for both float types, and has the verifier compare
// the operands with the table.
func TestMathIsComplete(t *testing.T) {
	code := `package p

import (
	"math"

	"github.com/qdgen/qd"
)

func k(t qd.Thread, f float32, d float64, n int, u uint32, w uint64) {
`
	calls := 0
	for _, fn := range declared(t, "load/stubs/math.go.txt") {
		code += callOf(fn, "math."+fn.Name.Name, "")
		calls++
	}
	for _, fn := range declared(t, "../math.go") {
		for v, typ := range map[string]string{"f": "float32", "d": "float64"} {
			code += callOf(fn, "qd."+fn.Name.Name+"["+typ+"]", v)
			calls++
		}
	}
	if calls < 150 {
		t.Fatalf("only %d functions", calls)
	}
	m := mustLower(t, sources(t, onePackage("p", "p.go", code+"}\n")), load.Ref{Pkg: "p", Name: "k"})
	got := 0
	for _, in := range m.Funcs[0].Body.Instrs {
		switch in.Op {
		case ssa.OpMath, ssa.OpBitcast:
			got++
		case ssa.OpConst: // NaN
			got++
		}
	}
	if got != calls {
		t.Errorf("%d calls gave %d operations", calls, got)
	}
}
