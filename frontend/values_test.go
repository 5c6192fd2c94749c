package frontend

import (
	"strings"
	"testing"

	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/eval"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

func TestValues(t *testing.T) {
	const head = "package p\n\nimport \"github.com/qdgen/qd\"\n"
	for _, tt := range []struct {
		name, src string
		consts    map[int]comptime.Value
		want      []string // lines of the module
	}{
		{name: "strings", src: `
func k(t qd.Thread, a []int) {
	s := "ab"
	s += "c"
	if s == "abc" && len(s) == 3 && s[1] == 'b' && s[1:] == "bc" {
		a[0] = 1
	}
	switch s + "d" {
	case "abcd":
		a[1] = len(s)
	}
	qd.Printf("x %s\n", s)
}`},
		{name: "func fields", src: `
type op struct { f func(float32) float32; k float32 }
func sq(x float32) float32 { return x*x }
func (o op) do(x float32) float32 { return o.k * o.f(x) }
func apply(o op, x float32) float32 { o.k++; return o.do(x) }
func k(t qd.Thread, a []float32) {
	o := op{f: sq, k: 2}
	o.k = a[0]
	for i := range a { if a[i] > 0 { o.k += a[i] } }
	a[0] = apply(o, a[1])
	fs := [2]func(float32) float32{sq, func(x float32) float32 { return x + a[2] }}
	a[1] = fs[0](3) + fs[1](4)
	g := fs
	g[0] = fs[1]
	a[2] = g[0](1)
	if g[0] != nil { a[3] = 1 }
}`},
		{name: "consts", want: []string{"func add_5(x.", "func add_10(x."}, consts: map[int]comptime.Value{2: {Kind: comptime.Int, Type: "int", Bits: 5}}, src: `
func add(x int, n qd.Const[int]) int { return x + n.V }
func k(t qd.Thread, a []int, n qd.Const[int]) {
	if n.V == 5 { a[0] = n.V } else { a[1] = 1 }
	a[2] = add(a[1], n)
	a[3] = add(a[1], qd.C(n.V*2))
}`},
		{name: "recursion", want: []string{"func pow_3(x.", "// n.V = 3", "func fold_add_2(x.", "call even_3()"}, src: `
func pow(x float32, n qd.Const[int]) float32 { if n.V == 0 { return 1 }; return x * pow(x, qd.C(n.V-1)) }
func fact(n int) int { if n <= 1 { return 1 }; return n * fact(n-1) }
func even(n uint8) bool { if n == 0 { return true }; return odd(n-1) }
func odd(n uint8) bool { if n == 0 { return false }; return even(n-1) }
func fold(f func(float32, float32) float32, n int, x float32) float32 { if n == 0 { return x }; return f(x, fold(f, n-1, x)) }
func add(x, y float32) float32 { return x + y }
func k(t qd.Thread, a []float32) {
	a[0] = pow(a[1], qd.C(3))
	a[1] = float32(fact(4))
	if even(3) { a[2] = 1 }
	a[3] = fold(add, 2, a[4]) + fold(add, 1, a[5])
}`},
		{name: "evaluation", want: []string{"call scaled_9(", "const 56"}, src: `
type pair struct { a, b float32 }
func fib(n int) int { a, b := 0, 1; for i := 0; i < n; i++ { a, b = b, a+b }; return a }
func both(n int) (int, pair) { return n * n, pair{float32(n), 2} }
func scaled(x int, n qd.Const[int]) int { return x * n.V }
func sum(n int) int { if n == 0 { return 0 }; return n + sum(n-1) }
func k(t qd.Thread, a []int) {
	qd.StaticAssert(sum(300) == 45150, "a deep recursion")
	n := fib(10) + 1
	a[0] = qd.Static(n)
	m, p := both(fib(4))
	if p.a + p.b == 5 { a[1] = scaled(a[0], qd.C(m)) } else { a[2] = 3 }
	for i := range fib(3) { a[i] = i }
}`},
		{name: "methods of type parameters", src: `
type op interface { do(x float64) float64 }
type chain[A, B op] struct { first A; then B }
func (c chain[A, B]) do(x float64) float64 { return c.then.do(c.first.do(x)) }
type add struct{ n float64 }
func (a add) do(x float64) float64 { return x + a.n }
type poly struct { n int; c [3]float64 }
func (p poly) do(x float64) (y float64) { for i := range qd.Static(p.n) { y = y*x + p.c[i] }; return }
func run[O op](o O, x float64) float64 { return o.do(x) }
func k(t qd.Thread, x []float64) {
	x[0] = run(chain[add, poly]{add{1}, poly{3, [3]float64{1, 2, 3}}}, x[1])
	x[1] = qd.Static(qd.Sin(0.5)*qd.Sqrt(float64(2)))
}`},
		{name: "lists and variables", consts: map[int]comptime.Value{
			2: {Kind: comptime.Array, Type: "[3]int", Elems: []comptime.Value{{Kind: comptime.Int, Type: "int", Bits: 1}, {Kind: comptime.Int, Type: "int", Bits: 2}, {Kind: comptime.Int, Type: "int", Bits: 3}}},
			3: {Kind: comptime.Func, Type: "func(int) int", Func: &load.Ref{Pkg: "p", Name: "id"}},
		}, want: []string{"func mat.det_1_2_3_4_m_id() float32 {", "func twice_id(x."}, src: `
import "math"
import "math/bits"
var oneHalf = qd.Float16FromBits(0x3c00)
var mask = math.Float32bits(1.5)
var lead = bits.LeadingZeros32(255)
type mat struct { rows [2][2]float32; name string; f func(int) int }
func (m mat) det() float32 { return m.rows[0][0]*m.rows[1][1] - m.rows[0][1]*m.rows[1][0] }
func id(x int) int { return x }
var m = mat{[2][2]float32{{1,2},{3,4}}, "m", id}
func sum(xs []int) (s int) { for _, x := range xs { s += x }; return }
func first(xs ...int) int { return xs[0] }
func twice(f func(int) int, x int) int { return f(f(x)) }
func k(t qd.Thread, a []int, w qd.Const[[3]int], f qd.Const[func(int) int]) {
	a[0] = int(oneHalf.Float32()) + int(mask) + lead
	a[1] = int(qd.Static(m.det())) + m.f(a[2])
	xs := qd.Static([]int{1,2,3})
	a[2] = sum(xs) + xs[a[0]]
	if qd.Static(sum([]int{4,5})) == 9 { a[3] = 1 }
	a[4] = qd.Static(first(1, 2))
	a[5] = twice(f.V, a[0]) + f.V(2)
	w.V[1] = 7
	a[6] = w.V[a[0]]
	c := w
	c.V = [3]int{1}
	for i, v := range qd.Static(c.V) { a[i] += v }
}
`},
		{name: "results", src: `
func adder(n int) func(int) int { return func(x int) int { return x + n } }
func k(t qd.Thread, a []int) {
	f, g := adder(1), adder(a[0])
	a[1] = f(g(3))
}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := sources(t, onePackage("p", "k.go", head+tt.src))
			s, err := Specialize(Options{Consts: tt.consts}, src, load.Ref{Pkg: "p", Name: "k"})
			if err != nil {
				t.Fatal(err)
			}
			text := s.Module.String()
			if err := ssa.Verify(s.Module); err != nil {
				t.Errorf("%v\n%s", err, text)
			}
			for _, want := range tt.want {
				if !strings.Contains(text, want) {
					t.Errorf("no %q in\n%s", want, text)
				}
			}
		})
	}
}

// Values that a launch gives and a kernel cannot take, and what only grows large when it is
// compiled.
func TestValueErrors(t *testing.T) {
	str := func(s string) comptime.Value { return comptime.Value{Kind: comptime.String, Type: "string", Str: s} }
	for _, tt := range []struct {
		name, src, kernel, want string
		opts                    Options
	}{
		{"const of another type", `func k(t qd.Thread, a []int, n qd.Const[int]) { a[0] = n.V }`, "k",
			`parameter n cannot be "x" of type string`, Options{Consts: map[int]comptime.Value{2: str("x")}}},
		{"receiver of another type", `type r struct{ n int }
func (r r) k(t qd.Thread, a []int) { a[0] = r.n }`, "r.k",
			`receiver r cannot be "x" of type string`, Options{Receiver: &comptime.Value{Kind: comptime.String, Type: "string", Str: "x"}}},
		{"function without source", `func k(t qd.Thread, a []int, f qd.Const[func(int) int]) { a[0] = f.V(1) }`, "k",
			`the source of function nowhere is not available`, Options{Consts: map[int]comptime.Value{2: {Kind: comptime.Func, Type: "func(int) int", Func: &load.Ref{Pkg: "p", Name: "nowhere"}}}}},
		{"long string", `func k(t qd.Thread, a []int, s qd.Const[string]) { a[0] = len(s.V + s.V) }`, "k",
			`a string of more than 1048576 bytes`, Options{Consts: map[int]comptime.Value{2: str(strings.Repeat("x", eval.MaxString))}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := sources(t, onePackage("p", "k.go", "package p\n\nimport \"github.com/qdgen/qd\"\n\n"+tt.src+"\n"))
			p, err := load.Check(src, load.Ref{Pkg: "p", Name: tt.kernel})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := Lower(p, p.Kernels[0], tt.opts); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error is %v, want %q", err, tt.want)
			}
		})
	}
}

func init() {
	unreachable["device functions are called with more than %d different lists of compile-time arguments"] = "TestManyInstances has one"
}

// Instances for known arguments may double from call to call.
func TestManyInstances(t *testing.T) {
	src := sources(t, onePackage("p", "k.go", `package p

import "github.com/qdgen/qd"

func f(n qd.Const[int], depth qd.Const[int]) int {
	if depth.V == 0 {
		return n.V
	}
	return f(qd.C(2*n.V), qd.C(depth.V-1)) + f(qd.C(2*n.V+1), qd.C(depth.V-1))
}

func k(t qd.Thread, a []int) { a[0] = f(qd.C(1), qd.C(30)) }
`))
	_, err := Specialize(Options{}, src, load.Ref{Pkg: "p", Name: "k"})
	if err == nil || !strings.Contains(err.Error(), "more than 4096 different lists of compile-time arguments") {
		t.Errorf("error is %v", err)
	}
}
