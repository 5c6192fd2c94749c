// Heat lets warmth spread from a few glowing shapes through a plate and writes
// heat.gif, an animation.
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
	size := picture.Int("size", 320, 2, 1<<13, "cells along each side of the plate")
	frames := picture.Int("frames", 90, 1, 10000, "frames of the animation")
	steps := picture.Int("steps", 60, 1, 1e6, "time steps from frame to frame")
	name := flag.String("o", "heat.gif", "file to write")
	dev := picture.Device(0)

	n := *size
	source := shapes(n)
	fire := qd.From(dev, source, n, n)
	plates := [2]*qd.Array[float32]{qd.From(dev, source, n, n), qd.Zeros[float32](dev, n, n)}
	picture.Check(fire.Err(), plates[0].Err(), plates[1].Err())

	// Everything that is launched again and again is prepared once: a step from
	// each plate to the other, and the sources of each.
	var step, hold [2]*qd.Prepared
	for i, plate := range plates {
		var err1, err2 error
		step[i], err1 = dev.Bind(diffuse, qd.Dim(n, n), 0.24, plate, plates[1-i])
		hold[i], err2 = dev.Bind(burn, qd.Dim(n*n), fire, plate)
		picture.Check(err1, err2)
	}

	palette := picture.Inferno.Palette(256)
	movie := &gif.GIF{}
	var computing time.Duration
	now := 0 // the plate that is up to date
	for frame := range *frames {
		start := time.Now()
		burning := frame < *frames*2/3 // then the fire goes out
		for range *steps {
			picture.Check(step[now].Launch())
			now = 1 - now
			if burning {
				picture.Check(hold[now].Launch())
			}
		}
		cells := plates[now].Slice()
		computing += time.Since(start)

		img := image.NewPaletted(image.Rect(0, 0, n, n), palette)
		for i, warmth := range cells {
			img.Pix[i] = uint8(255 * math.Sqrt(float64(min(max(warmth, 0), 1))))
		}
		movie.Image = append(movie.Image, img)
		movie.Delay = append(movie.Delay, 4)
	}
	fmt.Printf("%d steps of %d x %d cells in %v\n", *frames**steps, n, n, computing.Round(time.Millisecond))

	animation.Save(*name, movie)
}

// shapes are the sources: a ring, a spiral of sparks, and a bar.
func shapes(n int) []float32 {
	cells := make([]float32, n*n)
	disk := func(x, y, r, warmth float64) {
		for i := range n {
			for j := range n {
				dx, dy := float64(j)/float64(n)-x, float64(i)/float64(n)-y
				if dx*dx+dy*dy <= r*r {
					cells[i*n+j] = float32(warmth)
				}
			}
		}
	}
	const turns = 220
	for k := range turns { // the ring
		a := 2 * math.Pi * float64(k) / turns
		disk(0.5+0.36*math.Cos(a), 0.5+0.36*math.Sin(a), 0.006, 1)
	}
	for k := range 24 { // the spiral
		a := 0.55 * float64(k)
		disk(0.5+0.011*float64(k)*math.Cos(a), 0.5+0.011*float64(k)*math.Sin(a), 0.005+0.0004*float64(k), 1)
	}
	return cells
}
