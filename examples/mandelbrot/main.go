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

	"github.com/schollz/progressbar/v3"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/examples/internal/picture"
)

func main() {
	width := flag.Int("width", 1280, "width of the picture in pixels")
	height := flag.Int("height", 800, "height of the picture in pixels")
	limit := flag.Int("limit", 2000, "steps after which a point is taken to stay")
	samples := flag.Int("samples", 2, "points per pixel along each axis")
	x := flag.Float64("x", -0.743643135, "centre, real part")
	y := flag.Float64("y", 0.131825963, "centre, imaginary part")
	span := flag.Float64("span", 0.0035, "width of the view in the plane")
	name := flag.String("o", "mandelbrot.png", "file to write")
	dev := picture.Device()

	out := qd.Zeros[float32](dev, *height, *width)
	picture.Check(out.Err())

	// In bands of rows, so that there is something to show for the time it takes.
	bar := progressbar.Default(int64(*height), "mandelbrot")
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
