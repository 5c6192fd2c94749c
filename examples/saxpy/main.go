// Saxpy adds a scaled vector to another, y = a*x + y, the first program of
// numerical computing, and draws what went in and what came out as saxpy.png.
package main

import (
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/examples/internal/picture"
)

//qd:kernel
func saxpy(t qd.Thread, a float32, x, y []float32) {
	i := t.ID()
	y[i] += a * x[i]
}

func main() {
	n := picture.Int("n", 1200, 1, 1<<28, "number of elements")
	a := picture.Float("a", 0.25, -1e9, 1e9, "the factor")
	name := flag.String("o", "saxpy.png", "file to write")
	dev := picture.Device(0)

	// x is a fast wave, y a slow one.
	x, y := make([]float32, *n), make([]float32, *n)
	for i := range x {
		s := 2 * math.Pi * float64(i) / float64(*n)
		x[i] = float32(math.Sin(24 * s))
		y[i] = float32(math.Sin(2 * s))
	}
	before := append([]float32(nil), y...)
	picture.Check(dev.Launch(saxpy, qd.Dim(*n), *a, x, y))
	fmt.Printf("y[%d] = %g + %g * %g = %g\n", *n/5, before[*n/5], *a, x[*n/5], y[*n/5])

	img := image.NewRGBA(image.Rect(0, 0, 1200, 480))
	draw.Draw(img, img.Bounds(), image.NewUniform(color.RGBA{250, 250, 247, 255}), image.Point{}, draw.Src)
	plot(img, x, color.RGBA{170, 190, 215, 255})
	plot(img, before, color.RGBA{240, 170, 90, 255})
	plot(img, y, color.RGBA{30, 60, 120, 255})
	picture.Save(*name, img)
}

// plot draws values from -1.5 to 1.5 as a line across the image. A pixel is
// darkened by how near the line passes, which smooths it.
func plot(img *image.RGBA, values []float32, c color.RGBA) {
	const halfWidth = 1.25
	b := img.Bounds()
	height := func(col float64) float64 { // interpolated, in pixels
		pos := min(max(col, 0), float64(b.Dx()-1)) / float64(b.Dx()-1) * float64(len(values)-1)
		i := min(int(pos), max(len(values)-2, 0))
		v := float64(values[i])
		if i+1 < len(values) {
			v += (float64(values[i+1]) - v) * (pos - float64(i))
		}
		return float64(b.Dy()) * (0.5 - v/3)
	}
	for col := range b.Dx() {
		at := height(float64(col))
		slope := (height(float64(col)+0.5) - height(float64(col)-0.5))
		reach := halfWidth * math.Hypot(1, slope) // vertical half width of the line here
		// Only the rows of the image: the line may pass far above or below it.
		first, last := max(at-reach-1, 0), min(at+reach+1, float64(b.Dy()-1))
		for row := int(first); row <= int(last); row++ {
			cover := min(max(reach+0.5-math.Abs(float64(row)-at), 0), 1)
			old := img.RGBAAt(col, row)
			mix := func(o, n uint8) uint8 { return uint8(float64(o)*(1-cover) + float64(n)*cover) }
			img.SetRGBA(col, row, color.RGBA{mix(old.R, c.R), mix(old.G, c.G), mix(old.B, c.B), 255})
		}
	}
}
