package frontend

import (
	"strings"
	"testing"

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
