package tiles_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/ssa"
)

// The C++ compiler must not unroll short rows before it makes vectors of them: it would make vectors along the columns then.
func TestShortRows(t *testing.T) {
	lib := library(t)
	for columns, want := range map[int]ssa.Vector{2: 0, 4: ssa.VectorShort, 16: ssa.VectorShort, 32: ssa.VectorShort, 64: 0} {
		for _, body := range []string{"t := tile.Load2(b, qd.ViewOf2(y, 2, 64), 0, 0, 2, %d)\nt.Add(t).Store2(qd.ViewOf2(y, 2, 64), 0, 0)", "tile.Exp(tile.Load2(b, qd.ViewOf2(y, 2, 64), 0, 0, 2, %d)).Store2(qd.ViewOf2(y, 2, 64), 0, 0)"} {
			body := fmt.Sprintf(body, columns)
			if strings.Contains(body, "Exp") && want == 0 {
				want = ssa.VectorSeveral
			}
			m := along(t, compile.CPU, lib, kernel(body), compile.Hint)
			found := false
			m.Kernels()[0].Body.Walk(func(in *ssa.Instr) {
				found = found || in.Op == ssa.OpFor && in.Vector == want|ssa.VectorWanted|ssa.VectorIndependent
			})
			if !found {
				t.Errorf("%s: no loop is %q\n%v", body, want, m)
			}
		}
	}
}
