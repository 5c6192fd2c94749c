package tiles_test

import (
	"testing"

	"github.com/qdgen/qd/ssa"
)

// Columns of matrices in memory are read by rows and exchanged in registers, where vectors have them: to transpose a
// matrix, and to join what the rows have in them. The results are those of the elements one by one.
func TestColumns(t *testing.T) {
	lib := library(t)
	const load = "u := qd.ViewOf2(y, 8, 16)\nt := tile.Load2(b, u, 0, n-3, 8, 16)\nt.AddScalar(1).Store2(u, 0, 0)\n" // two uses: it is in memory
	for _, tt := range []struct {
		body  string
		reads int
	}{
		{load + "t.T().MulScalar(2).Store2(qd.ViewOf2(y, 16, 8), 0, 0)", 1},
		{load + "t.T().Map(func(v float32) float32 { return v * v }).Store2(qd.ViewOf2(y, 16, 8), 0, 0)", 1},
		{"u := qd.ViewOf2(x, 4, 16)\nt := tile.Load2(b, u, 0, n-3, 4, 16)\nt.AddScalar(1).Store2(u, 0, 0)\nt.T().Store2(qd.ViewOf2(x, 16, 8), 0, 0)", 1},
		{load + "tile.Convert[float32](tile.Convert[float64](t).T()).Store2(qd.ViewOf2(y, 16, 8), 0, 0)", 0}, // of a tile that has no memory
		{load + "c := tile.Convert[float64](t)\nc.SumAxis(0).Map(func(v float64) float64 { x[0] = int32(v); return v })\ntile.Convert[float32](c.T()).Store2(qd.ViewOf2(y, 16, 8), 0, 0)", 1},
		{"u := qd.ViewOf2(y, 8, 16)\nt := tile.Load2(b, u, 0, 0, 2, 16)\nt.AddScalar(1).Store2(u, 0, 0)\nt.T().Store2(u, 0, 0)", 0}, // columns of two
		{"u := qd.ViewOf2(y, 8, 16)\nt := tile.Load2(b, u, 0, 0, 8, 2)\nt.AddScalar(1).Store2(u, 0, 0)\nt.T().Store2(u, 0, 0)", 0},  // rows of two
		{load + "tile.Convert[int8](t).T().Map(func(v int8) int8 { x[int(v)&7] = 5; return v })", 0},                                // of bytes
		{load + "t.SumAxis(1).Store(y, n)\nt.MaxAxis(1).Store(y, 40)\nt.MinAxis(1).Store(y, 80)", 3},                                // whole rows at once
		{load + "t.T().SumAxis(1).Store(y, n)", 2},                                                                    // both
		{load + "t.ReduceAxis(1, func(x, y float32) float32 { return x*3 - max(y, 2) }).Store(y, n)", 1},              // with constants
		{load + "t.ReduceAxis(1, func(x, y float32) float32 { return x - y*float32(n) }).Store(y, n)", 0},             // with a number from elsewhere
		{load + "t.ReduceAxis(1, func(x, y float32) float32 { if x < y { return x }; return y + 1 }).Store(y, n)", 0}, // with a branch
		{load + "t.SumAxis(0).Store(y, n)", 0},                                                                        // along columns
		{"tile.Load2(b, qd.ViewOf2(y, 4, 32), 0, 0, 4, 32).SumAxis(1).Store(y, n)", 1},                                // in two steps
		{"tile.Load2(b, qd.ViewOf2(y, 4, 32), 0, 0, 4, 24).MaxAxis(1).Store(y, n)", 1},                                // of a length that is no power of two
		{"tile.Load2(b, qd.ViewOf2(x, 4, 32), 0, 0, 4, 32).SumAxis(1).Store(x, n)", 1},                                // of integers
		{"tile.Load2(b, qd.ViewOf2(y, 4, 32), 0, 0, 3, 32).SumAxis(1).Store(y, n)", 0},                                // of three rows
		{load + "v := t.ArgMaxAxis(1)\ntile.Convert[int32](v).Store(x, 0)", 0},                                        // two at once
	} {
		source := kernel(tt.body)
		sameAlong(t, lib, tt.body, source, ssa.OpLoadParts, tt.reads)
	}
}
