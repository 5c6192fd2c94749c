package emit_test

import (
	"context"
	"strings"
	"testing"

	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/emit"
)

// Of a long function of package math there is one copy in a text, however often threads call it, in lanes and behind
// them: compilers take long for each.
func TestLongFunctionsOnce(t *testing.T) {
	c := compiler(t)
	for call, name := range map[string]string{"qd.Sin(v)": "sin", "qd.Pow(v, 1.7)": "pow", "qd.Erf(v)": "erf"} {
		t.Run(name, func(t *testing.T) {
			instructions := func(body string) int {
				text := compile.CPU.Text(lower(t, `
//qd:kernel
func k(t qd.Thread, x []float64) {
	i := t.ID()
	v := x[i]
	`+body+`
	x[i] = v
}
`), emit.Options{}).Source
				if n := strings.Count(text, "elementary::"+name+"("); n != 1 {
					t.Errorf("%s is called %d times, want 1:\n%s", name, n, text)
				}
				ll, err := c.Text(context.Background(), "ll", text)
				if err != nil {
					t.Fatal(err)
				}
				return strings.Count(ll, " = ")
			}
			one, four := instructions("v = "+call), instructions(strings.Repeat("v = "+call+"\n\t", 4))
			if four > one+one/4 {
				t.Errorf("four calls are %d instructions, one is %d", four, one)
			}
		})
	}
}
