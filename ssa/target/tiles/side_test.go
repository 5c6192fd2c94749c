package tiles_test

import (
	"fmt"
	"testing"

	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/ssa"
)

// A product begins with its sum in registers, if elements of the sum that lie side by side can be computed as vectors. The
// results are those of the elements one by one.
func TestProductsBegin(t *testing.T) {
	lib := library(t)
	const factors = "u := qd.ViewOf2(y, 8, 16)\np, q := tile.Load2(b, u, 0, n-3, 8, 8), tile.Load2(b, u, 0, 1, 8, 8)\n"
	const column, row = "c := tile.Load(b, y, 3, 8)\ntile.Sqrt(c).Store(y, 90)\n", "r := tile.Load(b, y, 5, 8)\ntile.Sqrt(r).Store(y, 110)\n" // they are in memory
	for _, tt := range []struct {
		name, before, sum string
		loops             int // over lanes: none for the sum, unless it has a branch or is read from a slice
	}{
		{"numbers", "", "tile.Full2(b, 8, 8, float32(3))", 4},
		{"a number that the launch gives", "", "tile.Full2(b, 8, 8, float32(n))", 4},
		{"a chain", "s := tile.Load2(b, u, 0, 0, 8, 8)\ns.Store2(u, 0, 2)\n", "s.MulScalar(float32(n)).AddScalar(1)", 6},
		{"a chain in place", "s := tile.Load2(b, u, 0, 0, 8, 8)\nfor range n {\ns = tile.Dot(p, q, s.MulScalar(0.5))\n}\n", "s", 5},
		{"a function", "s := tile.Load2(b, u, 0, 0, 8, 8)\ns.Store2(u, 0, 2)\n", "tile.Exp(s.MulScalar(0.01))", 6},
		{"elements that rows share", column, "tile.Full2(b, 8, 8, float32(3)).Mul(c.Column())", 9},
		{"elements that columns share", row, "tile.Full2(b, 8, 8, float32(3)).Mul(r.Row())", 9},
		{"a row for all", row, "r.Row().Broadcast2(8, 8)", 9},
		{"indices", "", "tile.Convert[float32](tile.Arange(b, 1, 8)).Row().Broadcast2(8, 8)", 5},
		{"a memory of its own", "s := tile.Load2(b, u, 0, 0, 8, 8)\ns.Store2(u, 0, 2)\n", "s", 6},
		{"the transposed matrix", "s := tile.Load2(b, u, 0, 0, 8, 8)\ns.Store2(u, 0, 2)\n", "s.T().MulScalar(2)", 6},
		{"a branch", "s := tile.Load2(b, u, 0, 0, 8, 8)\ns.Store2(u, 0, 2)\n", "s.Map(func(x float32) float32 { if x < 3 { return -x }; return x + 1 })", 7},
		{"a slice", "", "tile.Load2(b, u, 0, 2, 8, 8)", 5},
	} {
		source := kernel(factors + tt.before + "tile.Dot(p, q, " + tt.sum + ").Store2(u, 0, 8)")
		want, _ := run(t, upTo(t, lib, source, compile.Lower))
		for _, last := range []*compile.Stage{compile.TilesCPU, compile.Optimize} {
			m := along(t, compile.CPU, lib, source, last)
			if got, _ := run(t, m); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s:\n%v\n%v\n%v", tt.name, got, want, m)
			}
			loops := 0
			m.Kernels()[0].Body.Walk(func(in *ssa.Instr) {
				if in.Op == ssa.OpFor {
					loops++
				}
			})
			if loops != tt.loops {
				t.Errorf("%s: %d loops over lanes, not %d\n%v", tt.name, loops, tt.loops, m)
			}
		}
	}
}
