package frontend

import (
	"strings"
	"testing"

	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/opt"
)

// Parallel loops wherever a statement or a call can stand, with bodies that end in
// every way.
func TestGridShapes(t *testing.T) {
	const helpers = `package k

import "github.com/qdgen/qd"

func fill(g qd.Grid, x []int, v int) int {
	g.For(len(x), func(i int) { x[i] = v })
	return x[0]
}

func more(g qd.Grid, x []int) bool { return fill(g, x, 1) > 0 }

type pair struct{ a, b []int }

func (p pair) each(g qd.Grid, f func(i int)) { g.For(len(p.a), f) }

`
	for name, test := range map[string]struct {
		body  string
		loops int
	}{
		"none":              {``, 0},
		"in a condition":    {`for more(g, x) { n++ }`, 1},
		"in a post":         {`for i := 0; i < n; i += fill(g, x, i) { n-- }`, 1},
		"in &&":             {`if n > 3 && more(g, x) { n = 4 }`, 1},
		"in an operand":     {`x[0] = fill(g, x, 2) + fill(g, x, 3)`, 2},
		"in a size":         {`g.For(fill(g, x, 2), func(i int) { x[i]++ })`, 2},
		"in a switch":       {`switch fill(g, x, 1) { case 1: fill(g, x, 2); fallthrough; case fill(g, x, 3): n++; default: fill(g, x, 4) }`, 4},
		"after return":      {`return; fill(g, x, 1)`, 0},
		"in a known if":     {`if false { fill(g, x, 1) }`, 0},
		"in a literal":      {`f := func(v int) { fill(g, x, v) }; f(1); f(2)`, 2},
		"with a label":      {`outer: for { for { fill(g, x, 1); if x[0] > 1 { break outer }; continue outer } }`, 1},
		"empty":             {`g.For(n, func(int) {})`, 1},
		"panics":            {`g.For(n, func(i int) { panic("no") })`, 1},
		"panics or returns": {`g.For(n, func(i int) { if i > 1 { return }; panic("no") })`, 1},
		"endless":           {`g.For(n, func(i int) { for { x[i]++ } })`, 1},
		"endless, returns":  {`g.For(n, func(i int) { for { if x[i]++; x[i] > 9 { return } } })`, 1},
		"defines what is outside": {`i, j := 1, 2
			g.For2(i, j, func(j, i int) { i, n := j, i; n++; { x := n; x++; i = x }; x[i] = n })`, 1},
		"twice the same":     {`f := func(i int) { k := i; k++; x[k] = n }; g.For(n, f); n++; g.For(n, f)`, 2},
		"ranges":             {`g.For(n, func(i int) { for k := range i { k++; for i = range k { x[i]++ } }; for i, v := range x { x[i] += v; i++ } })`, 1},
		"address of its own": {`g.For(n, func(i int) { p := &i; *p++; x[i] = *p; a := [2]int{i}; a[i%2]++; x[0] = a[1] })`, 1},
		"struct of slices":   {`p := pair{x, x[1:]}; p.each(g, func(i int) { p.b[i] = p.a[i] })`, 1},
		"struct in memory":   {`var p pair; p.a = x; p.b = p.a[:n]; g.For(n, func(i int) { p.b[i] = p.a[i] })`, 1},
		"array by value":     {`a := [3]int{1, n}; g.For(n, func(i int) { b := a; b[i%3]++; x[i] = b[0] + a[1] })`, 1},
		"element's address":  {`p := &x[n]; g.For(n, func(i int) { qd.AtomicAdd(p, i) })`, 1},
		"prints":             {`g.For(n, func(i int) { qd.Printf("%d %d\n", i, n) }); qd.Printf("%d\n", n)`, 1},
		"method value":       {`loop := g.For3; loop(n, n, n, func(i, j, k int) { x[i] = j + k })`, 1},
		"another name":       {`h := g; h.For(n, func(i int) { x[i] = 0 }); g = h; g.For(n, func(i int) { x[i] = 1 })`, 2},
	} {
		t.Run(name, func(t *testing.T) {
			src := sources(t, onePackage("k", "k.go", helpers+"func k(g qd.Grid, n int, x []int) {\n"+test.body+"\n}\n"))
			m := mustLower(t, src, load.Ref{Pkg: "k", Name: "k"})
			if n := len(m.Device().Kernels()); n != test.loops {
				t.Errorf("%d loops, want %d\n%s", n, test.loops, m)
			}
			if s := m.String(); strings.Contains(s, "poison") || strings.Contains(s, ":grid") {
				t.Errorf("what is no value is in the module:\n%s", s)
			}
			verify := func(after string) {
				if err := ssa.Verify(m); err != nil {
					t.Fatalf("after %s: %v\n%s", after, err, m)
				}
			}
			verify("lowering")
			opt.Optimize(m, func(at opt.Step) { verify(at.String()) })
		})
	}
}
