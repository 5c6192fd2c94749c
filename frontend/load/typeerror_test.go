package load

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"github.com/qdgen/qd/frontend/diag"
)

// TestErrorCodes checks that the type checker still gives its errors the codes that advice
// goes by, and tells the source that they are about.
func TestErrorCodes(t *testing.T) {
	for _, c := range []struct {
		code errorCode
		body string
		of   string // "" for a place only
	}{
		{wrongAssignCount, "a, b := n; _, _ = a, b", "n"},
		{unassignableOperand, "s().a = 1", "s().a"},
		{incompatibleAssign, "n = f", "f"},
		{truncatedFloat, "n = n + 1.5", "1.5"},
		{undefinedOp, "_ = v + v", "v"},
		{mismatchedTypes, "_ = n * f", "n * f"},
		{nonNumericIncDec, "v++", "v"},
		{nonIndexableOperand, "_ = n[0]", "n"},
		{invalidIndex, "_ = v[f]", "f"},
		{undeclaredImported, "_ = unsafe.No", "No"},
		{undeclaredName, "_ = no", "no"},
		{missingFieldOrMethod, "_ = s().b", "b"},
		{invalidConversion, "_ = [2]int(v)", "v"},
		{invalidCond, "if n { }", "n"},
		{wrongArgCount, "_ = int(n, 2)", "2"},
		{badDecl, "}; func no[T any]() ; func _() {", "no"},
		{wrongTypeArgCount, "var x g; _ = x", "g"},
		{invalidTypeArg, "var x g[string]; _ = x", ""},
		{invalidMinMaxOperand, "_ = max(v, v)", "v"},
	} {
		const head = "package p; import \"unsafe\"; var _ unsafe.Pointer; type g[T ~int] [1]T; func s() (x struct{ a int }) { return }\nfunc k(n int, f float64, v [3]int) { "
		src := head + c.body + " }"
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "p.go", src, 0)
		if err != nil {
			t.Fatal(err)
		}
		var got []typeError
		conf := types.Config{Importer: sourceImporter{}, Error: func(err error) { got = append(got, newTypeError(err.(types.Error))) }}
		_, _ = conf.Check("p", fset, []*ast.File{file}, nil)
		if len(got) != 1 || got[0].code != c.code {
			t.Errorf("%s: %+v, want one error of code %d", c.body, got, c.code)
			continue
		}
		base := token.Pos(fset.File(file.Pos()).Base())
		if of := src[got[0].of.pos-base : got[0].of.end-base]; of != c.of {
			t.Errorf("%s: the error is about %q, want %q", c.body, of, c.of)
		}
	}
}

// TestTypeHints checks the advice on conversions and on habits from elsewhere.
func TestTypeHints(t *testing.T) {
	src := realOwn(t)
	for _, c := range []struct{ body, want string }{
		{"f = f * n", "Go has no implicit conversions: convert one side, as in float64(...)"},
		{"n *= f", "Go has no implicit conversions: convert one side, as in float64(...)"},
		{"_ = n < m", "Go has no implicit conversions: convert one side, as in int(...)"},
		{"_ = n == (n + 1) * m", "Go has no implicit conversions: convert one side, as in int(...)"},
		{"_ = m == n * 2", "Go has no implicit conversions: convert one side, as in int32(...)"},
		{"f += s + s", "Go has no implicit conversions: convert one side, as in float32(...)"},
		{"n = f", "convert it: int(f)"},
		{"n = (f)", "convert it: int((f))"},
		{"var a float32 = f; _ = a", "convert it: float32(f)"},
		{"var a = []float32{f}; _ = a", "convert it: float32(f)"},
		{"var a = []float32{2: f}; _ = a", "convert it: float32(f)"},
		{"var a = struct{ x int; y float32 }{y: f}; _ = a", "convert it: float32(f)"},
		{"var a = struct{ x int; y float32 }{1, f}; _ = a", "convert it: float32(f)"},
		{"g := func() (int, float32) { return 1, f }; _ = g", "convert it: float32(f)"},
		{"g := func(x ...int) {}; g(1, 2, m)", "convert it: int(m)"},
		{"n = helper()", "convert it: int(helper())"},
		{"f = 1 + math.Sqrt(f * f) + math.Sqrt(s)", "qd.Sqrt takes float32 as well as float64"},
		{"f = math.Sqrt(m)", "convert it: float64(m)"},
		{"_ = x[f]", "convert it: int(f)"},
		{"n = n + 1.5", "an integer is needed here; to compute with floats, convert the other operand, as in float64(...)"},
		{"n = 1.5", "an integer is needed here; to compute with floats, convert the other operand, as in float64(...)"},
		{"if n { }", "compare it with something, as in n != 0"},
		{"math := 1; _ = math.Pi", "here math is not the package here: rename the local declaration of math"},
		{"_ = n.x", ""},
		{"_ = celsius(1) * f", ""},
		{"_ = f == nil", ""},
		// Types that only look like those of package qd.
		{"var a, b [3]int; _ = a < b", ""},
		{"s2().X = 1", ""},
	} {
		src["k"] = &Package{Path: "k", Files: []File{{Name: "k/k.go", Src: []byte(`package k

import (
	"math"

	"` + QDPath + `"
)

var _ = math.Pi

type celsius float64

func helper() float32 { return 1 }

func s2() (s struct{ X int }) { return }

func k(t qd.Thread, n int, m int32, f float64, s float32, x []float32) {
	` + c.body + `
}
`)}}}
		_, err := Check(src, Ref{Pkg: "k", Name: "k"})
		var ds *diag.Diagnostics
		if !errors.As(err, &ds) {
			t.Errorf("%s: %v", c.body, err)
			continue
		}
		if len(ds.List) != 1 || ds.List[0].Hint != c.want {
			t.Errorf("%s: %v\nwant %s", c.body, err, c.want)
		}
	}
}
