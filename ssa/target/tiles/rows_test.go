package tiles_test

import (
	"fmt"
	"testing"

	"github.com/qdgen/qd/compile"
	"github.com/qdgen/qd/ssa"
)

// Rows are copied as a whole from arguments of the kernel, and from nowhere else: the copy has not ended when the thread goes on,
// which takes memory of the device.
func TestCopyRows(t *testing.T) {
	lib := library(t)
	for _, tt := range []struct {
		name, body string
		copies     int
	}{
		{"rows of an argument", `
			t := tile.Load2(b, qd.ViewOf2(y, 4, 16), 0, 0, 4, 16)
			t.Add(t.T().Reshape2(4, 16)).Store2(qd.ViewOf2(y, 4, 16), 0, 0)`, 1},
		{"a part of an argument", `
			t := tile.Load(b, y[n:], 1, 16)
			t.Add(tile.Full(b, 16, t.Sum())).Store(y, 5)`, 1},
		{"no whole number of groups", `
			t := tile.Load(b, y, 1, 18)
			t.Add(tile.Full(b, 18, t.Sum())).Store(y, 5)`, 0},
		{"memory of the block", `
			s := qd.Shared[float32](b, 64)
			b.For(64, func(i int) { s[i] = y[i] })
			t := tile.Load(b, s, 1, 16)
			t.Add(tile.Full(b, 16, t.Sum())).Store(y, 5)`, 0},
		{"a view of memory of the block", `
			s := qd.Shared[float32](b, 64)
			b.For(64, func(i int) { s[i] = y[i] })
			t := tile.Load2(b, qd.ViewOf2(s, 4, 16), 0, 0, 4, 16)
			t.Add(t.T().Reshape2(4, 16)).Store2(qd.ViewOf2(y, 4, 16), 0, 0)`, 0},
		{"one of two", `
			s := qd.Shared[float32](b, 64)
			b.For(64, func(i int) { s[i] = y[i] })
			if n > 2 {
				s = y
			}
			t := tile.Load(b, s, 1, 16)
			t.Add(tile.Full(b, 16, t.Sum())).Store(y, 5)`, 0},
		{"every other element", `
			t := tile.Gather(b, y, tile.Arange(b, 0, 16).MulScalar(2))
			t.Add(tile.Full(b, 16, t.Sum())).Store(y, 5)`, 0},
		{"backwards", `
			t := tile.Gather(b, y, tile.Arange(b, 0, 16).MulScalar(-1).AddScalar(20))
			t.Add(tile.Full(b, 16, t.Sum())).Store(y, 5)`, 0},
	} {
		source := kernel(tt.body)
		want, _ := run(t, upTo(t, lib, source, compile.Lower))
		m := along(t, compile.CUDA, lib, source, compile.Optimize)
		if got, _ := run(t, m); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s:\n%v\n%v\n%v", tt.name, got, want, m)
		}
		copies := 0
		m.Kernels()[0].Body.Walk(func(in *ssa.Instr) {
			if in.Op == ssa.OpCopyRow {
				copies++
			}
		})
		if copies != tt.copies {
			t.Errorf("%s: %d copies, not %d\n%v", tt.name, copies, tt.copies, m)
		}
	}
}
