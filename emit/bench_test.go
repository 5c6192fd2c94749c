package emit_test

import (
	"testing"

	"github.com/qdgen/qd/emit"
)

// BenchmarkEmit prints a module of one kernel of middle size.
func BenchmarkEmit(b *testing.B) {
	m := lower(b, mandelbrot)
	for _, to := range targets {
		b.Run(to.name, func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				to.emit(m, emit.Options{})
			}
		})
	}
}

const mandelbrot = `
//qd:kernel
func mandelbrot(t qd.Thread, x0, y0, pixel float64, limit int32, out []int32) {
	row, col := t.ID2()
	cx, cy := x0+float64(col)*pixel, y0+float64(row)*pixel
	var x, y float64
	var n int32
	for n < limit && x*x+y*y <= 4 {
		x, y = x*x-y*y+cx, 2*x*y+cy
		n++
	}
	out[row*t.Dim(1)+col] = n
}
`
