package frontend

import (
	"errors"
	"strings"
	"testing"

	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/frontend/load"
)

// Kernels of which nobody says the constants are right or wrong for all of them.
func TestSymbolic(t *testing.T) {
	const head = `package p

import "github.com/qdgen/qd"

type stage struct {
	f func(int) int
	n int
	name string
}

func (s stage) run(x int) int { return s.f(x) + s.n }

func pow(x int, n qd.Const[int]) int {
	if n.V == 0 {
		return 1
	}
	return x * pow(x, qd.C(n.V-1))
}

func fact(n int) int {
	if n <= 1 {
		return 1
	}
	return n * fact(n-1)
}

func apply(f func(int) int, x int) int { return f(x) }

func choose(name string) func(int) int {
	if name == "inc" {
		return func(x int) int { return x + 1 }
	}
	return func(x int) int { return x }
}

`
	for _, tt := range []struct{ name, src, want string }{
		{"recursion", `func k(t qd.Thread, a []int, n qd.Const[int]) { a[0] = pow(a[1], n) + pow(a[2], qd.C(n.V*2)) + fact(n.V) }`, ""},
		{"conditions", `func k(t qd.Thread, a []int, n qd.Const[int], b qd.Const[bool]) {
	if n.V > 3 { a[0] = 1 } else if b.V { a[1] = 2 } else { a[2] = 3 }
	if qd.Static(n.V == 4) { return }
	switch qd.Static(n.V) {
	case 1: a[3] = 1
	case 2: a[4] = 2
	}
	for i := range qd.Static(n.V) { a[i] = i; if i == 3 { break } }
	for i := 0; qd.Static(i < n.V); i++ { a[i]++ }
	qd.StaticAssert(n.V > 2, "too small")
	qd.StaticPrint(n.V, b.V)
}`, ""},
		{"functions", `func k(t qd.Thread, a []int, f qd.Const[func(int) int], s qd.Const[stage]) {
	a[0] = f.V(a[1]) + apply(f.V, 3) + s.V.run(a[2]) + s.V.f(1)
	if f.V != nil { a[3] = 1 }
	if s.V.name == "x" { a[4] = len(s.V.name) }
	qd.Printf("%s %d\n", s.V.name, s.V.n)
	g := choose(s.V.name)
	a[5] = g(2)
}`, ""},
		{"arrays", `func k(t qd.Thread, a []int, w qd.Const[[3]int], fs qd.Const[[2]func(int) int], names qd.Const[[2]string]) {
	for i, v := range qd.Static(w.V) { a[i] = v }
	for i, f := range fs.V { a[i] = f(i) }
	for _, s := range names.V { a[len(s)] = 1 }
	a[0] = w.V[a[1]] + fs.V[1](2)
}`, ""},
		{"receivers", `func (s stage) k(t qd.Thread, a []int) { a[0] = s.f(s.n) + s.run(2); for range qd.Static(s.n) { a[1]++ } }`, ""},
		{"real errors", `func k(t qd.Thread, a []int, n qd.Const[int], f qd.Const[func(int) int]) {
	a[0] = pow(2, qd.C(a[1]+n.V))
	if n.V > 2 { go f.V(1) }
}`, "argument of qd.C is not known at compile time"},
		{"errors of branches", `func k(t qd.Thread, a []int, n qd.Const[int]) {
	if n.V == 1 { var c chan int; _ = c }
}`, "channels are not supported"},
		{"a table", `func (s stage) k(t qd.Thread, a []int) { a[0] = qd.Static(table[s.n])(a[1]) }
var table = [...]func(int) int{fact, func(x int) int { return -x }}`, ""},
		{"a table of the launch", `func k(t qd.Thread, a []int, fs qd.Const[[2]func(int) int], n qd.Const[int]) { a[0] = qd.Static(fs.V[n.V])(a[1]) }`, ""},
		{"a variable of a branch", `func k(t qd.Thread, a []int, b qd.Const[bool]) {
	n := 4
	if b.V { n = a[0] }
	a[1] = qd.Static(n)
}`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			name := "k"
			if strings.Contains(tt.src, "(s stage) k") {
				name = "stage.k"
			}
			src := sources(t, onePackage("p", "k.go", head+tt.src+"\n"))
			_, err := Specialize(Options{Symbolic: true}, src, load.Ref{Pkg: "p", Name: name})
			switch {
			case tt.want == "" && err != nil:
				t.Error(err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("error is %v, want %q", err, tt.want)
			}
		})
	}
}

// What is wrong for some of the values that a launch may give is doubtful, and what is wrong for all of them
// is not.
func TestDoubtful(t *testing.T) {
	const head = `package p

import "github.com/qdgen/qd"

func bad(x int) int { return append([]int{x}, 1)[0] }

func worse(x int, b bool) int {
	if b { return bad(x) }
	return len(map[int]int{})
}

func checks(x int) { if x > 0 { println(x) } }

`
	for _, tt := range []struct{ name, src, certain, doubtful string }{
		{"if", `if b.V { _ = make([]int, a[0]) }`, "", "cannot allocate"},
		{"else", `if b.V { a[0] = 1 } else if n.V > 1 { _ = make([]int, a[0]) }`, "", "cannot allocate"},
		{"both", `if b.V { _ = make([]int, a[0]) }; _ = make([]bool, a[0])`, "cannot allocate", "cannot allocate"},
		{"runtime", `if a[0] > n.V { _ = make([]int, a[0]) }`, "cannot allocate", ""},
		{"and", `if b.V && a[0] > 1 { _ = make([]int, a[0]) }`, "", "cannot allocate"},
		{"and not", `if !(a[0] > 1) && !b.V { _ = make([]int, a[0]) }`, "", "cannot allocate"},
		{"or a call", `if b.V || bad(1) > 2 { a[0] = 1 }`, "", "cannot allocate"},
		{"switch", `switch n.V { case 1: _ = make([]int, a[0]); case 2: a[0] = 2; default: println(1) }`, "", "cannot allocate"},
		{"returned", `if b.V { return }; _ = make([]int, a[0])`, "", "cannot allocate"},
		{"returned for some data", `if a[0] > 1 { return }; _ = make([]int, a[0])`, "cannot allocate", ""},
		{"continued", `for i := range a { if b.V { continue }; a[i] = bad(i) }`, "", "cannot allocate"},
		{"a call", `if b.V { a[0] = bad(1) }`, "", "cannot allocate"},
		{"two calls", `if b.V { a[0] = bad(1) }; a[1] = bad(2)`, "cannot allocate", ""},
		{"two calls through another", `if b.V { a[0] = worse(1, a[1] > 2) }; a[1] = worse(2, a[0] > 1)`, "cannot allocate", ""},
		{"a function returned", `f := func() { if b.V { return }; a[0] = 1 }; f(); _ = make([]int, a[0])`, "cannot allocate", ""},
		{"a loop", `for i := range qd.Static(n.V) { a[i] = bad(i) }`, "cannot allocate", ""},
		{"a turn", `for i := range qd.Static(n.V) { if i == 3 { a[i] = bad(i) } }`, "", "cannot allocate"},
		{"a pointer", `p := &a[0]; if b.V { var c [2]int; p = &c[1] }; a[1] = *p`, "", "outlives"},
		{"pointers", `p := &a[0]; if a[1] > 1 { var c [2]int; p = &c[1] }; a[1] = *p`, "outlives", ""},
		{"a type", `if b.V { var e chan int; _ = e }; var f chan int; _ = f`, "channels", "channels"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := sources(t, onePackage("p", "k.go", head+"func k(t qd.Thread, b qd.Const[bool], n qd.Const[int], a []int) {\n"+tt.src+"\n}\n"))
			_, err := Specialize(Options{Symbolic: true}, src, load.Ref{Pkg: "p", Name: "k"})
			found := (*diag.Diagnostics)(nil)
			if !errors.As(err, &found) {
				t.Fatalf("error is %v", err)
			}
			var certain, doubtful string
			for _, d := range found.List {
				if d.Doubtful {
					doubtful += d.Msg + "\n"
				} else {
					certain += d.Msg + "\n"
				}
			}
			for _, w := range []struct{ got, want string }{{certain, tt.certain}, {doubtful, tt.doubtful}} {
				if (w.want == "") != (w.got == "") || !strings.Contains(w.got, w.want) {
					t.Errorf("certain: %sdoubtful: %s", certain, doubtful)
				}
			}
		})
	}
}
