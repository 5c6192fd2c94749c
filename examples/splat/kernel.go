package main

import (
	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
)

// tile is the size of the squares of pixels that have one list of splats.
const tile = 16

// unit is how many pixels a place or a size of 1 is: so the numbers of a splat are all learned at one rate.
const unit = 16

// A splat is a Gaussian with a colour, as the numbers that are learned.
const (
	atX = iota
	atY
	sizeX // the logarithms of its standard deviations
	sizeY
	turn    // an angle
	opacity // through a sigmoid
	red
	green
	blue
	numbers // how many there are
)

// A form is what a splat looks like: at (x, y) from its place it covers at*exp(-xx*x*x - xy*x*y - yy*y*y).
type form struct{ xx, xy, yy, at float32 }

// shape finds the forms of splats.
//
//qd:kernel
func shape(t qd.Thread, splats []float32, forms []form) {
	i := t.ID()
	s := splats[numbers*i:][:numbers]
	sin, cos := qd.Sin(s[turn]), qd.Cos(s[turn])
	u, v := 0.5*qd.Exp(-2*s[sizeX]), 0.5*qd.Exp(-2*s[sizeY])
	forms[i] = form{u*cos*cos + v*sin*sin, 2 * (u - v) * sin * cos, u*sin*sin + v*cos*cos, 1 / (1 + qd.Exp(-s[opacity]))}
}

// paint paints the splats of a pixel's tile over each other, the first one in front, until nothing behind can be seen.
// order has the splats of each tile, from first[tile] on.
//
//qd:kernel
func paint(t qd.Thread, width int, first, order []int32, splats []float32, forms []form, picture []f32.Vec3) {
	i := t.ID()
	x, y := i%width, i/width
	place := y/tile*((width+tile-1)/tile) + x/tile
	px, py := (float32(x)+0.5)/unit, (float32(y)+0.5)/unit
	sum := f32.Vec3{}
	through := float32(1)
	for k := first[place]; k < first[place+1]; k++ {
		f, s := forms[order[k]], splats[numbers*int(order[k]):][:numbers]
		dx, dy := px-s[atX], py-s[atY]
		far := f.xx*dx*dx + f.xy*dx*dy + f.yy*dy*dy
		if far > 5.5 { // it covers less than 1/255
			continue
		}
		alpha := f.at * qd.Exp(-far)
		sum = sum.Add(f32.Vec3{s[red], s[green], s[blue]}.Scale(alpha * through))
		through *= 1 - alpha
		if through < 1.0/255 {
			break
		}
	}
	picture[i] = sum
}

// distance adds up how far the rows of a picture are from the photograph.
//
//qd:kernel
func distance(t qd.Thread, width int, picture, photo []f32.Vec3, loss []float32) {
	row := t.ID() * width
	sum := float32(0)
	for i := range width {
		sum += picture[row+i].Sub(photo[row+i]).NormSq()
	}
	qd.AtomicAdd(&loss[0], sum/float32(len(photo)))
}
