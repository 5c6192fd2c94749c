package tiles_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/ssa"
)

// kernel is a kernel with a body.
func kernel(body string) string {
	return "package k\n\nimport (\n\t\"github.com/qdgen/qd\"\n\t\"github.com/qdgen/qd/tile\"\n)\n\n//qd:kernel\nfunc k(b qd.Block, n int, x []int32, y []float32) {\n" + body + "\n}\n"
}

// What is made in the place of something else, or later than it stands, must not be seen before or after. The numbers are
// how many loops over lanes there are, and how many arrays: as few as can be.
func TestPlaces(t *testing.T) {
	lib := library(t)
	for _, tt := range []struct {
		name, body    string
		loops, arrays int
	}{
		{"a chain is one loop", `
			each(b, tile.Convert[int32](tile.Arange(b, 0, 8).AddScalar(2).MulScalar(3).Map(func(v int) int { return v * v })), x)`, 1, 0},
		{"in place, in a loop", `
			t := tile.Gather(b, x, tile.Arange(b, 0, 8))
			for range n {
				t = t.AddScalar(1)
			}
			each(b, t, x)`, 3, 1},
		{"the old value is used behind the new one", `
			t, u := tile.Gather(b, x, tile.Arange(b, 0, 8)), tile.Gather(b, x, tile.Arange(b, 8, 8))
			for range n {
				old := t
				t = t.AddScalar(1)
				u = u.Sub(old)
			}
			each(b, t, x)
			each(b, u.MulScalar(5), x)`, 0, 0},
		{"the old value is used where the loop is left", `
			t, u := tile.Gather(b, x, tile.Arange(b, 0, 8)), tile.Gather(b, x, tile.Arange(b, 8, 8))
			for i := 0; ; i++ {
				old := t
				t = t.AddScalar(1)
				if i == n {
					u = old
					break
				}
			}
			each(b, t, x)
			each(b, u.MulScalar(5), x)`, 0, 0},
		{"rows that are not those of the same place", `
			t := tile.Load2(b, qd.ViewOf2(x, 8, 8), 0, 0, 4, 4)
			for range n {
				t = t.Add(t.T())
			}
			t.Store2(qd.ViewOf2(x, 8, 8), 0, 0)`, 0, 0},
		{"a product in place of the sum", `
			s := tile.Zeros2[int32](b, 4, 4)
			for i := range n {
				s = tile.Dot(tile.Load2(b, qd.ViewOf2(x, 8, 8), i, 0, 4, 4), tile.Load2(b, qd.ViewOf2(x, 8, 8), 0, i, 4, 4), s)
			}
			s.Store2(qd.ViewOf2(x, 8, 8), 0, 0)`, 0, 3},
		{"a product of the sum itself", `
			s := tile.Load2(b, qd.ViewOf2(x, 8, 8), 0, 0, 4, 4)
			for range n {
				s = tile.Dot(s, s, s)
			}
			s.Store2(qd.ViewOf2(x, 8, 8), 0, 0)`, 0, 0},
		{"read before a store, used behind it", `
			g := tile.Gather(b, x, tile.Arange(b, 0, 8))
			tile.Full(b, 8, int32(77)).Store(x, 4)
			each(b, g.AddScalar(1), x)`, 0, 0},
		{"read before an atomic of a block, used behind it", `
			g := tile.Gather(b, x, tile.Arange(b, 0, 8))
			qd.AtomicAdd(&x[3], 100)
			each(b, g.AddScalar(1), x)`, 0, 0},
	} {
		source := kernel(tt.body) + "\nfunc each(b qd.Block, t tile.Tile[int32], x []int32) { t.Scatter(x, tile.Arange(b, 10, 8)) }\n"
		want, _ := run(t, upTo(t, lib, source, compile.Lower))
		if got, _ := run(t, along(t, compile.CUDA, lib, source, compile.Optimize)); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s, in registers:\n%v\n%v", tt.name, got, want)
		}
		m := upTo(t, lib, source, compile.Optimize)
		for _, what := range []string{"as it is", "in reverse order"} {
			if got, _ := run(t, m); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s, %s:\n%v\n%v\n%v", tt.name, what, got, want, m)
			}
			if what == "as it is" {
				m = m.Clone()
				reverse(m.Kernels()[0])
			}
		}
		loops, arrays := 0, 0
		m.Kernels()[0].Body.Walk(func(in *ssa.Instr) {
			if in.Op == ssa.OpFor {
				loops++
			}
			if in.Op == ssa.OpShared {
				arrays++
			}
		})
		if tt.loops > 0 && loops != tt.loops || tt.arrays > 0 && arrays != tt.arrays {
			t.Errorf("%s: %d loops, %d arrays, not %d and %d\n%v", tt.name, loops, arrays, tt.loops, tt.arrays, m)
		}
	}
}

// It is told where each tile lives, and why it has memory.
func TestHomesAreTold(t *testing.T) {
	lib := library(t)
	source := kernel(`v := qd.ViewOf2(y, 16, 8)
sum := tile.Zeros2[float32](b, 8, 8)
for k := range n {
	sum = tile.Dot(tile.Load2(b, v, k, 0, 8, 4), tile.Load2(b, v, 0, 0, 4, 8), sum)
}
twice := tile.Load2(b, v, 0, 0, 8, 8).AddScalar(1)
twice.Mul(twice.MulScalar(3)).Store2(v, 0, 0)
sum.Store2(v, 1, 0)
`)
	for _, tt := range []struct {
		way  compile.Pipeline
		want []string
	}{
		{compile.CUDA, []string{"sum (8\u00d78 of float32) is in registers of the block's", "has no memory: an element is computed where it is stored", "operations use it", "a product uses each of its elements several times"}},
		{compile.CPU, []string{"sum (8\u00d78 of float32) is in memory of the block", "has no memory: an element is computed where it is stored", "operations use it"}},
	} {
		var said []string
		u := &compile.Unit{Pipeline: tt.way, Kernel: load.Ref{Pkg: "k", Name: "k"}, Source: load.Chain(load.Map{"k": {Path: "k", Files: []load.File{{Name: "k.go", Src: []byte(source)}}}}, lib)}
		u.Remarks = func(r ssa.Remark) {
			if r.Pass == "tiles" {
				said = append(said, r.Text)
			}
		}
		if err := u.RunTo(context.Background(), compile.Outline); err != nil {
			t.Fatal(err)
		}
		text := strings.Join(said, "\n")
		for _, want := range tt.want {
			if !strings.Contains(text, want) {
				t.Errorf("nobody says %q:\n%s", want, text)
			}
		}
	}
}
