// Fluid lets smoke rise in a box, by a fluid simulation that is one kernel, and
// writes fluid.gif, an animation.
package main

import (
	"flag"
	"fmt"
	"image"
	"image/gif"
	"math"
	"time"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/examples/internal/animation"
	"github.com/qdgen/qd/examples/internal/picture"
)

func main() {
	size := picture.Int("size", 240, 16, 1<<12, "cells along each side of the box")
	frames := picture.Int("frames", 120, 1, 10000, "frames of the animation")
	steps := picture.Int("steps", 4, 1, 1e6, "time steps from frame to frame")
	sweeps := picture.Int("sweeps", 12, 1, 1e4, "pairs of sweeps for the pressure in each step")
	name := flag.String("o", "fluid.gif", "file to write")
	dev := picture.Device(0)

	n := *size
	var fields [9]*qd.Array[float32]
	args := make([]any, len(fields))
	for i := range fields {
		fields[i] = qd.Zeros[float32](dev, n, n)
		picture.Check(fields[i].Err())
		args[i] = fields[i]
	}
	smoke := fields[3]
	scale := float64(n) / 240 // so that the smoke rises through the box in the same time

	palette := picture.Inferno.Palette(256)
	movie := &gif.GIF{}
	var computing time.Duration
	for frame := range *frames {
		start := time.Now()
		for k := range *steps {
			// The wind at the source turns to and fro.
			time := float64(frame**steps+k) / 60
			wind := 6 * scale * math.Sin(2.5*time) * math.Cos(0.7*time)
			picture.Check(dev.Run(step, append([]any{n, *sweeps, 0.25, 0.8 * scale, wind}, args...)...))
		}
		cells := smoke.Slice()
		computing += time.Since(start)

		img := image.NewPaletted(image.Rect(0, 0, n, n), palette)
		for i, density := range cells {
			img.Pix[i] = uint8(255 * math.Pow(float64(min(max(density, 0), 1)), 0.7))
		}
		movie.Image = append(movie.Image, img)
		movie.Delay = append(movie.Delay, 4)
	}
	fmt.Printf("%d steps of %d x %d cells in %v\n", *frames**steps, n, n, computing.Round(time.Millisecond))

	animation.Save(*name, movie)
}
