package frontend

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/load"
)

// thunks is an Environment that knows some qd.Static, by function and index.
type thunks struct {
	table
	types map[string]string
	evals map[string]func(args []comptime.Value) (comptime.Value, error)
	got   []string
}

func siteKey(s StaticSite) string { return fmt.Sprintf("%s.%s#%d", s.Pkg, s.Func, s.Index) }

func (t *thunks) StaticType(s StaticSite) (string, error) {
	if typ, ok := t.types[siteKey(s)]; ok {
		return typ, nil
	}
	return "", ErrNotRegistered
}

func (t *thunks) Static(s StaticSite, args []comptime.Value, _ Reads) (comptime.Value, error) {
	if eval, ok := t.evals[siteKey(s)]; ok {
		t.got = append(t.got, fmt.Sprintf("%s: %s %v", siteKey(s), s.Expr, args))
		return eval(args)
	}
	return comptime.Value{}, ErrNotRegistered
}

func intValue(n int) comptime.Value {
	return comptime.Value{Kind: comptime.Int, Type: "int", Bits: uint64(n)}
}

func strValue(s string) comptime.Value {
	return comptime.Value{Kind: comptime.String, Type: "string", Str: s}
}

// TestStaticSites evaluates qd.Static by registered code, with packages that the front end
// knows nothing of, and without any where kernel Go is enough.
func TestStaticSites(t *testing.T) {
	const head = `package p

import (
	"math"
	"math/bits"
	"os"
	"slices"
	"strings"

	"x.org/lib"
	"github.com/qdgen/qd"
)

var _ = os.Args
var _ = slices.Contains[[]int]
var _ = strings.ToUpper
var _ = lib.F
var _ = bits.Len
var handlers = map[string]func(float64, float64) float64{"add": add, "mul": func(a, b float64) float64 { return a * b }}

func add(a, b float64) float64 { return a + b }

func pick(op string) func(float64, float64) float64 {
	if op == "add" {
		return add
	}
	return nil
}

var text = "a b c"

var number = 2

var colors = []string{"green", "red"}

func read(name string) int { data, _ := os.ReadFile(name); return len(data) }

`
	for _, tt := range []struct {
		name, body string
		types      map[string]string
		evals      map[string]func([]comptime.Value) (comptime.Value, error)
		want, got  string
	}{
		{name: "math", body: "x[0] = qd.Static(math.Hypot(3, 4)); x[1] = qd.Static(math.Sqrt(2))", want: "5 1.4142135623730951"},
		{name: "bits", body: "n := 5; x[0] = float64(qd.Static(bits.Len(uint(n)))); x[1] = qd.Static(float64(n))", want: "3 5"},
		{name: "handlers", body: `op := "add"; x[0] = qd.Static(handlers[op])(x[1], 2); x[1] = qd.Static(handlers["mul"])(x[1], 2)`, want: "? ?"},
		{name: "slices by index", body: `for i := range qd.Static(len(colors)) { if qd.Static(colors[i] == "red") { x[i] = 7 } }`, want: "7"},
		{
			name: "strings", body: `name := "abc"; s := qd.Static(strings.ToUpper(name)); if s == "ABC" { x[0] = float64(len(s)) }`,
			types: map[string]string{"p.k#0": "string"},
			evals: map[string]func([]comptime.Value) (comptime.Value, error){"p.k#0": func(a []comptime.Value) (comptime.Value, error) { return strValue(strings.ToUpper(a[0].Str)), nil }},
			want:  "3", got: `p.k#0: strings.ToUpper(name) ["abc"]`,
		},
		{
			name: "types of results", body: `n := qd.Static(len(strings.Fields(text))); if qd.Static(slices.Contains(colors, "red")) { x[n] = 1 } else { go add(1, 2) }; f := qd.Static(lib.Pick(n)); x[1] = f(x[0], 1)`,
			types: map[string]string{"p.k#0": "int", "p.k#1": "bool", "p.k#2": "func(float64, float64) float64"},
			evals: map[string]func([]comptime.Value) (comptime.Value, error){
				"p.k#0": func([]comptime.Value) (comptime.Value, error) { return intValue(3), nil },
				"p.k#1": func([]comptime.Value) (comptime.Value, error) {
					return comptime.Value{Kind: comptime.Bool, Type: "bool", Bits: 1}, nil
				},
				"p.k#2": func(a []comptime.Value) (comptime.Value, error) {
					return comptime.Value{Kind: comptime.Func, Type: "func(float64, float64) float64", Func: &load.Ref{Pkg: "p", Name: "add", File: "k.go", Line: 24}}, nil
				},
			},
			want: "1 ?",
			got:  "p.k#0: len(strings.Fields(text)) []\np.k#1: slices.Contains(colors, \"red\") []\np.k#2: lib.Pick(n) [3]",
		},
		{
			name: "named types", body: `v := qd.Static(lib.Make()); x[0] = float64(v.N); w := qd.Static(read("x")); x[1] = float64(w)`,
			types: map[string]string{"p.k#0": "p.pair"},
			evals: map[string]func([]comptime.Value) (comptime.Value, error){
				"p.k#0": func([]comptime.Value) (comptime.Value, error) {
					return comptime.Value{Kind: comptime.Struct, Type: "p.pair", Elems: []comptime.Value{intValue(4)}}, nil
				},
				"p.k#1": func([]comptime.Value) (comptime.Value, error) { return intValue(9), nil },
			},
			want: "4 9", got: "p.k#0: lib.Make() []\np.k#1: read(\"x\") []",
		},
		{
			name: "in a loop", body: `for i := range qd.Static(3) { x[i] = float64(qd.Static(lib.At(i, "k"))) }`,
			types: map[string]string{"p.k#1": "int"},
			evals: map[string]func([]comptime.Value) (comptime.Value, error){"p.k#1": func(a []comptime.Value) (comptime.Value, error) { return intValue(int(a[0].Bits) * 10), nil }},
			want:  "0 10 20", got: "p.k#1: lib.At(i, \"k\") [0]\np.k#1: lib.At(i, \"k\") [1]\np.k#1: lib.At(i, \"k\") [2]",
		},
		{name: "names of functions", body: `x[0] = qd.Static(add)(x[1], 2); x[1] = qd.Static(pick("add"))(1, x[2])`, want: "? ?"},
		{name: "a part of what is not all known", body: `s := struct{ f func(float64) float64; k int }{func(y float64) float64 { return x[0] + y }, 3}; for i := range qd.Static(s.k & number) { x[i] = s.f(1) }`, want: "? ?"},
		{name: "branches not taken", body: `const debug = false; if debug { s := qd.Static(strings.ToUpper("x")); x[0] = float64(len(s)) }; x[1] = 2`, want: "2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			env := &thunks{types: tt.types, evals: tt.evals}
			text := head + "type pair struct{ N int }\n\nfunc k(t qd.Thread, x []float64) {\n" + tt.body + "\n}\n"
			s, err := Specialize(Options{Env: env}, sources(t, onePackage("p", "k.go", text)), load.Ref{Pkg: "p", Name: "k"})
			if err != nil {
				t.Fatal(err)
			}
			if got := stored(t, s); got != tt.want {
				t.Errorf("stores %s, want %s\n%s", got, tt.want, s.Module)
			}
			if got := strings.Join(env.got, "\n"); got != tt.got {
				t.Errorf("asked\n%s\nwant\n%s", got, tt.got)
			}
		})
	}
}

// TestStaticErrors is about qd.Static that cannot be evaluated.
func TestStaticErrors(t *testing.T) {
	fails := errors.New("panic: index out of range [3] with length 2")
	env := &thunks{
		types: map[string]string{"p.k#0": "int"},
		evals: map[string]func([]comptime.Value) (comptime.Value, error){"p.k#0": func([]comptime.Value) (comptime.Value, error) { return comptime.Value{}, fails }},
	}
	lacking := &thunks{
		types: map[string]string{"p.k#0": "int"},
		evals: map[string]func([]comptime.Value) (comptime.Value, error){"p.k#0": func([]comptime.Value) (comptime.Value, error) {
			return comptime.Value{}, &LackError{Lack: errors.New("there are several functions f")}
		}},
	}
	odd := &thunks{
		types: map[string]string{"p.k#0": "int"},
		evals: map[string]func([]comptime.Value) (comptime.Value, error){"p.k#0": func([]comptime.Value) (comptime.Value, error) { return strValue("x"), nil }},
	}
	for _, tt := range []struct {
		body string
		env  Environment
		want string
	}{
		{`x[0] = float64(qd.Static(strings.Count("aa", "a")))`, env, "k.go:12:26: qd.Static(strings.Count(\"aa\", \"a\")): panic: index out of range [3] with length 2"},
		{`x[0] = float64(qd.Static(strings.Count("aa", "a")))`, nil, "qd.Static(strings.Count(\"aa\", \"a\")) needs package strings, and no code for it is registered"},
		{`n := t.ID(); x[0] = float64(qd.Static(strings.Count("aa", "a") + n))`, env, "argument of qd.Static is not known at compile time: n"},
		{`x[0] = float64(qd.Static(strings.Count("aa", "a")))`, lacking, "compiled Go cannot evaluate qd.Static(strings.Count(\"aa\", \"a\")): there are several functions f\n"},
		{`x[0] = float64(qd.Static(strings.Count("aa", "a")))`, odd, "qd.Static(strings.Count(\"aa\", \"a\")) is \"x\" of type string, which kernels cannot have"},
		{`x[0] = float64(qd.Static(grown(3)))`, nil, "qd.Static(grown(3)) needs Go that kernels do not have"},
		{`x[1] = float64(assigned); x[0] = float64(qd.Static(grown(3)))`, nil, "qd.Static(grown(3)) needs Go that kernels do not have (k.go:8:36: a kernel cannot allocate memory: the capacity of []int{…} is 1)"},
		{`n := "b"; x[0] = qd.Static(ops[n](1))`, nil, "k.go:12:28: ops[n] is nil here\n"},
		{`x[0] = float64(qd.Static(made()))`, nil, "qd.Static(made()) needs compiled Go, and no code for it is registered"},
		{`if qd.Static(isIn([]int{2}, 1)) { x[0] = 1 }; if qd.Static(isIn([]int{2}, 3)) { x[0] = 2 }`, nil, "qd.Static(isIn([]int{2}, 3)) needs compiled Go, and no code for it is registered"},
		{`x[0] = float64(qd.Static(nested(2)))`, nil, "16:47: qd.Static(strings.Count(\"a\", \"b\")) needs package strings, and no code for it is registered\n"},
		{`x[0] = float64(qd.Static(undefined))`, nil, "undefined: undefined"},
		{`x[0] = float64(qd.Static(strings.Count(undefined, "a")))`, nil, "needs package strings"},
		{`x[0] = float64(qd.Static(assigned))`, nil, "qd.Static(assigned) has its value from the initialization of the package, but it reads assigned, which is assigned at k.go:9, and no code for it is registered\n"},
		{`x[0] = float64(qd.Static(assigned * 100))`, &thunks{}, "k.go:12:26: qd.Static(assigned * 100) has its value from the initialization of the package, but it reads assigned, which is assigned at k.go:9, and no code for it is registered\n"},
		{`x[0] = float64(qd.Static(indirect(2)))`, &thunks{}, "qd.Static(indirect(2)) has its value from the initialization of the package, but it reads assigned, which is assigned at k.go:9"},
		{`x[0] = qd.Static(table[0](2))`, &thunks{}, "but it reads assigned, which is assigned at k.go:9"},
		{`x[0] = qd.Static(func() float64 { type T int; return float64(T(assigned)) }())`, &thunks{}, "but it reads assigned, which is assigned at k.go:9"},
		{`x[0] = float64(strings.Count("aa", "a"))`, env, "package strings is not available in kernels"},
	} {
		text := "package p\n\nimport (\n\t\"strings\"\n\n\t\"github.com/qdgen/qd\"\n)\nfunc grown(n int) int { return len(append([]int{n}, n)) + cap(make(chan int)) }\nfunc init() { assigned = 2 }\n" +
			"var assigned = 1; func made() int { return strings.Count(\"a\", \"b\") }\nfunc k(t qd.Thread, x []float64) {\n" + tt.body + "\n}\n" +
			"func isIn(x []int, v int) bool { return strings.Contains(\"a\", \"b\") }\nvar ops = map[string]func(float64) float64{\"a\": func(x float64) float64 { return -x }}\nfunc nested(n int) int { return n + qd.Static(strings.Count(\"a\", \"b\")) }\n" +
			"func indirect(n int) int { return n + isAssigned() }\nfunc isAssigned() int { return assigned }\nvar table = [1]func(int) float64{func(n int) float64 { return float64(n * assigned) }}\n"
		_, err := Specialize(Options{Env: tt.env}, sources(t, onePackage("p", "k.go", text)), load.Ref{Pkg: "p", Name: "k"})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.body, err, tt.want)
		}
	}
}

// TestSymbolicOutside lowers for the errors only: nobody is asked, and what only the
// running program knows is no error.
func TestSymbolicOutside(t *testing.T) {
	const head = `package p

import (
	"os"
	"strings"

	"github.com/qdgen/qd"
)

var Scale float32 = 2

var changed = 1

func init() { changed = 2 }

var opened int = len(os.Args)

type pair struct { a, b int; c [3]float64 }

var Pair pair

var Words = map[string]int{"a": 1}

var List = []int{1, 2}

var Op func(float64) float64

var Name string

func slow(n int) int { return len(append([]int{n}, n)) }

type named struct { name string; n int }

func of(c qd.Const[named], x []float64) { x[0] = float64(c.V.n) }

`
	for _, tt := range []struct{ body, want string }{
		{`x[0] = float64(Scale); if changed == 2 { x[1] = 3 }; for i := range opened { x[i] = 1 }`, ""},
		{`x[0] = Pair.c[t.ID()%3]; x[1] = float64(Pair.a + Pair.b); p := Pair; x[2] = p.c[1]`, ""},
		{`x[0] = float64(qd.Static(Words["b"])); x[1] = float64(qd.Static(List[0])); x[2] = float64(qd.Static(slow(3)))`, ""},
		{`for i, v := range qd.Static(List) { x[i] = float64(v) }`, ""},
		{`for i := range qd.Static(slow(2)) { x[i] = 1 }`, ""},
		{`x[0] = Op(x[1])`, ""},
		{`s := qd.Static(strings.ToUpper("a")); x[0] = float64(len(s)); if s == "A" { x[1] = 1 }`, ""},
		{`if qd.Static(strings.Contains(Name, "a")) { x[1] = 1 }`, ""},
		{`x[0] = float64(qd.Static(slow(n.V))); if qd.Static(strings.Repeat("a", n.V) == "aa") { x[0] = 1 }`, ""},
		{`x[0] = float64(qd.Static(slow(t.ID())))`, "argument of qd.Static is not known at compile time"},
		{`i := t.ID(); x[0] = float64(qd.Static(strings.Count("a", "b") + i))`, ""},
		{`if qd.Static(strings.Contains(c.V.name, "a")) { x[1] = 1 }; of(qd.C(c.V), x)`, ""},
		{`v := named{n: t.ID()}; of(qd.C(v), x)`, "argument of qd.C is not known at compile time: v_n is the index of the thread"},
		{`x[0] = float64(len(List))`, "package variable List cannot be captured by a kernel: it is a slice"},
		{`Scale = 3`, "package variable Scale is assigned in a kernel"},
		{`x[0] = float64(strings.Count("a", "b"))`, "package strings is not available in kernels"},
	} {
		src := sources(t, onePackage("p", "k.go", head+"func k(t qd.Thread, x []float64, n qd.Const[int], c qd.Const[named]) {\n"+tt.body+"\n}\n"))
		_, err := Specialize(Options{Symbolic: true}, src, load.Ref{Pkg: "p", Name: "k"})
		switch {
		case tt.want == "" && err != nil:
			t.Errorf("%s: %v", tt.body, err)
		case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
			t.Errorf("%s: %v, want %s", tt.body, err, tt.want)
		}
	}
}
