package frontend

import (
	"strings"
	"testing"

	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/frontend/load"
)

// TestManyCopies wants a warning where what is lowered into callers comes to very much code: at the body of a loop over
// iterators that call yield in many places, or at the function that is there most often.
func TestManyCopies(t *testing.T) {
	decls := `
func eight(n int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		if !yield(n - 4) || !yield(n - 3) || !yield(n - 2) || !yield(n - 1) || !yield(n + 1) || !yield(n + 2) || !yield(n + 3) || !yield(n + 4) {
			return
		}
	}
}
func apply(f func(int), n int) { f(n) }
`
	for _, c := range []struct {
		body, want, at string
	}{
		{"for i := range eight(x[0]) { for j := range eight(i) { x[1] += j } }", "", ""},
		{
			"for i := range eight(x[0]) { for j := range eight(i) { for k := range eight(j) { x[1] += k } } }",
			"the body of this loop is in the kernel more than ", "{ x[1]",
		},
		{"for i := range qd.Static(200) { apply(func(n int) { x[n] += i }, i) }", "", ""},
		{"for i := range qd.Static(900) { apply(func(n int) { x[n] += i }, i) }", "this function is in the kernel more than ", "func(n int)"},
	} {
		var warned []diag.Diagnostic
		opts := Options{Warn: func(d diag.Diagnostic) { warned = append(warned, d) }}
		text := kernelOf(c.body, decls)
		mustLowerWith(t, sources(t, onePackage("p", "p.go", text)), load.Ref{Pkg: "p", Name: "k"}, opts)
		if c.want == "" {
			if len(warned) > 0 {
				t.Errorf("%s: %v", c.body, warned)
			}
			continue
		}
		if len(warned) != 1 || !strings.HasPrefix(warned[0].Msg, c.want) || warned[0].Hint == "" {
			t.Errorf("%s: %v, want %s", c.body, warned, c.want)
			continue
		}
		line := strings.Split(text, "\n")[warned[0].Pos.Line-1]
		if got := line[warned[0].Pos.Column-1:]; !strings.HasPrefix(got, c.at) {
			t.Errorf("%s: the warning is at %s, want %s", c.body, got, c.at)
		}
	}
}
