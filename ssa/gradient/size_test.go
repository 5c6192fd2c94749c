package gradient_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/qdgen/qd/ssa"
	"github.com/qdgen/qd/ssa/gradient"
)

// instructions counts those of a function.
func instructions(f *ssa.Func) (n int) {
	f.Body.Walk(func(*ssa.Instr) { n++ })
	return n
}

// A backward kernel is a few times as long as the kernel, however long that is: what is computed again is computed once
// for all that need it.
func TestSize(t *testing.T) {
	lib := library(t)
	forms := map[string]func(k int) string{
		"statements": func(k int) string { return fmt.Sprintf("a = math.Sin(a*x[%d]) * b\n\tb += a", k) },
		"ifs":        func(k int) string { return fmt.Sprintf("if a > b {\n\ta *= b * x[%d]\n\t}", k) },
		"ifs of one chain": func(k int) string {
			return fmt.Sprintf("c = c*x[%d] + 1\n\tif c > %d {\n\t\tb *= c\n\t}", k, k)
		},
		"loops":  func(k int) string { return fmt.Sprintf("for k := 0; k < n; k++ {\n\ta *= x[k+%d]\n\t}", k) },
		"exits":  func(k int) string { return fmt.Sprintf("if a > %d {\n\tbreak\n\t}\n\ta *= x[%d]", k, k) },
		"writes": func(k int) string { return fmt.Sprintf("y[t.ID()] *= x[%d]", k) },
	}
	for name, form := range forms {
		var before int
		for _, n := range []int{8, 16} {
			var body strings.Builder
			for k := range n {
				body.WriteString("\t" + form(k) + "\n")
			}
			text := "package k\n\nimport (\n\t\"math\"\n\t\"github.com/qdgen/qd\"\n)\n\nfunc k(t qd.Thread, n int, x, y []float64) {\n\ta, b := x[0], x[1]\n\tfor j := 0; j < n; j++ {\n\tc := a\n" +
				body.String() + "\t_ = c\n\t}\n\ty[t.ID()] += a * b\n}\n\nvar _ = math.Pi\n"
			k := lower(t, lib, text, "k").Kernels()[0]
			b, err := gradient.Of(k, gradient.Options{})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			of, is := instructions(k), instructions(b.Kernel)
			if is > 8*of {
				t.Errorf("%s: %d instructions have become %d", name, of, is)
			}
			if before > 0 && is > before*9/4 {
				t.Errorf("%s: %d instructions for %d of them, %d for half as many", name, is, n, before)
			}
			before = is
			t.Logf("%s: %d -> %d", name, of, is)
		}
	}
}
