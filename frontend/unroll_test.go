package frontend

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/frontend/lower"
)

// TestUnrollLimits lowers loops that are unrolled too often.
func TestUnrollLimits(t *testing.T) {
	for body, want := range map[string]string{
		"m := 1; for qd.Static(m > 0) { m = 1 }": "an unrolled loop has more than 65536 iterations",
		"for range qd.Static(1 << 40) { }":       "an unrolled loop has more than 65536 iterations",
		"for range qd.Static(1000) { for range qd.Static(1000) { for range qd.Static(1000) { m := 1; m += 1 } } }": "the unrolled loops of the kernel are too much code",
	} {
		_, _, err := Compile(sources(t, onePackage("p", "p.go", kernelOf(body, ""))), load.Ref{Pkg: "p", Name: "k"})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", body, err, want)
		}
	}
}

// TestManyTurns wants a warning for a loop of very many iterations, one for each.
func TestManyTurns(t *testing.T) {
	for body, want := range map[string]int{
		"for i := range qd.Static(1024) { x[i] = i }":                                           0,
		"for i := range qd.Static(1025) { x[i] = i }":                                           1,
		"for range 3 { for i := range qd.Static(1025) { x[i] = i } }":                           1,
		"for i := 0; qd.Static(i < 2000); i++ { }; for i := range qd.Static(1025) { x[i] = i }": 2,
		"for i := range qd.Static(32) { for j := range qd.Static(32) { x[i] = j } }":            0,
	} {
		var warned []diag.Diagnostic
		opts := Options{Warn: func(d diag.Diagnostic) { warned = append(warned, d) }}
		mustLowerWith(t, sources(t, onePackage("p", "p.go", kernelOf(body, ""))), load.Ref{Pkg: "p", Name: "k"}, opts)
		if len(warned) != want {
			t.Errorf("%s: warnings %v, want %d", body, warned, want)
		}
		for _, d := range warned {
			if d.Msg != "the loop is unrolled and has more than 1024 iterations" || d.Pos.Line == 0 {
				t.Errorf("%s: %v", body, d)
			}
		}
	}
}

// TestManyTurnsTogether counts the iterations of unrolled loops in each other, and warns of the outermost.
func TestManyTurnsTogether(t *testing.T) {
	const row = "func row(i int, x []int) { for j := range qd.Static(100) { x[j] = i } }\n"
	for body, column := range map[string]int{
		"for i := range qd.Static(100) { for j := range qd.Static(100) { x[i] = j } }":                                                 1,
		"if x[0] > 3 { for i := range qd.Static(4) { for range 16 { for j := range qd.Static(17) { x[i] = j } } } }":                   15,
		"for i := range qd.Static(1025) { for range 2 { x[i] = i } }":                                                                  1,
		"for i := range qd.Static(2) { for j := 0; qd.Static(j < 600); j++ { x[i] = j }; for j := range qd.Static(600) { x[i] = j } }": 1,
		"for i := range qd.Static(100) { f := func(n int) { for j := range qd.Static(100) { x[n] = j } }; f(i) }":                      1,
		"for i := range qd.Static(100) { row(i, x) }":                                                                                  0, // a function is compiled once
	} {
		var warned []diag.Diagnostic
		opts := Options{Warn: func(d diag.Diagnostic) { warned = append(warned, d) }}
		mustLowerWith(t, sources(t, onePackage("p", "p.go", kernelOf(body, row))), load.Ref{Pkg: "p", Name: "k"}, opts)
		if column == 0 {
			if len(warned) > 0 {
				t.Errorf("%s: %v", body, warned)
			}
			continue
		}
		if len(warned) != 1 || warned[0].Msg != "the loop and loops in it are unrolled and have more than 1024 iterations together" || warned[0].Pos.Column != column {
			t.Errorf("%s: %v, want a warning in column %d", body, warned, column)
		}
	}
}

// TestParallelTurns wants one error for too many parallel loops.
func TestParallelTurns(t *testing.T) {
	const text = "package p\n\nimport \"github.com/qdgen/qd\"\n\nfunc k(g qd.Grid, x []int) {\n\tfor i := range qd.Static(1 << 20) {\n\t\tg.For(len(x), func(j int) { x[j] = i })\n\t}\n}\n"
	_, _, err := Compile(sources(t, onePackage("p", "p.go", text)), load.Ref{Pkg: "p", Name: "k"})
	var ds *diag.Diagnostics
	if !errors.As(err, &ds) || len(ds.List) != 1 || ds.List[0].Pos.Line != 6 || ds.List[0].Msg != "the unrolled loops of the kernel are too much code" {
		t.Error(err)
	}
}

// TestStaticPrint compares what is printed when a kernel is compiled.
func TestStaticPrint(t *testing.T) {
	body := `qd.StaticPrint("n is", 8/2, true, 'a')
	for i := range 2 {
		qd.StaticPrint(i, 0.5*float32(i), [2]int{i, 7}, pair{a: i})
	}
	if n == 3 {
		qd.StaticPrint(math.Pi, 1e21, float32(0.1), [1][2]bool{}, "x"+"y", []string{"a", "b"})
	}
	m := 1
	if m == 2 {
		qd.StaticPrint("not taken")
	}`
	want := []string{
		"p.go:15: n is 4 true 97",
		"p.go:17: 0 0 [0 7] {0 0}",
		"p.go:17: 1 0.5 [1 7] {1 0}",
		"p.go:20: 3.141592653589793 1e+21 0.1 [[false false]] xy [a b]",
	}
	var got []string
	opts := Options{Print: func(line string) { got = append(got, line) }}
	mustLowerWith(t, sources(t, onePackage("p", "p.go", kernelOf(body, ""))), load.Ref{Pkg: "p", Name: "k"}, opts)
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("printed\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestMaxUnroll holds the limit to what package qd says.
func TestMaxUnroll(t *testing.T) {
	text, err := os.ReadFile("../static.go")
	if err != nil {
		t.Fatal(err)
	}
	if lower.MaxUnroll != 16 || !strings.Contains(string(text), "const MaxUnroll = 16\n") {
		t.Error("qd.MaxUnroll is not maxUnroll")
	}
}

// TestSymbolicLoops lowers loops of which is known that they are unrolled, but not how
// often, for their errors.
func TestSymbolicLoops(t *testing.T) {
	const params = "t qd.Thread, n qd.Const[int], s qd.Const[string], w qd.Const[[3]float32], f qd.Const[func(int) int], x []int"
	for body, want := range map[string]string{
		"for i := range n.V { x[qd.Static(i)] = 1 }":                                        "",
		"for i := range qd.Static(n.V) { x[qd.Static(i+1)] = 1 }":                           "",
		"for i, v := range qd.Static(w.V) { x[qd.Static(i)] = int(qd.Static(v)) }":          "",
		"for i, r := range qd.Static(s.V) { x[qd.Static(i)] = int(qd.Static(r)) }":          "",
		"k := 1; for qd.Static(k < n.V) { k *= 2 }; x[qd.Static(k)] = 1":                    "",
		"for i := 0; qd.Static(i < n.V); i++ { x[i] = qd.Static(i) }":                       "",
		"k := 1; for range n.V { k++ }; x[qd.Static(k)] = 1":                                "",
		"var i int; for i = range n.V { if i == 3 { break } }; x[qd.Static(i)] = 1":         "",
		"for i := range n.V { return }; x[0] = make([]int, len(x))[0]":                      "a kernel cannot allocate memory",
		"for i := range n.V { if i == 2 { continue }; x[0] = make([]int, len(x))[0] }":      "a kernel cannot allocate memory",
		"for i := range qd.Static(n.V) { x[0] = qd.Static(x[1]) }":                          "the elements of x are read when the kernel runs",
		"if n.V == 2 { x[0] = 1; return }; for i := range len(x) { x[qd.Static(i)] = n.V }": "i is assigned in a loop that is not unrolled",
		"if qd.Static(n.V > 3) { x[0] = 1 } else { qd.StaticAssert(n.V == 4, `no`) }":       "",
		"switch n.V { case 1: x[0] = 2; case 2: return; default: x[qd.Static(n.V)] = 3 }":   "",
		"tile := [4]int{}; for i := range n.V { tile[i] = f.V(i) }; x[0] = tile[0]":         "",
	} {
		src := sources(t, onePackage("p", "p.go", "package p\n\nimport \"github.com/qdgen/qd\"\n\n//qd:kernel\nfunc k("+params+") {\n"+body+"\n}\n"))
		_, err := Specialize(Options{Symbolic: true}, src, load.Ref{Pkg: "p", Name: "k"})
		if got := fmt.Sprint(err); want == "" && err != nil || !strings.Contains(got, want) {
			t.Errorf("%s: %v, want %q", body, err, want)
		}
	}
}

// TestStaticMessage wants the message that the language's description shows.
func TestStaticMessage(t *testing.T) {
	src := sources(t, onePackage("p", "saxpy.go", `package p

import "github.com/qdgen/qd"

//qd:kernel
func saxpy(t qd.Thread, val float32, y []float32) {
	i := t.ID()
	y[i] = val
	if qd.Static(val > 0) {
		y[i]++
	}
}
`))
	_, err := Specialize(Options{}, src, load.Ref{Pkg: "p", Name: "saxpy"})
	want := "saxpy.go:9:15: argument of qd.Static is not known at compile time: val is a runtime parameter\n"
	if err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("error is %v, want %s", err, want)
	}
}
