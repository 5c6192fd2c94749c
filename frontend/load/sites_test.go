package load

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"testing"
)

const sitesSource = `package k

import (
	. "math"

	gpu "github.com/qdgen/qd"
)

var C, table = 2.0, []float64{1, 2}

type op[T any] struct{ n int }

func (o *op[T]) apply(i int) int { return gpu.Static(o.n + /* of the package */ len(table)) + i }

func kernel(n, m int, x float64) {
	const two = 2
	a := gpu.Static(n)
	for i := range 3 {
		_ = gpu.Static(func(m int) int {
			return m + a
		}(i) + i)
	}
	_, _ = gpu.Static[int](int(x) + min(m, n, two)), gpu.Static(C)
	_ = gpu.Static(gpu.Static(Sqrt(x)))
	_ = gpu.Static(op[int]{m}.n)
	_, _ = gpu.Static([]int{1, 2}[n]), gpu.Static(Hypot)
	Static(1)
}

func Static(x int) {}

var level = func() float64 { return gpu.Static(-C) }
`

// What is found by types and by syntax alone is the same.
func TestSites(t *testing.T) {
	want := []struct {
		fn       string
		index    int
		expr     string
		line     int
		locals   []string
		needsGo  bool
		lastLine int
		names    string
	}{
		{"op.apply", 0, "o.n + len(table)", 13, []string{"o"}, true, 13, "local o"},
		{"kernel", 0, "n", 17, []string{"n"}, false, 17, "local n"},
		{"kernel", 1, "func(m int) int {\n\treturn m + a\n}(i) + i", 19, []string{"a", "i"}, true, 21, "local a; local i"},
		{"kernel", 2, "int(x) + min(m, n, two)", 23, []string{"x", "m", "n"}, false, 23, "local x; local m; local n; const two = 2"},
		{"kernel", 3, "C", 23, nil, true, 23, `import . "math"`},
		{"kernel", 4, "gpu.Static(Sqrt(x))", 24, []string{"x"}, true, 24, `import gpu "github.com/qdgen/qd"; import . "math"; local x`},
		{"kernel", 5, "Sqrt(x)", 24, []string{"x"}, true, 24, `import . "math"; local x`},
		{"kernel", 6, "op[int]{m}.n", 25, []string{"m"}, true, 25, "local m"},
		{"kernel", 7, "[]int{1, 2}[n]", 26, []string{"n"}, true, 26, "local n"},
		{"kernel", 8, "Hypot", 26, nil, false, 26, `import . "math"`},
		{"", 0, "-C", 32, nil, true, 32, `import . "math"`},
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "k.go", sitesSource, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	info := newInfo(0)
	conf := types.Config{Importer: sitesImporter{}, Error: func(err error) { t.Log(err) }}
	_, _ = conf.Check("k", fset, []*ast.File{file}, info) // what it knows suffices

	bySyntax := FileSites(File{Name: "k.go", Src: []byte(sitesSource)})
	if len(bySyntax) != len(want) {
		t.Fatalf("by syntax there are %d sites, want %d: %+v", len(bySyntax), len(want), bySyntax)
	}
	n := 0
	for _, d := range file.Decls {
		for i, call := range StaticCalls(d, info) {
			w, arg := want[n], call.Args[0]
			var locals []string
			for _, v := range SiteLocals(arg, info) {
				locals = append(locals, v.Name())
			}
			got := fmt.Sprint(FuncName(d), i, SiteExpr(arg), fset.Position(call.Pos()).Line, locals, NeedsGo(arg, info))
			if got != fmt.Sprint(w.fn, w.index, w.expr, w.line, w.locals, w.needsGo) {
				t.Errorf("got %s, want %+v", got, w)
			}
			if s := bySyntax[n]; s != (Site{w.fn, w.index, w.expr, w.names, w.line, w.lastLine}) {
				t.Errorf("by syntax %+v, want %+v", s, w)
			}
			n++
		}
	}
	if n != len(want) {
		t.Errorf("by types there are %d sites, want %d", n, len(want))
	}
	for _, text := range []string{"package k\n", "not Go", "package k\n\nfunc f() { Static(1) }\n"} {
		if sites := FileSites(File{Name: "k.go", Src: []byte(text)}); !slices.Equal(sites, nil) {
			t.Errorf("%q has the sites %v", text, sites)
		}
	}
}

// sitesImporter knows the standard library and a package qd of one function.
type sitesImporter struct{}

func (sitesImporter) Import(path string) (*types.Package, error) {
	if path != QDPath {
		return importer.Default().Import(path)
	}
	pkg := types.NewPackage(QDPath, "qd")
	param := types.NewTypeParam(types.NewTypeName(0, pkg, "T", nil), types.Universe.Lookup("any").Type())
	tuple := types.NewTuple(types.NewVar(0, pkg, "x", param))
	sig := types.NewSignatureType(nil, nil, []*types.TypeParam{param}, tuple, types.NewTuple(types.NewVar(0, pkg, "", param)), false)
	pkg.Scope().Insert(types.NewFunc(0, pkg, "Static", sig))
	pkg.MarkComplete()
	return pkg, nil
}
