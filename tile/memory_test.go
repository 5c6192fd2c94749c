package tile_test

import (
	"slices"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/tile"
)

// Tiles that need more memory than a kernel for a GPU can declare: its launches ask for it.

// Four tiles of 16 KiB are needed at the same time, and an array beside them.
//
//qd:kernel
func manyTiles(b qd.Block, x, z qd.View2[float32]) {
	counts := qd.Shared[int32](b, 64)
	s, t := tile.Load2(b, x, 0, 0, 64, 64), tile.Load2(b, x, 64, 0, 64, 64)
	u, v := tile.Load2(b, x, 0, 64, 64, 64), tile.Load2(b, x, 64, 64, 64, 64)
	b.For(64, func(i int) { counts[i] += int32(i) })
	b.For(64, func(i int) { z.Set(64, i, float32(counts[63-i])) })
	s.T().Add(t.T()).Sub(u.T()).Add(v.T().Mul(s)).Add(t.Mul(u)).Store2(z, 0, 0)
}

func TestLargeMemory(t *testing.T) {
	gold, err := qd.Open("go")
	if err != nil {
		t.Fatal(err)
	}
	const n = 128
	x, y := numbers[float32](n*n, 7), numbers[float32](n*n, 5)
	run := func(t *testing.T, dev *qd.Device) (all []float32) {
		z := make([]float32, 65*64)
		for range 2 {
			if err := dev.Launch(manyTiles, qd.Dim(1), qd.ViewOf2(x, n, n), qd.ViewOf2(z, 65, 64)); err != nil {
				t.Fatal(err)
			}
		}
		all = append(all, z...)
		// Products in a pipeline: 4 stages of two tiles of 8 KiB. They are launched on a stream, and as a graph.
		product := qd.NewKernel(product[float32, float32]).WithBlockDim(128).WithStages(4)
		ax, ay, az := qd.From(dev, x), qd.From(dev, y), qd.Zeros[float32](dev, n*n)
		launch := func(s *qd.Stream) error {
			return s.Launch(product, qd.Dim(2, 2), qd.C(Config{64, 64, 32}), ax.Reshape(n, n), ay.Reshape(n, n), az.Reshape(n, n))
		}
		s, err := dev.NewStream()
		if err == nil {
			err = launch(s)
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := dev.Wait(); err != nil {
			t.Fatal(err)
		}
		all = append(all, az.Slice()...)
		if err := az.Fill(0); err != nil {
			t.Fatal(err)
		}
		g, err := dev.Record(launch)
		if err != nil {
			t.Fatal(err)
		}
		if err := g.Launch(); err != nil {
			t.Fatal(err)
		}
		return append(all, az.Slice()...)
	}
	want := run(t, gold)
	onAll(t, func(t *testing.T, dev *qd.Device) {
		if got := run(t, dev); !slices.Equal(got, want) {
			t.Error("the results are not those of device go")
		}
	})
}
