package load

import (
	"fmt"
	"go/types"
	"strings"
	"testing"
)

// TestChanged is about what makes the value of a package variable unknown.
func TestChanged(t *testing.T) {
	const decls = `
type vec [3]float32

func (v vec) sum() float32 { return v[0] }
func (v *vec) set(x float32) { v[0] = x }
func (v *vec) at(i int) float32 { if i == 0 { return v[0] }; return v.over(i - 1) }
func (v *vec) over(i int) float32 { return v.at(i) + (*v)[0] }
func (v *vec) indirectly(x float32) { if x > 0 { v.indirectly(x - 1) }; v.set(x) }

func only(x []int, i int) int { return x[i] + len(x) + sums(x...) + x[1:][0] }
func sums(x ...int) (s int) { for _, v := range x { s += v }; return s }
func inst[S ~[]int](x S) int { return x[0] }
func writes(i int, x []int) { x[i]++ }
var kept []int
func keeps(x []int) int { kept = x; return 0 }
func gives(x []int) []int { return x }
func hands(x []int, n int) { if n > 0 { hands(x, n-1) } else { writes(0, x) } }
func asserts(x any) { x.([]int)[0] = 1 }
func lists(x ...[]int) { x[0][0] = 1 }
func at(p *[3]int, i int) int { return p[i] + p[1:][0] }
func sets(p *[3]int) { q := p; q[0] = 1 }

type toucher interface{ touch() }
type leaf struct { n int }
type tree struct { in leaf }

func (l *leaf) touch() { l.n = 5 }
func (t *tree) touch() { visit(&t.in) }
func visit(x toucher) { x.touch() }

type box struct { v vec; n int; p *int; s []int; f func() int }

func (b box) get() int { return b.n }
func (b *box) put(n int) { b.n = n }

type set map[*int]bool
type named struct { ptr *int }
type pairOf[T any] struct { ptr *T }

type outer struct { box }
type byPtr struct { *box }

var (
	n    = 3
	arr  = [3]int{1, 2, 3}
	v    = vec{1, 2, 3}
	b    = box{n: 1}
	o    outer
	bp   byPtr
	list = []int{1, 2}
	rows = [][]int{{1}, {2}}
	m    = map[string]int{"a": 1}
	fs   = map[string]func() int{}
	str  = "abc"
	ptr  *int
	oak  tree
)
`
	tests := []struct{ name, code, want string }{
		{"n", "_ = n; x := n + 1; _ = x; f := func() int { return n }; _ = f", ""},
		{"n", "n = 1", "is assigned at a/b.go:5"},
		{"n", "n++", "is assigned at a/b.go:5"},
		{"n", "(n) -= 1", "is assigned at a/b.go:5"},
		{"n", "var x int; x, n = 1, 2; _ = x", "is assigned at a/b.go:5"},
		{"n", "n := 1; n = 2; _ = n", ""},
		{"n", "n, x := 1, 2; n = x", ""},
		{"n", "if n := 1; n > 0 { n = 2 }; _ = n", ""},
		{"n", "for n = range 3 {}", "is assigned at a/b.go:5"},
		{"n", "for n := range 3 { n++ }", ""},
		{"n", "p := &n; *p = 1", "has its address taken at a/b.go:5"},
		{"n", "*&n = 1", "is assigned at a/b.go:5"},
		{"n", "_ = &n == &n", "has its address taken at a/b.go:5"},
		{"n", "_ = *&n; _ = &n == nil", ""},
		{"n", "func() { n = 1 }()", "is assigned at a/b.go:5"},
		{"n", "func(n int) { n = 1 }(n)", ""},
		{"n", "_ = box{n: 1}; var x box; x.n = 2", ""},
		{"arr", "x := arr; x[0] = 1; for i := range arr { _ = arr[i] }", ""},
		{"arr", "arr[1] = 2", "is assigned at a/b.go:5"},
		{"arr", "arr[1]++", "is assigned at a/b.go:5"},
		{"arr", "p := &arr[1]; *p = 1", "has its address taken at a/b.go:5"},
		{"arr", "x := arr[:]; x[0] = 1", "has its address taken at a/b.go:5"},
		{"arr", "arr[:][0] = 1", "is assigned at a/b.go:5"},
		{"arr", "arr[1:][:1][0]++", "is assigned at a/b.go:5"},
		{"arr", "copy(arr[:], []int{1})", "is assigned at a/b.go:5"},
		{"arr", "clear(arr[:])", "is assigned at a/b.go:5"},
		{"arr", "_ = append(arr[:0], 1)", "is assigned at a/b.go:5"},
		{"arr", "for i, arr[0] = range 3 {}", "is assigned at a/b.go:5"},
		{"arr", "for _, x := range arr[:] { _ = x }; _ = arr[1:][0]; _ = len(arr[:]); copy(make([]int, 1), arr[:])", ""},
		{"arr", "only(arr[:], 1); _ = sums(arr[:]...); _ = inst[[]int](arr[:]); _ = inst(arr[:])", ""},
		{"arr", "writes(0, arr[:])", "has its address taken at a/b.go:5"},
		{"arr", "keeps(arr[:])", "has its address taken at a/b.go:5"},
		{"arr", "gives(arr[:])[0] = 1", "has its address taken at a/b.go:5"},
		{"arr", "hands(arr[:], 3)", "has its address taken at a/b.go:5"},
		{"arr", "asserts(arr[:])", "has its address taken at a/b.go:5"},
		{"arr", "lists(arr[:])", "has its address taken at a/b.go:5"},
		{"arr", "only := func(x []int, i int) { x[i] = 1 }; only(arr[:], 1)", "has its address taken at a/b.go:5"},
		{"arr", "func(x []int) { x[0] = 1 }(arr[:])", "has its address taken at a/b.go:5"},
		{"arr", "at(&arr, 1); _ = (&arr)[0]", ""},
		{"arr", "(&arr)[0] = 1", "is assigned at a/b.go:5"},
		{"arr", "sets(&arr)", "has its address taken at a/b.go:5"},
		{"arr", "_ = qd.Static(keeps(arr[:]))", "has its address taken at a/b.go:5"},
		{"arr", "qdreg.Vars(\"a\", map[string]any{\"arr\": &arr})", ""},
		{"arr", "other.Vars(\"a\", map[string]any{\"arr\": &arr})", "has its address taken at a/b.go:5"},
		{"arr", "var x [3]int; x[arr[0]] = 1", ""},
		{"arr", "m := map[*[3]int]bool{}; m[&arr] = true; for p := range m { p[0] = 1 }", "has its address taken at a/b.go:5"},
		{"arr", "copy := func(a, b []int) { b[0] = 1 }; copy(nil, arr[:])", "has its address taken at a/b.go:5"},
		{"arr", "len := func(a []int) int { a[0] = 1; return 0 }; _ = len(arr[:])", "has its address taken at a/b.go:5"},
		{"ptr", "for p := range map[*int]bool{ptr: true} { *p = 1 }", "is aliased at a/b.go:5"},
		{"ptr", "for p := range (set{(ptr): true}) { *p = 1 }", "is aliased at a/b.go:5"},
		{"ptr", "for p := range map[*int]bool{*&ptr: true} { *p = 1 }", "has its address taken at a/b.go:5"},
		{"ptr", "for _, s := range []set{{ptr: true}} { for p := range s { *p = 1 } }", "is aliased at a/b.go:5"},
		{"ptr", "type pairs map[*int]bool; for p := range (pairs{ptr: true}) { *p = 1 }", "is aliased at a/b.go:5"},
		{"ptr", "_ = named{ptr: nil}; _ = []*named{{ptr: nil}}; _ = map[string][]named{\"\": {0: {ptr: nil}}}; _ = struct{ ptr *int }{ptr: nil}", ""},
		{"ptr", "_ = map[named]int{{ptr: nil}: 1}; _ = pairOf[int]{ptr: nil}", ""},
		{"oak", "visit(&oak)", "has its address taken at a/b.go:5"},
		{"v", "_ = v.sum(); _ = v[1]; _ = vec.sum(v)", ""},
		{"v", "v.set(1)", "has its address taken at a/b.go:5"},
		{"v", "f := v.set; f(1)", "has its address taken at a/b.go:5"},
		{"v", "_ = v.at(1); _ = (&v).at(1); _ = v.over(2)", ""},
		{"v", "f := v.at; f(1)", "has its address taken at a/b.go:5"},
		{"v", "v.indirectly(1)", "has its address taken at a/b.go:5"},
		{"b", "b.v[0] = 1", "is assigned at a/b.go:5"},
		{"b", "b.v.set(1)", "has its address taken at a/b.go:5"},
		{"b", "_ = b.n; _ = b.v.sum(); _ = b.s[0]; _ = b.f()", ""},
		{"b", "_ = b.get()", ""}, // with its pointer
		{"b", "b.put(1)", "has its address taken at a/b.go:5"},
		{"b", "*b.p = 1", "is assigned at a/b.go:5"},
		{"b", "x := b.s; x[0] = 1", "is aliased at a/b.go:5"},
		{"o", "o.put(1)", "has its address taken at a/b.go:5"},
		{"bp", "bp.put(1)", "is aliased at a/b.go:5"},
		{"list", "_ = list[0]; _ = len(list); for i, x := range list { _, _ = i, x }; _ = list == nil", ""},
		{"list", "x := list; _ = x; y := x; for range y { _ = y[0] }; var z = x; z = nil; _ = z", ""},
		{"list", "x := list; x[0] = 1", "is aliased at a/b.go:5"},
		{"list", "x := list; y := x; y[0] = 1", "is aliased at a/b.go:5"},
		{"list", "x := list; func() { x[0] = 1 }()", "is aliased at a/b.go:5"},
		{"list", "var x []int; x = list; p := &x; (*p)[0] = 1", "is aliased at a/b.go:5"},
		{"list", "x := list; m := [][]int{x}; m[0][0] = 1", "is aliased at a/b.go:5"},
		{"list", "x := list; f := func() []int { return x }; f()[0] = 1", "is aliased at a/b.go:5"},
		{"list", "f := func() (x []int) { x = list; return }; f()[0] = 1", "is aliased at a/b.go:5"},
		{"list", "{ rows := 1; _ = rows }; rows[0] = list", "is aliased at a/b.go:5"},
		{"list", "x := list; { x := []int{1}; x[0] = 2 }; _ = x[0]", ""},
		{"list", "x := list; { x := x; x[0] = 2 }; _ = x[0]", "is aliased at a/b.go:5"},
		{"list", "x := list; x, y := []int{1}, 2; x[0] = y", "is aliased at a/b.go:5"},
		{"list", "x := []int{1}; x[0] = 2; { x := list; _ = x[0] }", ""},
		{"list", "x := []int{1}; if true { x, y := list, 2; _, _ = x, y }; x[0] = 2", ""},
		{"list", "x := []int{1}; { x, y := list, 2; x[0] = y }; _ = x", "is aliased at a/b.go:5"},
		{"list", "X := list; _ = X[0]", ""},
		{"list", "func(x []int) { x, y := list, 2; x[0] = y }(nil)", "is aliased at a/b.go:5"},
		{"list", "_ = func(x []int) (y []int) { x, y = list, x; return }", "is aliased at a/b.go:5"},
		{"list", "only := 1; _ = only; { _ = inst(list) }; func(inst int) { _ = inst }(0)", ""},
		{"arr", "p := new(int); *p = 2; for i := range arr { p := &arr[i]; _ = *p }", ""},
		{"arr", "var p *int; for i := range arr { p = &arr[i]; q := p; p := new(int); *p = *q }; _ = p", ""},
		{"arr", "var p *int; for i := range arr { p = &arr[i]; p := p; *p = 1 }", "has its address taken at a/b.go:5"},
		{"arr", "switch p := &arr[0]; *p { case 1: p := new(int); *p = 1 }", ""},
		{"arr", "switch p := &arr[0]; *p { case 1: *p = 1 }", "has its address taken at a/b.go:5"},
		{"list", "x := list; go func(x []int) { x[0] = 1 }(x)", "is aliased at a/b.go:5"},
		{"list", "var c chan []int; x := list; c <- x", "is aliased at a/b.go:5"},
		{"list", "x, y := list, 1; x[y] = 1", "is aliased at a/b.go:5"},
		{"list", "_ = append([]int(nil), list...)", ""},
		{"list", "_ = append(list, list...)", "is assigned at a/b.go:5"},
		{"rows", "_ = append([][]int(nil), rows...)", "is assigned at a/b.go:5"},
		{"rows", "for _, r := range rows { _ = r[0]; q := r; _ = q[1:] }", ""},
		{"arr", "p := &arr[1]; _ = *p", ""},
		{"arr", "p := &arr[1]; *p = 1", "has its address taken at a/b.go:5"},
		{"arr", "p := &arr; p[0] = 1", "has its address taken at a/b.go:5"},
		{"list", "f(list)", ""}, // which has no name for it
		{"list", "only(list, 1)", ""},
		{"list", "writes(0, list)", "is aliased at a/b.go:5"},
		{"list", "list = append(list, 1)", "is assigned at a/b.go:5"},
		{"list", "_ = list[1:]", ""},
		{"list", "x := list[1:]; _ = x", ""},
		{"list", "x := list[1:]; copy(x, x)", "is aliased at a/b.go:5"},
		{"list", "clear(list)", "is assigned at a/b.go:5"},
		{"list", "for _, x := range qd.Static(list) { _ = x }; _ = qd.Static(f(list))", ""},
		{"list", "y := qd.Static(list); y[0]++", "is aliased at a/b.go:5"},
		{"list", "y := qd.Static(list[1:]); println(y[0])", ""},
		{"list", "qdreg.StaticValue(\"a\", \"k\", 0, \"list\", func() []int { return list })", ""},
		{"list", "other.StaticValue(\"a\", \"k\", 0, \"list\", func() []int { return list })", "is aliased at a/b.go:5"},
		{"list", "other.Static(list)", "is aliased at a/b.go:5"},
		{"list", "oak.Static(list)", "is aliased at a/b.go:5"},
		{"rows", "_ = rows[0][0]; for i := range rows { _ = rows[i][0] }", ""},
		{"rows", "for _, r := range rows { r[0] = 1 }", "is aliased at a/b.go:5"},
		{"rows", "r := rows[0]; r[0] = 1", "is aliased at a/b.go:5"},
		{"m", `_ = m["a"]; _, ok := m["b"]; _ = ok; for k, v := range m { _, _ = k, v }`, ""},
		{"m", `m["a"] = 1`, "is assigned at a/b.go:5"},
		{"m", `delete(m, "a")`, "is assigned at a/b.go:5"},
		{"fs", `fs["a"]()`, ""},
		{"str", "_ = str[0]; _ = str[1:]; x := str; _ = x", ""},
		{"ptr", "*ptr = 1", "is assigned at a/b.go:5"},
		{"n", "//go:linkname n other.n", "is a variable of another package, or set by one, as its go:linkname says"},
		{"n", "//go:linkname name other.name", ""},
	}
	for _, test := range tests {
		src := sources(map[string]string{
			"a/a.go": "package a\n" + decls + "func k() { _, _, _, _, _, _, _, _, _, _, _, _, _ = n, arr, v, b, o, bp, list, rows, m, fs, str, ptr, oak }",
			"a/b.go": fmt.Sprintf("package a\nimport (\"github.com/qdgen/qd\"; \"github.com/qdgen/qd/qdreg\"; other \"example.com/qdreg\")\nfunc f([]int) int { _ = qd.Sqrt[float32]; _, _ = qdreg.Vars, other.Vars; return 0 }\nfunc init() {\n%s\n}", test.code),
		})
		if got := changed(t, src, test.name); got != test.want {
			t.Errorf("%s in %s: %q, want %q", test.name, test.code, got, test.want)
		}
	}
}

// changed is what Changed says of a variable that function k of package a mentions.
func changed(t *testing.T, src Sources, name string) string {
	t.Helper()
	p := mustCheck(t, src, Ref{Pkg: "a", Name: "k"})
	v, ok := p.Kernels[0].Pkg.Scope().Lookup(name).(*types.Var)
	if !ok || p.Var(v) == nil {
		t.Fatalf("no variable %s", name)
	}
	return p.Var(v).Changed()
}

// Assembly of the program's build may set a variable, or give it its initial value.
func TestSetInAssembly(t *testing.T) {
	for _, tt := range []struct {
		name, file, text string
		want             bool
	}{
		{"data", "a.s", "DATA ·n+0(SB)/8, $5\nGLOBL ·n(SB), RODATA, $8\n", true},
		{"a function", "a.s", "TEXT ·F(SB), NOSPLIT, $0\n\tMOVQ AX, ·n(SB)\n\tRET\n", true},
		{"its address", "a.s", "TEXT ·F(SB), NOSPLIT, $0\n\tMOVD\t$·n(SB), R0\n\tRET\n", true},
		{"its address, in the standard library", "a.s", "TEXT ·F(SB), NOSPLIT, $0\n\tMOVD\t$·n(SB), R0\n\tRET\n", false},
		{"data, in the standard library", "a.s", "DATA ·n+0(SB)/8, $5\nGLOBL ·n(SB), RODATA, $8\n", true},
		{"set, in the standard library", "a.s", "TEXT ·F(SB), NOSPLIT, $0\n\tMOVQ AX, ·n(SB)\n\tRET\n", true},
		{"its address, loaded", "a.s", "TEXT ·F(SB), NOSPLIT, $0\n\tLEAQ ·n(SB), AX\n\tRET\n", true},
		{"a macro", "a.s", "#define SET MOVQ ·n(SB), AX\n", true},
		{"the second on a line", "a.s", "TEXT ·F(SB), NOSPLIT, $0\n\tMOVQ ·n(SB), AX; MOVQ AX, ·n+0(SB)\n", true},
		{"its address, behind a label", "a.s", "TEXT ·F(SB), NOSPLIT, $0\nloop:\tLEAQ ·n(SB), AX\n\tRET\n", true},
		{"exchanged", "a.s", "TEXT ·F(SB), NOSPLIT, $0\n\tXCHGL ·n(SB), AX\n\tRET\n", true},
		{"a use of a macro", "a.s", "TEXT ·F(SB), NOSPLIT, $0\n\tSET(·n(SB))\n\tSETS(AX, BX)\n\tRET\n", true},
		{"first of a macro", "a.s", "TEXT ·F(SB), NOSPLIT, $0\n\tSET(·n(SB), AX)\n\tRET\n", true},
		{"read behind a label", "a.s", "TEXT ·F(SB), NOSPLIT, $0\nloop: MOVQ ·n(SB), AX\n\tRET\n", false},
		{"read", "a.s", "TEXT ·F(SB), NOSPLIT, $0\n\tMOVQ\t·n+0(SB), AX // ·n(SB)\n\tCMPB ·n(SB), $1\n\tRET\n", false},
		{"another variable", "a.s", "TEXT ·F(SB), NOSPLIT, $0\n\tMOVQ AX, ·nn(SB)\n\tRET\n", false},
		{"a comment", "a.s", "TEXT ·F(SB), NOSPLIT, $0\n\tRET // ·n(SB)\n", false},
		{"another build", "a.s", "//go:build never\n\nDATA ·n+0(SB)/8, $5\n", false},
		{"another system", "a_plan9.s", "DATA ·n+0(SB)/8, $5\n", false},
		{"no names", "a.s", "// nothing\n\tRET\n", false},
	} {
		src := sources(map[string]string{"k/k.go": "package k\n\nimport \"github.com/qdgen/qd\"\n\nvar n int\n\n//qd:kernel\nfunc kernel(t qd.Thread, x []int) { x[0] = n }\n"})
		src["k"].Standard = strings.Contains(tt.name, "standard library")
		if f, ok := Assembly("k/"+tt.file, []byte(tt.text)); ok {
			src["k"].Assembly = append(src["k"].Assembly, f)
		}
		p, err := Check(src, Ref{Pkg: "k", Name: "kernel", File: "k/k.go"})
		if err != nil {
			t.Fatal(err)
		}
		for obj, v := range p.vars {
			if got := v.Changed(); obj.Name() == "n" && (got == "may be set in assembly") != tt.want {
				t.Errorf("%s: %q", tt.name, got)
			}
		}
	}
}
