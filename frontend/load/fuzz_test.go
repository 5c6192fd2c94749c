package load

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/qdgen/qd/frontend/diag"
)

// FuzzCheck feeds arbitrary text as a package of two files: there must be a
// program in which everything has a type, or an error of a documented type.
func FuzzCheck(f *testing.F) {
	f.Add(saxpy, "")
	files, err := filepath.Glob("testdata/errors/*.go")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text), saxpy)
	}
	for _, text := range []string{
		"",
		"package",
		"package k; import . \"github.com/qdgen/qd\"; func kernel(t Thread) { var x T; x.m() }; type T = U; type U = T; func (T) m() {}",
		"package k; func kernel[T interface{ m() }](x T) { x.m(); kernel(x) }",
		"package k; type T[P any] struct { f *T[T[P]] }; func (t T[P]) m() {}; func kernel() { var t T[int]; t.m() }",
		"package k; var x = y; var y = x; const ( a = b; b = a ); func kernel() { _ = x + a }",
		"package k; func kernel() { goto l; l: { kernel := kernel; kernel() } }",
		"package k; import (\"k\"; \"unsafe\"; \"C\"); func kernel() { k.kernel(); unsafe.Pointer(nil); C.x() }",
		"package k; func (kernel) kernel() {}; func kernel()",
		"package k; func kernel() { switch x := kernel.(type) { case int: x() }; select { case y := <-x: y() }; for i, j := range i { _ = j } }",
		"package k; func kernel(a, b, c = 1, x ...int, ...) (kernel) {",
	} {
		f.Add(text, "package k; func other() {}")
	}
	for _, body := range []string{
		"c := 2; use(func(t qd.Thread, x []int) { x[0] = c + v })",
		"for i, y := range []int{1} { switch z := any(y).(type) { case int: use(\nfunc(t qd.Thread, x []int) { x[i] = z }, qd.Capture(\"i\", i)) } }",
		"x := qd.Static(strings.ToUpper(\"a\")); _ = qd.Static(v + len(x)); v = 3; _ = &v",
		"if c := qd.Static(other(strings.Repeat(x, v))); c > v { func(t qd.Thread) { _ = c }(nil) }",
	} {
		f.Add("package k; import (\"strings\"; \"github.com/qdgen/qd\"); var v, w = strings.Count(\"a\", \"b\"), other\nfunc kernel(t qd.Thread) { "+body+" }",
			"package k; func other[T any](x T) int { return len(x) }; func init() { w = nil }")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		src := sources(map[string]string{"k/a.go": a, "k/b.go": b})
		for _, name := range []string{"kernel", "saxpy", "T.m"} {
			p, err := Check(src, Ref{Pkg: "k", Name: name, File: "k/a.go", Line: 1})
			var ds *diag.Diagnostics
			var nf *NotFoundError
			switch {
			case errors.As(err, &ds):
				if len(ds.List) == 0 || strings.Contains(ds.Error(), "BUG") {
					t.Error(ds)
				}
			case errors.As(err, &nf):
				_ = nf.Error()
			case err != nil:
				t.Errorf("%T: %v", err, err)
			case len(p.Kernels) != 1 || p.Kernels[0].Obj == nil:
				t.Error("no kernel and no error")
			default:
				for _, fn := range p.Funcs {
					checkTyped(t, p, fn)
				}
			}
		}
		checkOutside(t, src, a)
		if _, err := Kernels(src, "k"); err != nil {
			_ = err.Error()
		}
	})
}

// checkOutside checks the literals of a file as kernels and as functions that are given to
// one, with all that can be asked for.
func checkOutside(t *testing.T, src Map, text string) {
	for i, line := range strings.Split(text, "\n") {
		if i > 20 || !strings.Contains(line, "func(") {
			continue
		}
		lit := Ref{Pkg: "k", Name: "f[...].func1", File: "k/a.go", Line: i + 1, Params: QDPath + ".Thread,[]int"}
		kernel := Ref{Pkg: "k", Name: "kernel"}
		types := map[SiteID]string{{"k", "kernel", 0}: "[]k.T", {"k", "kernel", 1}: "func(a/b.C, ...int) map[string]struct{X int \"x.y\"}", {"k", "", 0}: "("}
		for _, also := range []Also{
			{Symbolic: true},
			{Captures: map[string]string{"c": "int", "x": "func(int) k.T"}},
			{Funcs: []Ref{lit, {Pkg: "math", Name: "Sin"}}, Statics: true, Types: types, Vars: []Global{{"k", "v"}, {"k", "x"}, {"l", "v"}}},
		} {
			for _, ref := range []Ref{kernel, lit} {
				p, err := CheckWith(src, also, ref)
				if err != nil && strings.Contains(err.Error(), "BUG") {
					t.Error(err)
				}
				if p == nil {
					continue
				}
				for _, v := range p.vars {
					v.Init()
					v.Changed()
				}
				p.Target(lit)
				p.Untyped()
			}
		}
	}
}
