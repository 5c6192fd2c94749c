package tiles_test

import (
	"testing"

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
		sameAlong(t, lib, tt.name, source, ssa.OpFor, tt.loops)
	}
}

// A reduction along rows joins elements that lie side by side as vectors, in the same order as one by one.
func TestReductionsInVectors(t *testing.T) {
	lib := library(t)
	const load = "t := tile.Load2(b, qd.ViewOf2(y, 4, 32), 0, n-3, 4, 32)\nt.AddScalar(1).Store2(qd.ViewOf2(y, 4, 32), 0, 0)\n" // two uses: it is in memory
	for _, tt := range []struct {
		body string
		rows int // places where vectors are read
	}{
		{load + "t.MaxAxis(1).Store(y, n)", 2},
		{load + "t.AddScalar(float32(n)).Mul(t).SumAxis(1).Store(y, n)", 4},
		{load + "t.Sub(tile.Load(b, y, 3, 4).Column()).SumAxis(1).Store(y, n)", 2},                                    // a number for each row
		{load + "t.Mul(tile.Load(b, y, 3, 32).Row()).MinAxis(1).Store(y, n)", 4},                                      // a row for all
		{"t := tile.Load(b, y, n, 96)\nt.AddScalar(1).Store(y, 32)\ny[n] = t.Sum()\ny[n+1] = t.Max()", 2 * 6},         // a length that is no power of two, in two steps
		{"t := tile.Load(b, x, n, 64)\nt.AddScalar(1).Store(x, 32)\nx[n] = t.Min()", 4},                               // integers
		{load + "t.ReduceAxis(1, func(x, y float32) float32 { if x < y { return x }; return y + 1 }).Store(y, n)", 0}, // a branch
		{load + "t.SumAxis(0).Store(y, n)", 0},                                                                        // along columns
		{load + "tile.Convert[int32](t.ArgMaxAxis(1)).Store(x, 0)", 0},                                                // elements of two sizes
		{load + "t.Map(func(v float32) float32 { if v < 2 { return 1 }; return v }).SumAxis(1).Store(y, n)", 0},       // elements with a branch
	} {
		source := kernel(tt.body)
		sameAlong(t, lib, tt.body, source, ssa.OpLoadRow, tt.rows)
	}
}
