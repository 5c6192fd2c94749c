package frontend

import (
	"fmt"
	"slices"
	"testing"

	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/frontend/load"
)

// TestLargeValues wants a warning for each place at which something of more than 144
// elements is declared, and no other.
func TestLargeValues(t *testing.T) {
	const about = " elements: more than 144 make slow code, which takes long to compile"
	for _, c := range []struct {
		body, decls string
		want        []string // line, name and elements
	}{
		{"var a [144]float32; var m [12][12]float32; x[0] = int(a[x[0]] + m[x[0]][0])", "", nil},
		{"var a [145]float32; x[0] = int(a[x[0]])", "", []string{"15: a is a value of 145"}},
		{"a := [25][6]int{}; b := a; x[0] = b[x[0]][1]", "", []string{"15: a is a value of 150", "15: b is a value of 150"}},
		{"for range 3 { a := [150]int{}; x[0] = a[x[0]] }", "", []string{"15: a is a value of 150"}},
		{"x[0] = sum([150]int{}) + sum([150]int{1})", "func sum(a [150]int) int { return a[0] + a[149] }", []string{"18: a is a value of 150"}},
		{"x[0] = some()[x[0]]", "func some() [150]int { return [150]int{} }", []string{"18: the result is a value of 150"}},
		{"var p pair2; x[0] = p.a[x[0]] + p.b[1]", "type pair2 struct {\n\ta, b [100]int\n\tc [200]int\n}", []string{"20: field c is a value of 200"}},
		{"var p unpacked; x[0] = p.c[1]", "type unpacked struct {\n\tc [200]int `qd:\"unpacked\"`\n}", []string{"19: field c is a value of 200"}},
		{"var ps [50]point3; x[0] = ps[x[0]].x", "type point3 struct{ x, y, z int }", []string{"15: ps is a value of 150"}},
		{"s := x[:200]; for _, v := range s { x[0] += v }", "", nil},
		{"x[0] = table[x[0]]", "var table [200]int", nil},
		{"x[0] = look(qd.C([200]int{}), x[0])", "func look(c qd.Const[[200]int], i int) int { return c.V[i] }", nil},
	} {
		var got []string
		opts := Options{Warn: func(d diag.Diagnostic) { got = append(got, fmt.Sprintf("%d: %s", d.Pos.Line, d.Msg)) }}
		mustLowerWith(t, sources(t, onePackage("p", "p.go", kernelOf(c.body, c.decls))), load.Ref{Pkg: "p", Name: "k"}, opts)
		for i, w := range c.want {
			c.want[i] = w + about
		}
		slices.Sort(got)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.body, got, c.want)
		}
	}
}
