package emit_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/qdgen/qd/emit"
)

// TestDeepCalls emits kernels with 2^64 ways through their functions: whoever follows each of them does
// not come to an end.
func TestDeepCalls(t *testing.T) {
	const depth = 64
	for _, c := range []struct{ name, first, next, kernel string }{
		{"numbers", "func f0(a, b float32) float32 { return a*b + a }",
			"func f%[1]d(a, b float32) float32 { return f%[2]d(b, a) + f%[2]d(a, b-1) }", "y[i] = f%d(x[i], 1)"},
		{"memory", "func f0(p []float32, i int) { p[i+1] += p[i] }",
			"func f%[1]d(p []float32, i int) { f%[2]d(p, i); f%[2]d(p, i+1) }", "f%d(y, i)"},
		{"panics", "func f0(a float32) float32 { if a < 0 { panic(\"negative\") }; return a }",
			"func f%[1]d(a float32) float32 { return f%[2]d(a) * f%[2]d(a+1) }", "y[i] = f%d(x[i])"},
		{"loops", "func f0(a float32) float32 { for a < 100 { a *= a }; return a }",
			"func f%[1]d(a float32) float32 { return f%[2]d(a) * f%[2]d(a+1) }", "y[i] = f%d(x[i])"},
		{"neighbours", "func f0(x []float32, i int) float32 { return x[max(i-1, 0)] }",
			"func f%[1]d(x []float32, i int) float32 { return f%[2]d(x, i) + f%[2]d(x, i+1) }", "y[i] = f%d(x, i)"},
		{"arrays", "func f0(a [4]float32, k int) float32 { return a[k&3] }",
			"func f%[1]d(a [4]float32, k int) float32 { return f%[2]d(a, k) + f%[2]d(a, 1) }", "y[i] = f%d([4]float32{x[i]}, i)"},
		{"variables", "func f0(p *float32) { *p += 1 }",
			"func f%[1]d(p *float32) { f%[2]d(p); f%[2]d(p) }", "a := x[i]; f%d(&a); y[i] = a"},
		{"blocks", "func f0(t qd.Thread, a float32) float32 { return a + float32(t.Lane()) }",
			"func f%[1]d(t qd.Thread, a float32) float32 { return f%[2]d(t, a) + f%[2]d(t, a+1) }", "y[i] = f%d(t, x[i])"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var src strings.Builder
			fmt.Fprintf(&src, "//qd:kernel\nfunc k(t qd.Thread, x, y []float32) {\n\ti := t.ID()\n\t"+c.kernel+"\n}\n\n%s\n", depth, c.first)
			for n := 1; n <= depth; n++ {
				fmt.Fprintf(&src, c.next+"\n", n, n-1)
			}
			m := lower(t, src.String())
			for _, to := range targets {
				if text := to.emit(m, emit.Options{}).Source; !strings.Contains(text, fmt.Sprintf("f%d(", depth)) {
					t.Errorf("%s: the functions are not there:\n%s", to.name, text)
				}
			}
		})
	}
}
