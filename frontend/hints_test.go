package frontend

import (
	"errors"
	"strings"
	"testing"

	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/frontend/load"
)

// TestUnpackedHints wants advice that can be followed: as many indices as name one element.
func TestUnpackedHints(t *testing.T) {
	const decls = "type state struct {\n\tv i32.Vec3 `qd:\"unpacked\"`\n\tm i32.Mat3 `qd:\"unpacked\"`\n\tc [2][2][2]int32 `qd:\"unpacked\"`\n\td [1][1][1][2]int32 `qd:\"unpacked\"`\n}"
	const one = "[i] with an i known at compile time; or remove"
	const two = "[i][j] with i and j known at compile time; or remove"
	for _, c := range []struct{ expr, want string }{
		{"s.v.Dot(s.v)", "s.v" + one},
		{"s.m[1].Dot(i32.Vec3{})", "s.m" + two},
		{"s.m[1].Add(i32.Vec3{})[0]", "s.m" + two},
		{"s.m.MulVec(i32.Vec3{})[0]", "s.m" + two},
		{"s.m[1][:2][0]", "s.m" + two},
		{"[2][2]int32(s.c[1])[0][1]", "s.c[i][j][k] with i, j and k known at compile time; or remove"},
		{"[1][1][1][2]int32(s.d)[0][0][0][0]", "s.d[i][j][k][i3] with i, j, k and i3 known at compile time; or remove"},
	} {
		_, _, err := Compile(sources(t, onePackage("p", "p.go", kernelOf("var s state; x[0] = int("+c.expr+")", decls))), load.Ref{Pkg: "p", Name: "k"})
		var ds *diag.Diagnostics
		if !errors.As(err, &ds) || !strings.HasPrefix(ds.List[0].Hint, "use the elements one by one, "+c.want) {
			t.Errorf("%s: %v, want %q", c.expr, err, c.want)
		}
	}
}

// TestPointerHints wants what a user can write in the place of a pointer that cannot be.
func TestPointerHints(t *testing.T) {
	const decls = "type heap struct {\n\tless func(a, b int) bool\n\tn int\n}\nfunc (h *heap) push() { h.n++ }\ntype outer struct{ heap }\nfunc grow(h *heap) { h.n++ }\nfunc newInt(n int) *int { return &n }"
	const array = "declare an array, as var pool [64]int, before the loop, keep the values of j in it, and take the addresses of its elements"
	for _, c := range []struct{ body, want string }{
		{"h := heap{}; h.push()", "let h be a pointer, made by &heap{...}"},
		{"var h heap; (&h).push()", "let h be a pointer, made by &heap{...}"},
		{"var o outer; o.push()", "let o be a pointer, made by &outer{...}"},
		{"var o outer; grow(&o.heap)", "let o be a pointer, made by &outer{...}"},
		{"var hs [2]heap; hs[1].push()", "let hs[1] be a pointer, made by &heap{...}"},
		{"var ps [3]*int; for j := 0; j < 3; j++ { ps[j] = &j }; x[0] = *ps[1]", array},
		{"var ps [3]*int; for j := range 3 { ps[j] = &j }; x[0] = *ps[1]", array},
		{"var p *int; for j := 0; j < 3; p = &j { j++ }; x[0] = *p", array},
		{"var p *int; for range 3 { j := 1; p = &j }; x[0] = *p", "declare an array, as var pool [64]node, before the loop, and take the addresses of its elements"},
		{"p, f := new(int), newInt; if x[0] > 0 { p = f(3) }; x[0] = *p", "declare a variable v before p, and keep the value in it: v = *f(3), and &v in the place of f(3)"},
	} {
		_, _, err := Compile(sources(t, onePackage("p", "p.go", kernelOf(c.body, decls))), load.Ref{Pkg: "p", Name: "k"})
		var ds *diag.Diagnostics
		if !errors.As(err, &ds) || ds.List[0].Hint != c.want {
			t.Errorf("%s: %v, want %q", c.body, err, c.want)
		}
	}
	for _, body := range []string{
		"h := &heap{}; h.push(); grow(h)",
		"o := &outer{}; o.push(); grow(&o.heap)",
		"hs := [2]*heap{{}, {}}; hs[1].push()",
		"var ps [3]*int; var pool [64]int; for j := 0; j < 3; j++ { pool[j] = j; ps[j] = &pool[j] }; x[0] = *ps[1]",
		"p, f := new(int), newInt; var v int; if x[0] > 0 { v = *f(3); p = &v }; x[0] = *p",
	} {
		if _, _, err := Compile(sources(t, onePackage("p", "p.go", kernelOf(body, decls))), load.Ref{Pkg: "p", Name: "k"}); err != nil {
			t.Errorf("%s: %v", body, err)
		}
	}
}

// TestFloatsOnlyHint wants advice for vectors and for matrices of integers, on which a method of
// floats only is called.
func TestFloatsOnlyHint(t *testing.T) {
	for _, body := range []string{"var v i32.Vec3; x[0] = int(v.Norm())", "var m i32.Mat3; x[0] = int(m.Inverse()[0][0])"} {
		_, _, err := Compile(sources(t, onePackage("p", "p.go", kernelOf(body, ""))), load.Ref{Pkg: "p", Name: "k"})
		var ds *diag.Diagnostics
		if !errors.As(err, &ds) || !strings.Contains(ds.List[0].Hint, "only floats have this method, and the elements are integers: convert them, as in f32.") {
			t.Errorf("%s: %v", body, err)
		}
	}
}

// TestTableHints wants the advice that a program can tell what a table holds, where that helps: if the kernel itself only
// reads it, and nobody assigns to it.
func TestTableHints(t *testing.T) {
	const decls = "var list = []int{1, 2}\nvar arr = [2]int{1, 2}\nvar kept []int\n\ntype reader interface{ read(x []int) int }\ntype one struct{}\n\n" +
		"func (one) read(x []int) int { return x[0] }\n"
	const call = "var r reader = one{}; x[0] = "
	for _, c := range []struct {
		body, host string
		want       bool
	}{
		{"x[0] = list[x[0]]", "kept = list", true},
		{"x[0] = list[x[0]]", "list[0] = 1", false},
		{call + "r.read(list)", "", true},
		{call + "r.read(list)", "list = nil", false},
		{call + "r.read(arr[:])", "", true},
		{call + "r.read(arr[:])", "arr[0] = 1", false},
	} {
		_, _, err := Compile(sources(t, onePackage("p", "p.go", kernelOf(c.body, decls+"func host() { "+c.host+" }\n"))), load.Ref{Pkg: "p", Name: "k"})
		var ds *diag.Diagnostics
		if !errors.As(err, &ds) || strings.Contains(ds.List[0].Hint, "run qdgen gen in its package") != c.want {
			t.Errorf("%s with %s: %v, want a hint of qdgen gen: %v", c.body, c.host, err, c.want)
		}
	}
}
