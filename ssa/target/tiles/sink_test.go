package tiles_test

import (
	"fmt"
	"testing"

	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/ssa"
)

// What is computed element by element from a tile, and then stored, is computed in the loop that stores, unless what it
// is computed from may be another then.
func TestSink(t *testing.T) {
	lib := library(t)
	loops := func(body string) (n int) {
		t.Helper()
		source := kernel(body)
		want, _ := run(t, upTo(t, lib, source, compile.Lower))
		for _, way := range []compile.Pipeline{compile.CPU, compile.CUDA} {
			m := along(t, way, lib, source, compile.Optimize)
			if got, _ := run(t, m); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s:\n%v\n%v\n%v", body, got, want, m)
			}
			n = 0
			m.Kernels()[0].Body.Walk(func(in *ssa.Instr) {
				if in.Op == ssa.OpFor {
					n++
				}
			})
		}
		return n
	}
	const load = "t := tile.Load(b, y, n, 16)\nf := t.Sum()\nx[0] = int32(f)\n"
	plain := loops(load + "t.Store(y, 5)")
	for _, tt := range []struct {
		body string
		more int
	}{
		{"t.MulScalar(f).Store(y, 5)", 0},
		{"t.MulScalar(f).Add(t).SubScalar(1).Store(y, 5)", 0},
		{"t.MulScalar(f).Reshape2(4, 4).T().Store2(qd.ViewOf2(y, 8, 8), n, 1)", 0},
		{"u := t.MulScalar(f)\nu.Store(y, 5)\nu.Store(y, 40)", 3},                         // two stores
		{"u := t.MulScalar(f)\nif n > 1 {\nu.Store(y, 5)\n} else {\nu.Store(y, 6)\n}", 3}, // further inside
		{"u := t.MulScalar(f)\nfor i := range n {\nu.Store(y, 5*i)\n}", 1},                // as often as the loop turns
		{"u := t.Map(func(v float32) float32 { return v + y[3] })\ny[3] = 5\nu.Store(y, 5)", 1},
		{"u := t.Map(func(v float32) float32 { return v + y[3] })\nu.Store(y, 0)", 1},
	} {
		if got := loops(load+tt.body) - plain; got != tt.more {
			t.Errorf("%s: %d loops more than a store alone, not %d", tt.body, got, tt.more)
		}
	}
}
