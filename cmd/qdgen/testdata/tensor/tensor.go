// Package tensor multiplies matrices of all kinds of numbers that tensor cores know, and of float32, which they would
// round.
package tensor

import (
	"github.com/qdgen/qd"
	"github.com/qdgen/qd/tile"
)

// product is a tile of 64 x 64 elements of a product; depth products are added at a time.
func product[T qd.Float16 | qd.BFloat16 | float32 | float64 | int8 | int32, S float32 | float64 | int32](b qd.Block, depth int, x, y qd.View2[T], z qd.View2[S]) {
	i, j := b.ID2()
	sum := tile.Zeros2[S](b, 64, 64)
	for k := 0; k < x.Dim(1); k += depth {
		sum = tile.Dot(tile.Load2(b, x, i*64, k, 64, depth), tile.Load2(b, y, k, j*64, depth, 64), sum)
	}
	sum.MulScalar(2).Store2(z, i*64, j*64)
}

//qd:kernel
func float16(b qd.Block, x, y qd.View2[qd.Float16], z qd.View2[float32]) { product(b, 32, x, y, z) }

//qd:kernel
func bfloat16(b qd.Block, x, y qd.View2[qd.BFloat16], z qd.View2[float32]) { product(b, 32, x, y, z) }

//qd:kernel
func eight(b qd.Block, x, y qd.View2[int8], z qd.View2[int32]) { product(b, 64, x, y, z) }

//qd:kernel
func doubles(b qd.Block, x, y, z qd.View2[float64]) { product(b, 16, x, y, z) }

//qd:kernel
func single(b qd.Block, x, y, z qd.View2[float32]) { product(b, 32, x, y, z) }
