// Blur smooths a photograph with a Gaussian, by a separable filter, and writes
// blur.png: the original on the left, the result on the right.
//
//	go run ./examples/blur [-radius N] [-device NAME] [photo.jpg]
//
// Without an argument it takes a photograph that ships with the Go distribution.
package main

import (
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"
	"time"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/examples/internal/photograph"
	"github.com/qdgen/qd/examples/internal/picture"
)

func main() {
	radius := picture.Int("radius", 0, 0, 10000, "radius of the filter in pixels; 0 takes 1/40 of the width")
	name := flag.String("o", "blur.png", "file to write")
	dev := picture.Device(1)

	photo := photograph.Open(flag.Arg(0))
	width, height := photo.Bounds().Dx(), photo.Bounds().Dy()
	if *radius == 0 {
		*radius = max(2, width/40)
	}
	weights := qd.From(dev, gaussian(*radius))
	in := qd.From(dev, planes(photo), 3, height, width)
	half, out := qd.Zeros[float32](dev, 3, height, width), qd.Zeros[float32](dev, 3, height, width)

	picture.Check(weights.Err(), in.Err(), half.Err(), out.Err())

	dim := qd.Dim(3, height, width)
	start := time.Now()
	picture.Check(launchRows(dim, weights, in, half))
	picture.Check(launchColumns(dim, weights, half, out))
	blurred := out.Slice()
	fmt.Printf("%d x %d pixels, %d x %d filter, in %v with compiling\n", width, height, 2**radius+1, 2**radius+1, time.Since(start).Round(time.Millisecond))

	both := image.NewRGBA(image.Rect(0, 0, 2*width, height))
	draw.Draw(both, image.Rect(0, 0, width, height), photo, photo.Bounds().Min, draw.Src)
	for i := range width * height {
		level := func(plane int) uint8 { return uint8(min(max(blurred[plane*width*height+i], 0), 1)*255 + 0.5) }
		both.SetRGBA(width+i%width, i/width, color.RGBA{level(0), level(1), level(2), 255})
	}
	picture.Save(*name, both)
}

// gaussian is a Gaussian of 2*radius+1 weights whose sum is 1.
func gaussian(radius int) []float32 {
	sigma := float64(radius) / 2.5
	w := make([]float32, 2*radius+1)
	var sum float64
	for i := range w {
		d := float64(i-radius) / sigma
		w[i] = float32(math.Exp(-d * d / 2))
		sum += float64(w[i])
	}
	for i := range w {
		w[i] /= float32(sum)
	}
	return w
}

// planes are the red, green and blue values of an image, from 0 to 1.
func planes(img image.Image) []float32 {
	b := img.Bounds()
	n := b.Dx() * b.Dy()
	p := make([]float32, 3*n)
	for y := range b.Dy() {
		for x := range b.Dx() {
			r, g, bl, _ := img.At(b.Min.X+x, b.Min.Y+y).RGBA()
			i := y*b.Dx() + x
			p[i], p[n+i], p[2*n+i] = float32(r)/0xffff, float32(g)/0xffff, float32(bl)/0xffff
		}
	}
	return p
}
