package tiles_test

import (
	"fmt"
	"testing"

	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/ssa"
)

// A tile that is read to be stored needs no memory where the slices are apart, and has its elements of before the store
// where they are not. The kernel runs with slices of which some are apart, and some overlap.
func TestFuseStores(t *testing.T) {
	lib := library(t)
	for _, tt := range []struct {
		body   string
		tests  int // how many times two slices are compared
		arrays int // how many the version for slices that are apart uses
	}{
		{"tile.Load(b, y, n, 16).MulScalar(2).Store(y, 5)", 1, 0},
		{"tile.Load(b, y, n, 16).Add(tile.Load(b, y, 40, 16)).Store(y[:32], 5)", 2, 0},
		{"u, v := y[:40], y[40:]\ntile.Load(b, u, n, 16).Add(tile.Load(b, u, n+1, 16)).Store(v, 70)", 2, 0},                                        // at an edge
		{"u, v := y[:40], y[40:]\nt := tile.Load(b, u, n, 16)\nf := t.Sum()\nt.DivScalar(f).Mul(tile.Load(b, y[60:80], 0, 16)).Store(v, 1)", 1, 2}, // t is needed twice
		{"u, v := y[:40], y[40:]\ntile.Load(b, u, n, 16).Store(v, 1)\ntile.Load(b, v, n, 16).Store(u, 1)", 2, 0},
		{"u := qd.ViewOf2(y, 8, 16)\ntile.Load2(b, u, 0, n, 4, 8).Store2(u, 1, 2)", 1, 0},
		{"u := qd.ViewOf2(y[:64], 8, 8)\ntile.Load2(b, u, n, 0, 4, 4).T().Store2(qd.ViewOf2(y[64:], 8, 8), 1, 2)", 1, 0},
		{"u := tile.Load(b, y, n, 16)\ny[4] = 7\nu.Store(y, 5)", 0, 1},                                                                                      // written between
		{"u := tile.Load(b, y, n, 16)\nu.Store(y, 5)\nu.Store(y, 70)", 0, 1},                                                                                // two stores
		{"tile.Convert[int32](tile.Load(b, y, n, 16)).Scatter(x, tile.Convert[int](tile.Load(b, x, 0, 16).MulScalar(0)).Add(tile.Arange(b, 3, 16)))", 2, 0}, // to where indices say
	} {
		source := kernel(tt.body)
		want, _ := run(t, upTo(t, lib, source, compile.Lower))
		m := along(t, compile.CPU, lib, source, compile.Optimize)
		for _, order := range []string{"one after the other", "in reverse order"} {
			if got, _ := run(t, m); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s, lanes %s:\n%v\n%v\n%v", tt.body, order, got, want, m)
			}
			if order == "one after the other" {
				m = m.Clone()
				reverse(m.Kernels()[0])
			}
		}
		tests, arrays := 0, map[*ssa.Value]bool{}
		var fused func(b *ssa.Block)
		fused = func(b *ssa.Block) {
			for _, in := range b.Instrs {
				if in.Op == ssa.OpApart {
					tests++
				}
				for _, a := range in.Args {
					if a.Def != nil && a.Def.Op == ssa.OpShared && in.Op != ssa.OpLen {
						arrays[a] = true
					}
				}
				nested := in.Blocks
				if in.Op == ssa.OpIf && in.Block == m.Kernels()[0].Body && isVersion(in.Args[0]) {
					nested = nested[:1]
				}
				for _, n := range nested {
					fused(n)
				}
			}
		}
		fused(m.Kernels()[0].Body)
		if tests != tt.tests || len(arrays) != tt.arrays {
			t.Errorf("%s: %d comparisons of slices and %d arrays, not %d and %d\n%v", tt.body, tests, len(arrays), tt.tests, tt.arrays, m)
		}
	}
}

// isVersion reports whether a condition is that slices are apart, among others.
func isVersion(cond *ssa.Value) bool {
	if cond.Def == nil {
		return false
	}
	if cond.Def.Op == ssa.OpAnd {
		return isVersion(cond.Def.Args[0]) || isVersion(cond.Def.Args[1])
	}
	return cond.Def.Op == ssa.OpApart
}
