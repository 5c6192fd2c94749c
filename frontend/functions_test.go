package frontend

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/qdgen/qd/frontend/diag"
	"github.com/qdgen/qd/frontend/load"
)

// TestDeepCalls lowers chains of calls, one within the limit and one beyond.
func TestDeepCalls(t *testing.T) {
	for _, depth := range []int{maxDepth - 2, maxDepth + 2} {
		var text strings.Builder
		text.WriteString("package k\n\nimport \"github.com/qdgen/qd\"\n\nfunc f0(x int) int { return x }\n")
		for i := range depth {
			fmt.Fprintf(&text, "func f%d(x int) int { return f%d(x + 1) }\n", i+1, i)
		}
		fmt.Fprintf(&text, "func k(t qd.Thread, x []int) { x[0] = f%d(0) }\n", depth)
		src := sources(t, onePackage("k", "k.go", text.String()))
		_, _, err := Compile(src, load.Ref{Pkg: "k", Name: "k"})
		if depth < maxDepth {
			if err != nil {
				t.Error(err)
			}
			continue
		}
		var ds *diag.Diagnostics
		if want := fmt.Sprintf("calls are nested deeper than %d functions", maxDepth); !errors.As(err, &ds) || ds.List[0].Msg != want {
			t.Errorf("error is %v", err)
		}
	}
}

// TestDoublingCalls lowers functions of which each calls the one before twice: where
// they take functions, every call is lowered where it stands.
func TestDoublingCalls(t *testing.T) {
	text := "package k\n\nimport \"github.com/qdgen/qd\"\n\nfunc f0(f func(int) int, n int) int { return f(n) }\n"
	for i := range 30 {
		text += fmt.Sprintf("func f%d(f func(int) int, n int) int { return f%d(f, n) - f%d(f, -n) }\n", i+1, i, i)
	}
	text += "func k(t qd.Thread, x []int) { x[0] = f30(func(n int) int { return n + 1 }, 1) }\n"
	src := sources(t, onePackage("k", "k.go", text))
	_, _, err := Compile(src, load.Ref{Pkg: "k", Name: "k"})
	var ds *diag.Diagnostics
	if want := fmt.Sprintf("more than %d calls of functions that take functions", maxInlined); !errors.As(err, &ds) || !strings.Contains(ds.List[0].Msg, want) {
		t.Errorf("error is %v", err)
	}
}
