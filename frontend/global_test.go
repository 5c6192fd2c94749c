package frontend

import (
	"errors"
	"strings"
	"testing"

	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// stored lowers a kernel whose statements store into a parameter of type []T, and gives the
// constants that it stores, in order.
func stored(t *testing.T, s *Specialized) string {
	t.Helper()
	if err := ssa.Verify(s.Module); err != nil {
		t.Fatalf("%v\n%s", err, s.Module)
	}
	var got []string
	for _, f := range s.Module.Funcs {
		if !f.Kernel {
			continue
		}
		for _, in := range f.Body.Instrs {
			if in.Op != ssa.OpStore {
				continue
			}
			if c, ok := in.Args[1].Const(); ok {
				got = append(got, c.Format(in.Args[1].Type))
			} else {
				got = append(got, "?")
			}
		}
	}
	return strings.Join(got, " ")
}

// TestGlobals reads package variables, which have their initial values where nothing
// else is known.
func TestGlobals(t *testing.T) {
	other := onePackage("x.org/other", "other.go", `package other

var hidden = 4

func Hidden() int { return hidden }

func Twice(x int) int { return 2 * x }

var Scale = 3

const Big = 7
`)
	for _, tt := range []struct{ name, decls, body, want string }{
		{"scalars", "var n, f, b = 3, float32(1.5), true", "x[0] = float64(n); x[1] = float64(f); if b { x[2] = 1 }", "3 1.5 1"},
		{"zero", "var n int; var f float64; var a [2]float64", "x[0] = float64(n); x[1] = f; x[2] = a[1]", "0 0 0"},
		{"typed", "type celsius float64; var c celsius = 20; func (c celsius) f() float64 { return float64(c)*2 }", "x[0] = c.f()", "?"},
		{"const expressions", "const two = 2; var n = two*3 + 1; var m uint8 = 255", "x[0] = float64(n); x[1] = float64(m+1)", "7 0"},
		{"others", "var a = b + 1; var b = c * 2; var c = 5", "x[0] = float64(a)", "11"},
		{"struct", "type p struct{ a, b float64; in struct{ c [3]float64 } }; var v = p{a: 1, b: 2}; var w = &v", "x[0] = 1", "1"},
		{"parts", "type p struct{ a, b float64; in struct{ c [3]float64 } }; var v = p{a: 1, b: 2, in: struct{ c [3]float64 }{[3]float64{4, 5, 6}}}",
			"x[0] = v.b; x[1] = v.in.c[2]; i := 1; x[2] = v.in.c[i]; w := v; x[3] = w.a", "2 6 5 1"},
		{"elements of structs", "type p struct{ a, b float64 }; var v = [...]p{{1, 2}, {3, 4}, 4: {5, 6}}", "x[0] = v[1].b; x[1] = v[4].a; x[2] = float64(len(v))", "4 5 5"},
		{"runtime index", "var v = [3]float64{1, 2, 3}", "x[0] = v[t.ID()%3]", "?"},
		{"strings", `var s = "abc"; var u = s + "d"`, `if s == "abc" { x[0] = float64(len(u)) }`, "4"},
		{"functions", "var f = sq; func sq(x float64) float64 { return x * x }; var g func(float64) float64", "x[0] = f(3); if g == nil { x[1] = 1 }", "? 1"},
		{"literals", "var f = func(x float64) float64 { return x + 1 }", "x[0] = f(3)", "?"},
		{"tables of functions", "var fs = [2]func(float64) float64{one, two}; func one(x float64) float64 { return 1 }; func two(x float64) float64 { return 2 }", "x[0] = fs[1](3)", "?"},
		{"literals on one line", "var fs = [2]func(int) int{func(x int) int { return x + 1 }, func(x int) int { return x * 2 }}", "x[0] = float64(fs[0](3)); x[1] = float64(fs[1](4))", "? ?"},
		{"literals that name others", "const two = 2; var fs = []func(int) int{func(x int) int { return inc(x) }, func(x int) int { return x * two }}; func inc(x int) int { return x + 1 }",
			"x[0] = float64(qd.Static(fs[0](3))); x[1] = float64(qd.Static(fs[1](3)))", "4 6"},
		{"literals in a map", "var ws = map[string]func(int) float64{`pi`: func(n int) float64 { return math.Floor(float64(n) * math.Pi) }}", "x[0] = qd.Static(ws[`pi`](3))", "9"},
		{"conversions", "var a = uint8(200); var b = int8(a - 100); var c = float32(0.1)", "x[0] = float64(b); x[1] = float64(c)", "100 0.10000000149011612"},
		{"through another package", "", "x[0] = float64(other.Hidden())", "?"},
		{"math", "var pi = math.Pi; var m = math.MaxInt8", "x[0] = pi; x[1] = float64(m)", "3.141592653589793 127"},
		{"another package", "var n = other.Twice(other.Big)", "x[0] = float64(n)", "14"},
		{"pure calls", "var n = fac(5); func fac(n int) int { r := 1; for i := range n { r *= i + 1 }; return r }", "x[0] = float64(n)", "120"},
		{"two results", "var a, b = both(); func both() (int, float64) { return 1, 2.5 }", "x[0] = float64(a); x[1] = b", "1 2.5"},
		{"functions of package qd", "var one = qd.Float16FromBits(0x3c00); var r = qd.Sqrt(float32(16))", "x[0] = float64(r)", "4"},
		{"not assigned, only shadowed", "var n = 1; func f() { n := 2; n = 3; _ = n }", "x[0] = float64(n)", "1"},
		{"in a device function", "var n = 2; func f(x float64) float64 { return x * float64(n) }", "x[0] = f(x[1])", "?"},
		{"known condition", "var debug = false", "if debug { x[0] = 1; undefinedHere() }; x[1] = 2", "2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := "package p\n\nimport (\n\t\"math\"\n\n\t\"x.org/other\"\n\t\"github.com/qdgen/qd\"\n)\n\nvar _ = other.Big\nvar _ = math.Pi\nfunc undefinedHere() { go func() {}() }\n" +
				tt.decls + "\n\nfunc k(t qd.Thread, x []float64) {\n" + tt.body + "\n}\n"
			s, err := Specialize(Options{}, sources(t, onePackage("p", "k.go", text), other), load.Ref{Pkg: "p", Name: "k"})
			if err != nil {
				t.Fatal(err)
			}
			if got := stored(t, s); got != tt.want {
				t.Errorf("stores %s, want %s\n%s", got, tt.want, s.Module)
			}
		})
	}
}

// TestGlobalsNow reads package variables of which the running program says the values.
func TestGlobalsNow(t *testing.T) {
	const text = `package p

import "github.com/qdgen/qd"

var N = 1

var f func(float64) float64 = one

func one(x float64) float64 { return 1 }

func two(x float64) float64 { return x + N2 }

var N2 = 0.5

func init() { N = 2; f = two; N2 = 1.5 }

//qd:kernel
func k(t qd.Thread, x []float64) {
	x[0] = float64(N)
	x[1] = f(x[0])
	x[2] = N2
}
`
	src := sources(t, onePackage("p", "k.go", text))
	env := &table{vars: map[string]comptime.Value{
		"p.N":  {Kind: comptime.Int, Type: "int", Bits: 7},
		"p.f":  {Kind: comptime.Func, Type: "func(float64) float64", Func: &load.Ref{Pkg: "p", Name: "two", File: "k.go", Line: 11}},
		"p.N2": {Kind: comptime.Float64, Type: "float64", Bits: 0x4004000000000000},
	}}
	s, err := Specialize(Options{Env: env}, src, load.Ref{Pkg: "p", Name: "k"})
	if err != nil {
		t.Fatal(err)
	}
	if got := stored(t, s); got != "7 ? 2.5" {
		t.Errorf("stores %s\n%s", got, s.Module)
	}
	var names []string
	for _, q := range s.Asked {
		names = append(names, q.Var.Pkg+"."+q.Var.Name+"="+q.Value.String())
	}
	if got := strings.Join(names, " "); got != "p.N=7 p.f=two p.N2=2.5" || env.asked != 3 {
		t.Errorf("asked %d: %s", env.asked, got)
	}
}

// TestGlobalErrors has answers of the running program that cannot be used.
func TestGlobalErrors(t *testing.T) {
	src := sources(t, onePackage("p", "k.go", "package p\n\nimport \"github.com/qdgen/qd\"\n\nvar n int\n\nfunc Set() { n = 1 }\n\nfunc k(t qd.Thread, x []int) { x[0] = n }\n"))
	for _, tt := range []struct {
		env  Environment
		want string
	}{
		{&table{vars: map[string]comptime.Value{"p.n": strValue("x")}}, `package variable n cannot be "x" of type string`},
		{&failing{}, "package variable n cannot be captured: it is a map of channels"},
	} {
		_, err := Specialize(Options{Env: tt.env}, src, load.Ref{Pkg: "p", Name: "k"})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v, want %s", err, tt.want)
		}
	}
}

// failing is an Environment that knows nothing that could be used.
type failing struct{ table }

func (*failing) Var(pkg, name string) (comptime.Value, error) {
	return comptime.Value{}, errors.New("it is a map of channels")
}

// TestInitOrder has init functions in several files, which run in the order in which the go command gives the files to the
// compiler.
func TestInitOrder(t *testing.T) {
	p := onePackage("p", "c.go", "package p\n\nimport \"github.com/qdgen/qd\"\n\nvar n = 1\n\nfunc init() { n = 10*n + 3 }\n\nfunc k(t qd.Thread, x []float64) { x[0] = float64(n) }\n")
	for _, file := range []struct{ name, text string }{
		{"a_test.go", "package p\n\nfunc init() { n = 10*n + 4 }\n"},
		{"b.go", "package p\n\nfunc init() { n = 10*n + 2 }\n"},
	} {
		p.Files = append(p.Files, load.File{Name: file.name, Src: []byte(file.text)})
	}
	s, err := Specialize(Options{}, sources(t, p), load.Ref{Pkg: "p", Name: "k"})
	if err != nil {
		t.Fatal(err)
	}
	if got := stored(t, s); got != "1234" {
		t.Errorf("stores %s", got)
	}
}

// TestTablesChanged has slices and pointers that something may write to.
func TestTablesChanged(t *testing.T) {
	for _, tt := range []struct{ decls, body string }{
		{"var s = []float64{1, 2}; func Set() { p := s; p[0] = 3 }", "x[0] = s[0]"},
		{"var s = []float64{1, 2}; func Get() []float64 { return s }", "x[0] = s[0]"},
		{"var s = []float64{1, 2}; var q = s[:1]", "x[0] = s[0]"},
		{"var s = []float64{1, 2}; func f(y []float64) { y[0] = 1 }", "f(s); x[0] = s[0]"},
		{"var s = []float64{1, 2}; var get = func() []float64 { return s }", "x[0] = s[0]"},
		{"var s = []float64{1, 2}", "s[0] = 1; x[0] = s[0]"},
		{"var s = []float64{1, 2}", "s = x; x[0] = s[0]"},
		{"type c struct{ w []float64 }; var s = c{[]float64{1}}; func Get() c { return s }", "x[0] = s.w[0]"},
		{"type c struct{ a, b float64 }; var s = &c{1, 2}; func Set() { s.a = 2 }", "x[0] = s.a"},
		{"type c struct{ a, b float64 }; var s = &c{1, 2}; func (v *c) set() { v.a = 2 }", "s.set(); x[0] = s.a"},
		{"type c struct{ a, b float64 }; var s = &c{1, 2}", "s.a = 2; x[0] = s.a"},
		{"type c struct{ a, b float64 }; var s = &c{1, 2}; var r = &c{1, 2}", "if s == r { x[0] = 1 }"},
		{"type c struct{ a, b float64 }; var s = &c{1, 2}; func same(p, q *c) bool { return p == q }", "if same(s, s) { x[0] = 1 }"},
		{"type c struct{ a *float64 }; var f = 2.0; var s = c{&f}; func Set() { f = 3 }", "x[0] = *s.a"},
		{"var a = [2]float64{1, 2}; var s = a[:]; func Set() { a[0] = 4 }", "x[0] = s[0]"},
		{"var s []float64; func fill() { s = append(s, 1) }; func init() { fill() }; func Again() { fill() }", "x[0] = s[0]"},
		{"var s []float64; var hook = fill; func fill() { s = append(s, 1) }; func init() { fill() }", "x[0] = s[0]"},
		{"var s []float64; func init() { defer func() { go func() { s = nil }() }(); s = append(s, 1) }", "x[0] = s[0]"},
		{"var s []float64; var keep []float64; func init() { b := []float64{1}; s, keep = b, b }; func Set() { keep[0] = 2 }", "x[0] = s[0]"},
	} {
		text := "package p\n\nimport \"github.com/qdgen/qd\"\n\n" + tt.decls + "\n\nfunc k(t qd.Thread, x []float64) {\n" + tt.body + "\n}\n"
		s, err := Specialize(Options{}, sources(t, onePackage("p", "k.go", text)), load.Ref{Pkg: "p", Name: "k"})
		if err == nil {
			t.Errorf("%s\n%s\nis not refused:\n%s", tt.decls, tt.body, s.Module)
		}
	}
}

// TestTablesHandedOn has a table that functions of another package are given, in kernels and outside of them.
func TestTablesHandedOn(t *testing.T) {
	const other = `package q

import "r"

type Table [2]float64

var kept *Table

func First(t *Table) float64 { return t[0] }

func Both(t *Table) float64 { return First(t) + second(t) }

func second(t *Table) float64 { return t[1] }

func Set(t *Table) { set(t) }

func set(t *Table) { t[0] = 7 }

func Keep(t *Table) { kept = t }

func Deeper(t *Table) { r.Set(t[:]) }

func Reads(t *Table) float64 { return r.First(t[:]) }

func Get() (f func(*Table)) { return Set }
`
	const another = "package r\n\nfunc Set(s []float64) { s[0] = 1 }\n\nfunc First(s []float64) float64 { return s[0] }\n"
	for _, tt := range []struct {
		decls string
		runs  bool
	}{
		{"", true},
		{"func host() float64 { return q.Both(s) }", true},
		{"func host() float64 { return q.Reads(s) }", true},
		{"func host() { q.Set(s) }", false},
		{"func host() { q.Keep(s) }", false},
		{"func host() { q.Deeper(s) }", false},
		{"func host() { f := q.Get(); f(s) }", false},
		{"type m struct{}; func (m) First(t *q.Table) { t[0] = 2 }; func host() { q := m{}; q.First(s) }", false},
		{"func host() { missing.First(s) }", false},
	} {
		text := "package p\n\nimport (\n\t\"github.com/qdgen/qd\"\n\t\"missing\"\n\t\"q\"\n)\n\nvar s = &q.Table{1, 2}\n\n" + tt.decls +
			"\n\nfunc k(t qd.Thread, x []float64) { x[0] = q.Both(s) + q.Reads(s) }\n"
		_, err := Specialize(Options{}, sources(t, onePackage("p", "k.go", text), onePackage("q", "q.go", other), onePackage("r", "r.go", another)), load.Ref{Pkg: "p", Name: "k"})
		if (err == nil) != tt.runs {
			t.Errorf("%s: error %v", tt.decls, err)
		}
	}
}
