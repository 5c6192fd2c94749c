// Mandelbrot draws a part of the Mandelbrot set by escape time and writes
// mandelbrot.png.
package main

import (
	"flag"
	"fmt"
	"image"
	"image/color"
	"math"
	"time"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/examples/internal/picture"
	"github.com/qdgen/qd/examples/internal/progress"
)

func main() {
	width := picture.Int("width", 1280, 1, 1<<15, "width of the picture in pixels")
	height := picture.Int("height", 800, 1, 1<<15, "height of the picture in pixels")
	limit := picture.Int("limit", 2000, 1, 1<<30, "steps after which a point is taken to stay")
	samples := picture.Int("samples", 2, 1, 64, "points per pixel along each axis")
	x := picture.Float("x", -0.743643135, -4, 4, "centre, real part")
	y := picture.Float("y", 0.131825963, -4, 4, "centre, imaginary part")
	span := picture.Float("span", 0.0035, 1e-13, 16, "width of the view in the plane")
	name := flag.String("o", "mandelbrot.png", "file to write")
	dev := picture.Device(0)

	out := qd.Zeros[float32](dev, *height, *width)
	picture.Check(out.Err())

	// In bands of rows, so that there is something to show for the time it takes.
	bar := progress.Bar("mandelbrot", *height)
	start := time.Now()
	const band = 16
	for row := 0; row < *height; row += band {
		rows := min(band, *height-row)
		picture.Check(dev.Launch(escape, qd.Dim(rows, *width),
			*x, *y, *span/float64(*width), *width, *height, row, *limit, *samples, out))
		picture.Check(dev.Wait())
		picture.Check(bar.Add(rows))
	}
	fmt.Printf("%d x %d pixels, %d points each, in %v\n", *width, *height, *samples**samples, time.Since(start).Round(time.Millisecond))

	times := out.Slice()
	img := image.NewRGBA(image.Rect(0, 0, *width, *height))
	for i, n := range times {
		c := color.RGBA{A: 255}
		if n >= 0 {
			// Escape times spread over orders of magnitude; the root evens them out.
			_, cycle := math.Modf(0.35 + math.Sqrt(float64(n))/9)
			c = picture.Ocean.At(cycle)
		}
		img.SetRGBA(i%*width, i / *width, c)
	}
	picture.Save(*name, img)
}
