package load

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/qdgen/qd/frontend/diag"
)

func TestLongConstants(t *testing.T) {
	// doubled is a constant of 2 to the power of n bytes that the kernel uses.
	doubled := func(n int) string {
		var b strings.Builder
		b.WriteString("package e\n\nimport \"github.com/qdgen/qd\"\n\nconst c0 = \"x\"\n")
		for i := 1; i <= n; i++ {
			fmt.Fprintf(&b, "const c%d = c%d + (c%d)\n", i, i-1, i-1)
		}
		fmt.Fprintf(&b, "\nfunc kernel(t qd.Thread, x []int) { x[0] = len(c%d) }\n", n)
		return b.String()
	}
	for n, refused := range map[int]bool{3: false, 18: false, 24: true, 70: true} {
		_, err := Check(sources(map[string]string{"e/e.go": doubled(n)}), Ref{Pkg: "e", Name: "kernel"})
		var ds *diag.Diagnostics
		if !refused {
			if err != nil {
				t.Errorf("2**%d: %v", n, err)
			}
		} else if !errors.As(err, &ds) || !strings.Contains(ds.List[0].Msg, "more than a megabyte") {
			t.Errorf("2**%d: error is %v", n, err)
		}
	}
}

// A constant that needs itself is the type checker's to report.
func TestConstantCycle(t *testing.T) {
	src := "package e\n\nimport \"github.com/qdgen/qd\"\n\nconst a, b = b + \"x\", a + a\n\nfunc kernel(t qd.Thread, x []int) { x[0] = len(a) }\n"
	_, err := Check(sources(map[string]string{"e/e.go": src}), Ref{Pkg: "e", Name: "kernel"})
	if err == nil || !strings.Contains(err.Error(), "cycle") {
		t.Errorf("error is %v", err)
	}
}
