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
		if _, err := Kernels(src, "k"); err != nil {
			_ = err.Error()
		}
	})
}
