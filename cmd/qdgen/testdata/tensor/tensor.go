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

//qd:kernel
func tf32(b qd.Block, x, y, z qd.View2[float32]) {
	i, j := b.ID2()
	sum := tile.Zeros2[float32](b, 64, 64)
	for k := 0; k < x.Dim(1); k += 32 {
		sum = tile.DotTF32(tile.Load2(b, x, i*64, k, 64, 32), tile.Load2(b, y, k, j*64, 32, 64), sum)
	}
	sum.MulScalar(2).Store2(z, i*64, j*64)
}

// batch multiplies four matrices by four others, and adds them to four.
//
//qd:kernel
func batch(b qd.Block, x, y qd.View3[qd.Float16], z qd.View3[float32]) {
	sum := tile.Load3(b, z, 0, 0, 0, 4, 32, 32)
	tile.Dot(tile.Load3(b, x, 0, 0, 0, 4, 32, 32), tile.Load3(b, y, 0, 0, 0, 4, 32, 32), sum).Store3(z, 0, 0, 0)
}
