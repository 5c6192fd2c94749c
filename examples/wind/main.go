// Wind finds the wind that blows a cloud of smoke into the word GO: it differentiates the whole simulation, hundreds of steps, by the
// velocity of each cell at the beginning. A tape records the steps, keeps snapshots of some, and runs the others again on its way back.
// It writes wind.gif: the smoke in the winds of four stages of the search, side by side.
//
//	go run ./examples/wind [-size N] [-steps N] [-turns N] [-device NAME]
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
	"github.com/qdgen/qd/optim"
)

func main() {
	size := picture.Int("size", 96, 16, 1024, "cells along each side of the box")
	steps := picture.Int("steps", 200, 1, 1e5, "time steps of the simulation")
	turns := picture.Int("turns", 120, 1, 1e5, "turns of the search")
	sweeps := picture.Int("sweeps", 8, 1, 1e4, "pairs of sweeps for the pressure in each step")
	snapshots := picture.Int("snapshots", 0, 0, 1e5, "snapshots that the tape keeps at once; with 0 it chooses")
	rate := picture.Float("rate", 0.015, 0, 10, "rate of the optimizer")
	name := flag.String("o", "wind.gif", "file to write")
	dev := picture.Device(0)

	n := *size
	box := newBox(dev, n, *sweeps)
	target, loss := qd.From(dev, word(n)), qd.Zeros[float32](dev, 1)
	picture.Check(target.Err(), loss.Err())
	wind := box.first
	tape := qd.NewTape(dev, qd.TapeSnapshots(*snapshots))
	adam := optim.Adam{Rate: *rate}
	movie := newMovie(n, []int{0, *turns / 10, *turns / 3, *turns})
	first := 0.0
	start := time.Now()
	for turn := range *turns + 1 {
		tape.Reset()
		movie.film(turn, box, *steps)
		picture.Check(
			loss.CopyFrom([]float32{0}), wind.u.ZeroGrad(), wind.v.ZeroGrad(),
			tape.Steps(*steps, func(i int) error { return box.step(tape, i) }),
			tape.Launch(distance, qd.Dim(n), box.after(*steps).smoke, target, loss))
		memory := tape.Memory()
		picture.Check(tape.Backward(loss))
		now := math.Sqrt(float64(loss.Slice()[0]))
		if turn == 0 {
			first = now
		}
		if turn == *turns {
			fmt.Printf("%d turns of %d steps of %d x %d cells in %v, with %d KiB of snapshots: the error went from %.4f to %.4f\n",
				*turns, *steps, n, n, time.Since(start).Round(time.Millisecond), memory>>10, first, now)
			break
		}
		picture.Check(adam.Step(wind.u, wind.v))
	}
	animation.Save(*name, movie.gif)
}

// A state is the fields that a step of the simulation makes of those before.
type state struct{ u, v, smoke *qd.Array[float32] }

// A box is a simulation.
type box struct {
	dev          *qd.Device
	n, sweeps    int
	first        state
	next         [2]state // after the even steps, and after the odd ones
	uFree, vFree *qd.Array[float32]
	div, p, q    *qd.Array[float32]
}

// newBox is a box with a cloud of smoke and no wind, whose gradient is wanted.
func newBox(dev *qd.Device, n, sweeps int) *box {
	b := &box{dev: dev, n: n, sweeps: sweeps}
	field := func() *qd.Array[float32] {
		f := qd.Zeros[float32](dev, n*n)
		picture.Check(f.Err())
		return f
	}
	b.first = state{field().WithGrad(), field().WithGrad(), field()}
	b.next = [2]state{{field(), field(), field()}, {field(), field(), field()}}
	b.uFree, b.vFree, b.div, b.p, b.q = field(), field(), field(), field(), field()
	picture.Check(b.first.smoke.CopyFrom(cloud(n)))
	return b
}

// after is the state after some steps.
func (b *box) after(steps int) state {
	if steps == 0 {
		return b.first
	}
	return b.next[(steps-1)%2]
}

// A runner runs kernels: a device, or a tape that records them, too.
type runner interface {
	Run(kernel any, args ...any) error
}

// step takes step i.
func (b *box) step(r runner, i int) error {
	from, to := b.after(i), b.after(i+1)
	return r.Run(step, b.n, b.sweeps, from.u, from.v, from.smoke, to.u, to.v, to.smoke, b.uFree, b.vFree, b.div, b.p, b.q)
}

// cloud is the smoke at the beginning: a round cloud, wider than high.
func cloud(n int) []float32 {
	return drawn(n, func(x, y float64) float64 { return 0.19 - math.Hypot(0.55*x, y) })
}

// word is the smoke that is wanted: the word GO.
func word(n int) []float32 {
	const radius, width, from = 0.15, 0.038, 0.21 // of the letters, of their lines, and from the middle
	ring := func(x, y float64) float64 { return width - math.Abs(math.Hypot(x, 0.8*y)-radius) }
	return drawn(n, func(x, y float64) float64 {
		if x > 0 {
			return ring(x-from, y)
		}
		x += from
		g := ring(x, y)
		if x > 0 && y > -0.11 && y < 0 { // the opening
			g = min(g, -0.11-y)
		}
		bar := min(x-0.02, radius+width-x, y, 2*width-y)
		return max(g, bar)
	})
}

// drawn is a field of what a function is positive for, of coordinates from -0.5 to 0.5, with soft edges.
func drawn(n int, inside func(x, y float64) float64) []float32 {
	f := make([]float32, n*n)
	for i := range f {
		x, y := (float64(i%n)+0.5)/float64(n)-0.5, (float64(i/n)+0.5)/float64(n)-0.5
		f[i] = float32(min(max(inside(x, y)*float64(n)/2+0.5, 0), 1))
	}
	return f
}

// A movie has the smoke in the winds of some turns of the search, side by side.
type movie struct {
	n     int
	turns []int
	gif   *gif.GIF
}

func newMovie(n int, turns []int) *movie { return &movie{n, turns, &gif.GIF{}} }

const (
	frames = 41 // of the animation
	gap    = 4  // between the boxes, in pixels
	zoom   = 2  // pixels of a cell
)

// film films the smoke in the wind of a turn.
func (m *movie) film(turn int, b *box, steps int) {
	for i, t := range m.turns {
		if t != turn {
			continue
		}
		for frame := range frames {
			if len(m.gif.Image) <= frame {
				width := len(m.turns)*(m.n*zoom+gap) - gap
				img := image.NewPaletted(image.Rect(0, 0, width, m.n*zoom), picture.Inferno.Palette(64))
				m.gif.Image, m.gif.Delay = append(m.gif.Image, img), append(m.gif.Delay, 6)
			}
			m.draw(i, frame, b.after(steps*frame/(frames-1)).smoke.Slice())
			for k := steps * frame / (frames - 1); k < steps*(frame+1)/(frames-1) && k < steps; k++ {
				picture.Check(b.step(b.dev, k))
			}
		}
		m.gif.Delay[frames-1] = 200
	}
}

// draw draws the smoke of a frame into its place.
func (m *movie) draw(place, frame int, smoke []float32) {
	img := m.gif.Image[frame]
	for i := range m.n * zoom {
		for j := range m.n * zoom {
			img.SetColorIndex(place*(m.n*zoom+gap)+j, i, uint8(63*min(max(smoke[i/zoom*m.n+j/zoom], 0), 1)))
		}
	}
}
