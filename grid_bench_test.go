package qd_test

import (
	"testing"

	"github.com/qdgen/qd"
)

//qd:kernel
func manyLoops(g qd.Grid, rounds int, x, y []float32) {
	for range rounds {
		g.For(len(x), func(i int) { y[i] = x[i] + 1 })
		x, y = y, x
	}
}

//qd:kernel
func oneLoop(t qd.Thread, x, y []float32) {
	i := t.ID()
	y[i] = x[i] + 1
}

// A parallel loop of a Grid kernel that is short, beside a prepared launch of the
// same.
func BenchmarkGridLoop(b *testing.B) {
	dev, err := qd.Open("cpu")
	if err != nil {
		b.Skip(err)
	}
	x, y := qd.Zeros[float32](dev, 64), qd.Zeros[float32](dev, 64)
	b.Run("loop", func(b *testing.B) {
		b.ReportAllocs()
		p, err := dev.BindRun(manyLoops, b.N, x, y)
		if err != nil {
			b.Fatal(err)
		}
		b.ResetTimer()
		if err := p.Launch(); err != nil {
			b.Fatal(err)
		}
	})
	b.Run("launch", func(b *testing.B) {
		b.ReportAllocs()
		p, err := dev.Bind(oneLoop, qd.Dim(64), x, y)
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			if err := p.Launch(); err != nil {
				b.Fatal(err)
			}
		}
	})
}
