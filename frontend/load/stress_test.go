package load

import (
	"fmt"
	"strings"
	"testing"
)

// TestStress is about input that is large or deep in one way: no stack overflows
// and nothing takes time or memory out of proportion.
func TestStress(t *testing.T) {
	const n = 3000
	rep := strings.Repeat
	numbered := func(format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i, i+1)
		}
		return b.String()
	}
	tests := map[string]string{
		"parentheses":  "func kernel() { _ = " + rep("(", n) + "1" + rep(")", n) + " }",
		"unary":        "func kernel() { _ = " + rep("-", n) + "1 }",
		"binary":       "func kernel() { x := 1; _ = x" + rep("+x", n) + " }",
		"blocks":       "func kernel() { " + rep("{", n) + rep("}", n) + " }",
		"else if":      "func kernel(x int) { " + rep("if x > 0 {} else ", n) + "{} }",
		"literals":     "func kernel() { " + rep("func() {", 2000) + rep("}()", 2000) + " }",
		"call chain":   "func kernel() { f0() }\n" + numbered("func f%d() { f%d() }\n") + fmt.Sprintf("func f%d() {}", n),
		"type chain":   "func kernel() { var x t0; _ = x }\n" + numbered("type t%d struct { f *t%d }\n") + fmt.Sprintf("type t%d int", n),
		"alias chain":  "func (a0) m() {}\nfunc kernel() { var x a0; x.m() }\n" + numbered("type a%d = a%d\n") + fmt.Sprintf("type a%d struct{}", n),
		"constants":    "func kernel() { _ = c9 }\nconst (\n" + numbered("c%d = %d\n") + ")",
		"errors":       "func kernel() { " + numbered("_ = u%d + v%d; ") + "}",
		"long line":    "var x = 1 // " + rep("x", 1<<20) + "\nfunc kernel() { " + rep("a();", 50) + "/* " + rep("x", 1<<20) + " */ }",
		"locals":       "func kernel() { " + numbered("x%d := %d; ") + "}",
		"imports":      numbered("import p%d \"x.org/%d\"\n") + "func kernel() { " + numbered("p%d.F%d(); ") + "}",
		"methods":      "type T struct{}\n" + numbered("func (T) m%d() { T{}.m%d() }\n") + "func kernel() { T{}.m0() }",
		"duplicates":   rep("func kernel() {}\n", n),
		"many strings": "func kernel() { _ = \"\"" + rep(` + "x"`, n) + " }",
	}
	for name, text := range tests {
		t.Run(name, func(t *testing.T) {
			src := sources(map[string]string{"k/k.go": "package k\n" + text})
			_, err := Check(src, Ref{Pkg: "k", Name: "kernel"})
			size := 0
			if err != nil {
				size = len(err.Error())
			}
			if max := 100*len(text) + 1<<20; size > max {
				t.Errorf("an error of %d bytes for %d bytes of source", size, len(text))
			}
		})
	}
}
