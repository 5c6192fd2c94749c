// Mpm lets water, jelly and snow fall upon each other, by the material point method, and
// writes mpm.gif, an animation.
package main

import (
	"flag"
	"fmt"
	"image"
	"time"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/examples/internal/animation"
	"github.com/qdgen/qd/examples/internal/picture"
	"github.com/qdgen/qd/examples/internal/progress"
	"github.com/qdgen/qd/f32"
	"github.com/qdgen/qd/i32"
)

// box is the size of the place where everything happens, in metres.
var box = f32.Vec3{1.5, 1, 0.56}

func main() {
	size := picture.Int("size", 48, 24, 512, "cells of the grid in a metre; a cell has eight particles")
	frames := picture.Int("frames", 96, 1, 10000, "frames of the animation")
	height := picture.Int("height", 320, 8, 4096, "height of the picture in pixels")
	samples := picture.Int("samples", 2, 1, 8, "samples of a pixel along each axis")
	seed := picture.Int("seed", 1, 0, 1<<30, "seed of the particles' places")
	name := flag.String("o", "mpm.gif", "file to write")
	dev := picture.Device(0)

	s := newSimulation(dev, *size, uint64(*seed))
	c := newCamera(dev, s.world, *height, *samples)
	bar := progress.Bar("mpm", *frames)
	var movie []*image.RGBA
	var computing, drawing time.Duration
	steps := 0
	for range *frames {
		start := time.Now()
		movie = append(movie, c.take(s.ps))
		drawing += time.Since(start)
		start = time.Now()
		steps += s.run(0.012)
		computing += time.Since(start)
		picture.Check(bar.Add(1))
	}
	fmt.Printf("%d particles, %d steps in %v: %.2f million particles per second\n",
		s.ps.Len(), steps, computing.Round(time.Millisecond), float64(s.ps.Len())*float64(steps)/computing.Seconds()/1e6)
	fmt.Printf("%d pictures in %v\n", *frames, drawing.Round(time.Millisecond))
	animation.Save(*name, animation.Of(movie, 4))
}

// A simulation is particles and their grid on a device.
type simulation struct {
	world        World
	ps, sorted   *qd.Array[particle] // the particles, and room for them in another order
	nodes        *qd.Array[f32.Vec4]
	places, rows *qd.Array[int32] // for the order
}

func newSimulation(dev *qd.Device, size int, seed uint64) *simulation {
	w := World{
		N: i32.Vec3From(box.Scale(float32(size))), DX: 1 / float32(size), DT: 0.0128 / float32(size),
		Gravity: 9.8, Stiffness: [3]float32{water: 600, jelly: 600, snow: 700},
	}
	ps := particles(w, seed)
	s := &simulation{
		world: w, ps: qd.From(dev, ps), sorted: qd.Zeros[particle](dev, len(ps)),
		nodes:  qd.Zeros[f32.Vec4](dev, int(w.N.Product())),
		places: qd.Zeros[int32](dev, int(w.N.Product())), rows: qd.Zeros[int32](dev, int(w.N.XY().Product())),
	}
	picture.Check(s.ps.Err(), s.sorted.Err(), s.nodes.Err(), s.places.Err(), s.rows.Err())
	return s
}

// run goes on for a time in seconds, and gives the number of steps.
func (s *simulation) run(seconds float32) (steps int) {
	const between = 8 // steps, after which the particles are put in order again
	for float32(steps)*s.world.DT < seconds {
		picture.Check(runOrder(s.world, s.ps, s.sorted, s.places, s.rows))
		s.ps, s.sorted = s.sorted, s.ps
		picture.Check(runStep(s.world, 64, between, s.ps, s.nodes))
		steps += between
	}
	picture.Check(s.ps.Device().Wait())
	return steps
}
