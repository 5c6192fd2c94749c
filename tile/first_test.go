package tile_test

import (
	"fmt"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/tile"
)

//qd:kernel
func addTiles(b qd.Block, size qd.Const[int], x, y, z []float32) {
	from := b.ID() * size.V
	a := tile.Load(b, x, from, size.V)
	a.Add(tile.Load(b, y, from, size.V)).Store(z, from)
}

type config struct{ M, N, K int }

//qd:kernel
func matmul(b qd.Block, c qd.Const[config], x, y, z qd.View2[float32]) {
	i, j := b.ID2()
	sum := tile.Zeros2[float32](b, c.V.M, c.V.N)
	for k := 0; k < x.Dim(1); k += c.V.K {
		sum = tile.Dot(tile.Load2(b, x, i*c.V.M, k, c.V.M, c.V.K), tile.Load2(b, y, k, j*c.V.N, c.V.K, c.V.N), sum)
	}
	sum.Store2(z, i*c.V.M, j*c.V.N)
}

//qd:kernel
func softmax(b qd.Block, width qd.Const[int], x, y qd.View2[float32]) {
	i := b.ID()
	row := tile.LoadOr(b, x.Row(i), 0, width.V, -1e30)
	e := tile.Exp(row.SubScalar(row.Max()))
	e.DivScalar(e.Sum()).Store(y.Row(i), 0)
}

func TestFirst(t *testing.T) {
	var want []string
	for _, name := range []string{"go", "cpu"} {
		dev, err := qd.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		n := 1000
		x, y, z := make([]float32, n), make([]float32, n), make([]float32, n)
		for i := range x {
			x[i], y[i] = float32(i), float32(2*i)
		}
		if err := dev.Launch(addTiles, qd.Dim(4), qd.C(256), x, y, z); err != nil {
			t.Fatalf("%s %+v", name, err)
		}
		got := fmt.Sprint(z)
		a, bb, c := make([]float32, 50*70), make([]float32, 70*90), make([]float32, 50*90)
		for i := range a {
			a[i] = float32(i%7) * 0.37
		}
		for i := range bb {
			bb[i] = float32(i%11) * 0.73
		}
		if err := dev.Launch(matmul, qd.Dim(4, 6), qd.C(config{16, 16, 32}), qd.ViewOf2(a, 50, 70), qd.ViewOf2(bb, 70, 90), qd.ViewOf2(c, 50, 90)); err != nil {
			t.Fatalf("%s %+v", name, err)
		}
		got += fmt.Sprint(c)
		s := make([]float32, 50*70)
		if err := dev.Launch(softmax, qd.Dim(50), qd.C(100), qd.ViewOf2(a, 50, 70), qd.ViewOf2(s, 50, 70)); err != nil {
			t.Fatalf("%s %+v", name, err)
		}
		got += fmt.Sprint(s[:5])
		want = append(want, got)
		t.Log(name, got[:40], s[:5])
	}
	if want[0] != want[1] {
		t.Error("differ")
	}
}
