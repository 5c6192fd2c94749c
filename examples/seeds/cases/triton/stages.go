package triton

import (
	"fmt"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/tile"
)

// A staged configuration is the depth of a tile's products, and for how many of them a GPU has operands at once.
type staged struct{ Depth, Stages int }

//qd:kernel
func product(b qd.Block, c qd.Const[staged], x, y, z qd.View2[float32]) {
	i, j := b.ID2()
	sum := tile.Zeros2[float32](b, 32, 32)
	for k := 0; k < x.Dim(1); k += c.V.Depth {
		sum = tile.Dot(tile.Load2(b, x, i*32, k, 32, c.V.Depth), tile.Load2(b, y, k, j*32, c.V.Depth, 32), sum)
	}
	sum.Store2(z, i*32, j*32)
}

// Stages tunes the number of stages of a product's loop. They change no result.
func Stages() {
	const n = 100
	x, y, z := make([]float32, n*n), make([]float32, n*n), make([]float32, n*n)
	for i := range x {
		x[i], y[i] = float32(i%7), float32(i%5)
	}
	tuned := qd.Tune(product,
		[]staged{{16, 1}, {16, 2}, {16, 3}, {32, 3}},
		qd.TuneKey("z"),
		qd.TuneGrid(func(c staged, a qd.Args) qd.Dims {
			return qd.Dim(qd.CeilDiv(a.Dim("z", 0), 32), qd.CeilDiv(a.Dim("z", 1), 32))
		}),
		qd.TuneStages(func(c staged) int { return c.Stages }),
		qd.TuneVerify(0))
	check(tuned.Run(qd.ViewOf2(x, n, n), qd.ViewOf2(y, n, n), qd.ViewOf2(z, n, n)))
	want := float32(0)
	for k := range n {
		want += x[99*n+k] * y[k*n+98]
	}
	fmt.Println(z[99*n+98] == want)
	// Output:
	// true
}
