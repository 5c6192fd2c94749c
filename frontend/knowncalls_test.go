package frontend

import (
	"strings"
	"testing"

	"github.com/qdgen/qd/frontend/comptime"
	"github.com/qdgen/qd/frontend/load"
)

// knownCalls has functions that are right for some arguments only.
const knownCalls = `package k

import "github.com/qdgen/qd"

func lookUp(n int) int {
	m := map[int]int{n: 3}
	return m[n]
}

func choose(n, x int) int {
	qd.StaticPrint("choose")
	if n == 0 {
		return x
	}
	return lookUp(n)
}

func right(t qd.Thread, x []int) {
	qd.StaticPrint("right")
	x[0] = choose(0, 5)
}

func wrong(t qd.Thread, x []int) { x[0] = choose(0, 5) + choose(1, x[1]) }

func unknown(t qd.Thread, x []int) { x[0] = choose(0, 5) + choose(x[1], 5) }

func static(t qd.Thread, x []int) {
	x[0] = qd.Static(lookUp(3))
	x[1] = lookUp(x[1])
}

func wrapped(n int) int { return lookUp(n) }

func twice(t qd.Thread, x []int) {
	x[0] = qd.Static(wrapped(3))
	x[1] = wrapped(x[1])
}
`

// TestKnownCalls lowers calls of functions that are refused for all arguments but right for those that are known.
func TestKnownCalls(t *testing.T) {
	src := sources(t, onePackage("k", "k.go", knownCalls))
	var lines []string
	s, err := Specialize(Options{Print: func(line string) { lines = append(lines, line) }}, src, load.Ref{Pkg: "k", Name: "right"})
	if err != nil || s.Module == nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(lines, "\n"), "k.go:19: right\nk.go:11: choose"; got != want {
		t.Errorf("printed\n%s\nwant\n%s", got, want)
	}
	for _, name := range []string{"wrong", "unknown"} {
		_, err := Specialize(Options{}, src, load.Ref{Pkg: "k", Name: name})
		if err == nil || !strings.Contains(err.Error(), "k.go:6:7: maps are not supported") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestErrorsTakenBack examines kernels that call a function twice: in a qd.Static, where compiled Go can do what kernels
// cannot, and outside of it. The errors that were found first, and taken back, are found again.
func TestErrorsTakenBack(t *testing.T) {
	src := sources(t, onePackage("k", "k.go", knownCalls))
	for _, name := range []string{"static", "twice"} {
		err := Examine(Options{}, src, []Examined{{Kernel: load.Ref{Pkg: "k", Name: name}, Consts: []map[int]comptime.Value{nil}}}, nil)
		if err == nil || !strings.Contains(err.Error(), "k.go:6:7: maps are not supported") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

const longCalls = `package k

import "github.com/qdgen/qd"

func double(s string) string { return s + s }

func long(t qd.Thread, x []int) {
	s := "a"
	for range qd.Static(21) {
		s = double(s)
	}
	x[0] = len(s)
}

func sum(s string, n int) int {
	k := len(s)
	for i := range 30000 {
		k += i * n
	}
	return k
}

func many(t qd.Thread, x []int) {
	for i := range qd.Static(100) {
		x[i] = sum("a", i)
	}
}
`

// TestLongCalls lowers calls with known strings that take much memory, or much time together.
func TestLongCalls(t *testing.T) {
	src := sources(t, onePackage("k", "k.go", longCalls))
	_, err := Specialize(Options{}, src, load.Ref{Pkg: "k", Name: "long"})
	if err == nil || !strings.Contains(err.Error(), "k.go:10:7: a string of more than 1048576 bytes") {
		t.Errorf("long: %v", err)
	}
	s, err := Specialize(Options{}, src, load.Ref{Pkg: "k", Name: "many"})
	if err != nil || s.Module == nil {
		t.Fatal(err)
	}
	if len(s.Module.Funcs) != 2 {
		t.Errorf("%d functions, want the kernel, and sum for the calls that are not evaluated any more", len(s.Module.Funcs))
	}
}
