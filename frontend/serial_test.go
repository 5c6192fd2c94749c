package frontend

import (
	"testing"

	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/frontend/load"
)

// TestSerial wants a warning of each loop at the top level of a Grid kernel that might be parallel, and
// of no other loop.
func TestSerial(t *testing.T) {
	const head = `package p

import "github.com/qdgen/qd"

type body struct{ at, v float32 }

func total(x []float32) float32 {
	sum := x[0]
	sum += x[1]
	return sum
}

func push(x []float32) float32 {
	x[0]++
	return x[0]
}

func pushAt(x []float32, i int) float32 { return push(x[i%4:]) }

//qd:kernel
func k(g qd.Grid, n int, on bool, a, b []float32, bodies []body, m qd.View2[float32]) {
`
	hint := func(n string) string {
		return "write g.For(" + n + ", func(i int) { ... }); or keep the order, with a loop over qd.Dynamic(" + n + ")"
	}
	for _, c := range []struct{ body, hint string }{
		{"for i := range n { a[i] = 2*b[i] }", "write g.For(n, func(i int) { ... }); or keep the order, with a loop over qd.Dynamic(n)"},
		{"for i := range 100 { a[i] += 1 }", "write g.For(100, func(i int) { ... }); or keep the order, with a loop over qd.Dynamic(100)"},
		{"for i := range n { a[i+1] = b[i] }", "write g.For(n, func(i int) { ... }); or keep the order, with a loop over qd.Dynamic(n)"},
		{"for i := range a { a[i]++ }", "write g.For(len(a), func(i int) { ... }); or keep the order, with a loop over qd.Dynamic(len(a))"},
		{"for i := 0; i < len(a); i++ { x := a[i]; x *= x; a[i] = x }", "write g.For(len(a), func(i int) { ... }); or keep the order, with a loop over qd.Dynamic(len(a))"},
		{"for i := range n { bodies[i].at += bodies[i].v }", "write g.For(n, func(i int) { ... }); or keep the order, with a loop over qd.Dynamic(n)"},
		{"for i := range n { for j := range n { m.Set(i, j, m.At(i, j)+1) } }", "write g.For(n, func(i int) { ... }); or keep the order, with a loop over qd.Dynamic(n)"},
		{"if on { for i := range n { a[i] = total(b) } }", "write g.For(n, func(i int) { ... }); or keep the order, with a loop over qd.Dynamic(n)"},
		{"for range n { for i := range n { a[i] = b[i] }; g.For(n, func(i int) { b[i] = a[i] }) }", "write g.For(n, func(i int) { ... }); or keep the order, with a loop over qd.Dynamic(n)"},

		{"for i := range n { for j := range n { a[i*n+j] = b[j*n+i] } }", hint("n")},
		{"for i := range n { for j := range n { k := n*i + j; a[k] += b[k] } }", hint("n")},
		{"for i := range n { for j := range n { for k := range 3 { a[(i*n+j)*3+k] = b[k] } } }", hint("n")},
		{"for i := range n { for j := 0; j < len(b); j++ { for k := range b { a[i*len(b)*len(b)+j*len(b)+k] = 0 } } }", hint("n")},
		{"for i := range n { for j := 1; j < n-1; j++ { a[i*n+j] = b[i*n+j-1] + b[i*n+j+1] } }", hint("n")},
		{"for i := range n { a[2*i], a[2*i+1] = a[2*i+1], a[2*i] }", hint("n")},
		{"for i := range n { a[n-1-i] = b[i] }", hint("n")},
		{"for i := range n { for j := range m.Dim(1) { a[i*m.Dim(1)+j] = m.At(i, j) } }", hint("n")},
		{"for i := range n { for j := range 4 { m.Set(0, 4*i+j, 1) } }", hint("n")},
		{"for i := range n { for j := range 4 { for k := j; k < 4; k++ { a[i*4+k] += b[j] } } }", hint("n")},
		{"for i := range n { a[i*n] = 1 }", hint("n")}, // where n is 0, there is no iteration
		{"for i := range n { for j := range n { a[i+j] = 1 } }", "write g.For(n, func(j int) { ... }); or keep the order, with a loop over qd.Dynamic(n)"},
		{"for i := range n { if b[i] == 0 { continue }; a[int(int64(i))] = 1 }", hint("n")},
		{"for i := range n { a[i] = total(b[1:]) }", hint("n")},
		{"for i := 2; i < n; i++ { a[i] = 0 }", "write g.For(n-2, func(k int) { i := k + 2; ... }); or keep the order, with a loop over qd.Dynamic(n)"},
		{"for i := 1; i < len(a)-1; i++ { a[i] = b[i-1] + b[i+1] }", "write g.For(len(a) - 1-1, func(k int) { i := k + 1; ... }); or keep the order, with a loop over qd.Dynamic(len(a) - 1)"},

		{"for i := range n { a[i+1] = a[i] }", ""},
		{"for i := range n { a[2*i] = a[i] }", ""},
		{"for i := range n { a[2*i] = a[2*i+2] }", ""},
		{"for i := range n { a[n-i] = a[i] }", ""},
		{"for i := range n { a[i*i] = 1 }", ""},
		{"for i := range n { a[i*len(b)] = 1 }", ""}, // which may be empty
		{"for i := range n { for j := range n { a[i+j] += a[0] } }", ""},
		{"for i := range n { for j := range n+1 { a[i*n+j] += a[0] } }", ""},
		{"for i := range n { for j := range i+1 { a[i*n+j] += a[0] } }", ""},
		{"for i := range n { for j := range n { a[i*n+j] = a[i*n+j+1] } }", ""},
		{"for i := range n { for j := i; j < n; j++ { a[i*(n-i)] += a[0] } }", ""},
		{"for i := range n { for j := i; j < 2*i; j++ { a[i*3+j] += a[0] } }", ""},
		{"for i := range n { for j := range n { a[i*n+j] += a[j*n+i] } }", ""},
		{"for i := range n { for range n { a[i*n] = 1; for k := range 2 { a[i*n+k] = 1 } } }", ""},
		{"for i := range n { w := 1; for range n { w *= 2; a[i*w] = 1 } }", ""},
		{"for i := range n { w := i; w %= 4; a[w] = 1 }", ""},
		{"for i := range n { for j := 0; j < 8; j += 2 { a[i*4+j] = 1 } }", ""},
		{"for i := range n { for j := range 4 { j *= 2; a[i*4+j] = 1 } }", ""},
		{"for i := range uint8(200) { a[i*3] = 1 }", ""},
		{"for i := range n { a[i] = push(b) }", ""},
		{"for i := range n { a[i] = pushAt(b, i) }", ""},
		{"for i := range n { a[i] = 1; qd.Printf(\"%d\\n\", i) }", ""},
		{"c := a[1:]; for i := range n { c[i] = a[i] }", ""},
		{"for i := range n { bodies[i%4].at = 1 }", ""},
		{"for i := range n { m.Set(i%4, i/4, 1) }", ""},
		{"for i, v := range a { b[i] = v }", ""},
		{"for i := range n { for j := range 2 { a[i*n+j] = 1 } }", ""},
		{"for i := range n { a[i%4] += b[i] }", ""},
		{"for i := range n { a[i/2] += b[i] }", ""},
		{"for i := range n { a[i&3] += b[i] }", ""},
		{"for i := range n { a[i-i] += b[i] }", ""},
		{"for i := range n { a[min(i, 3)] += b[i] }", ""},
		{"for i := range n { a[int(uint8(i))] += b[i] }", ""},
		{"for i := range n { a[int(b[i])] += 1 }", ""},
		{"for i := range n { c := a[n-i:]; c[i] += 1 }", ""},
		{"for i := range n { a[0] += b[i] }", ""},
		{"s := float32(0); for i := range n { s += b[i]; a[i] = s }", ""},
		{"for i := range n { a[i] = total(a) }", ""},
		{"for i := range n { if b[i] == 0 { break }; a[i] = 1 }", ""},
		{"for i := range n { m.Set(i, 0, m.At(0, i)) }", ""},
		{"for i := range n { p := &a[i]; *p = 1 }", ""},
		{"for i := range qd.Dynamic(n) { a[i] = 1 }", ""},
		{"for i := range qd.Static(4) { a[i] = 1 }", ""},
		{"for i := range 4 { a[i] = 1 }", ""},
		{"for step := range n { g.For(n, func(i int) { a[i] = b[step] }) }", ""},
		{"g.For(n, func(i int) { for j := range n { a[j] = b[i] } })", ""},
		{"for i := range n { qd.Printf(\"%f\\n\", b[i]) }", ""},
	} {
		var got []diag.Diagnostic
		opts := Options{Warn: func(d diag.Diagnostic) { got = append(got, d) }}
		mustLowerWith(t, sources(t, onePackage("p", "p.go", head+c.body+"\n}\n")), load.Ref{Pkg: "p", Name: "k"}, opts)
		const msg = "the iterations of this loop are independent, but it runs once, in order: in a Grid kernel only g.For is parallel"
		if c.hint == "" && len(got) > 0 || c.hint != "" && (len(got) != 1 || got[0].Msg != msg || got[0].Hint != c.hint) {
			t.Errorf("%s: %v, want %q", c.body, got, c.hint)
		}
	}
}
