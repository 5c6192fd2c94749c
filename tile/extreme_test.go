package tile_test

import (
	"math"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/tile"
)

// The extremes of each row, whose elements a CPU joins in vectors.
//
//qd:kernel
func extremes(b qd.Block, x qd.View2[float32], most, least []float32) {
	t := tile.Load2(b, x, 0, 0, 64, 32)
	t.MaxAxis(1).Store(most, 0)
	t.MinAxis(1).Store(least, 0)
}

// The larger and the smaller of all pairs of special numbers are those of Go: a NaN wins, and 0 is larger than -0.
func TestExtremes(t *testing.T) {
	special := []float32{0, float32(math.Copysign(0, -1)), float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), 1, -0x1p-149, 0x1p-149}
	n := len(special)
	x := make([]float32, n*n*32)
	for i := range x {
		// The halves of a row have one number each.
		x[i] = special[i/32/n]
		if i%32 >= 16 {
			x[i] = special[i/32%n]
		}
	}
	same := func(x, y float32) bool { return math.Float32bits(x) == math.Float32bits(y) || x != x && y != y }
	onAll(t, func(t *testing.T, dev *qd.Device) {
		most, least := make([]float32, n*n), make([]float32, n*n)
		if err := dev.Launch(extremes, qd.Dim(1), qd.ViewOf2(x, n*n, 32), most, least); err != nil {
			t.Fatal(err)
		}
		for i := range most {
			a, b := special[i/n], special[i%n]
			if !same(most[i], max(a, b)) || !same(least[i], min(a, b)) {
				t.Errorf("of %v and %v, the larger is %v and the smaller %v", a, b, most[i], least[i])
			}
		}
	})
}
