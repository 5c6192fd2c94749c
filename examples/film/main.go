// Film finds the form of a soap film in a bent wire frame, the surface of the least area. The area and its gradient come from
// a kernel and a tape, and L-BFGS of gonum/optimize uses them to find the least. It writes film.png: the height of the film, with contour lines.
package main

import (
	"flag"
	"fmt"
	"image"
	"math"
	"time"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/examples/internal/picture"
	"gonum.org/v1/gonum/optimize"
)

// area adds up the area of a surface over a square of n x n points, two triangles for each cell of a row.
//
//qd:kernel
func area(t qd.Thread, n int, z []float64, sum []float64) {
	row := z[t.ID()*n:][:2*n]
	size := 1 / float64(n-1)
	s := 0.0
	for i := range n - 1 {
		a, b, c, d := row[i], row[i+1], row[n+i], row[n+i+1]
		s += triangle(size, b-a, c-a) + triangle(size, c-d, b-d)
	}
	qd.AtomicAdd(&sum[0], s)
}

// triangle is the area of a triangle over half a cell, whose surface rises by u and v along the sides.
func triangle(size, u, v float64) float64 {
	return 0.5 * size * qd.Sqrt(size*size+u*u+v*v)
}

// A film is an area as a function of heights.
type film struct {
	n      int
	z, sum *qd.Array[float64]
	tape   *qd.Tape
	calls  int
}

// area is the area of a surface. With grad, its gradient is stored there: 0 at the frame, which stays.
func (f *film) area(heights, grad []float64) float64 {
	f.calls++
	f.tape.Reset()
	picture.Check(f.z.CopyFrom(heights), f.sum.CopyFrom([]float64{0}),
		f.tape.Launch(area, qd.Dim(f.n-1), f.n, f.z, f.sum))
	if grad != nil {
		picture.Check(f.z.ZeroGrad(), f.tape.Backward(f.sum), f.z.Grad().CopyTo(grad))
		for i := range grad {
			if f.isFrame(i) {
				grad[i] = 0
			}
		}
	}
	return f.sum.Slice()[0]
}

func (f *film) isFrame(i int) bool {
	x, y := i%f.n, i/f.n
	return x == 0 || y == 0 || x == f.n-1 || y == f.n-1
}

func main() {
	n := picture.Int("n", 65, 3, 1000, "points along each side")
	name := flag.String("o", "film.png", "file to write")
	dev := picture.Device(0)

	f := &film{n: *n, z: qd.Zeros[float64](dev, *n**n).WithGrad(), sum: qd.Zeros[float64](dev, 1), tape: qd.NewTape(dev)}
	picture.Check(f.z.Err(), f.sum.Err())
	start := time.Now()
	flat := f.frame()
	before := f.area(flat, nil)
	problem := optimize.Problem{
		Func: func(x []float64) float64 { return f.area(x, nil) },
		Grad: func(grad, x []float64) { f.area(x, grad) },
	}
	result, err := optimize.Minimize(problem, flat, &optimize.Settings{GradientThreshold: 1e-7}, &optimize.LBFGS{})
	picture.Check(err)
	fmt.Printf("%d heights in %v: the area went from %.4f to %.6f in %d evaluations\n", *n**n, time.Since(start).Round(time.Millisecond), before, result.F, f.calls)
	picture.Save(*name, f.draw(result.X, 480))
}

// frame are the heights of the frame: each side is bent like a bow, in turns up and down. All else is 0.
func (f *film) frame() []float64 {
	z := make([]float64, f.n*f.n)
	for i := range z {
		if f.isFrame(i) {
			x, y := float64(i%f.n)/float64(f.n-1), float64(i/f.n)/float64(f.n-1)
			z[i] = 0.5 * (math.Sin(math.Pi*x) - math.Sin(math.Pi*y))
		}
	}
	return z
}

// draw draws heights from -0.5 to 0.5 as colours, with lines of equal height.
func (f *film) draw(z []float64, size int) image.Image {
	img := image.NewRGBA(image.Rect(0, 0, size, size))
	at := func(x, y int) float64 { // between the points
		u, v := float64(x)/float64(size)*float64(f.n-1), float64(y)/float64(size)*float64(f.n-1)
		i, j := int(u), int(v)
		u, v = u-float64(i), v-float64(j)
		row := func(j int) float64 { return z[j*f.n+i]*(1-u) + z[j*f.n+i+1]*u }
		return row(j)*(1-v) + row(j+1)*v
	}
	level := func(h float64) int { return int(math.Floor(h * 20)) }
	for y := range size {
		for x := range size {
			h := at(x, y)
			c := picture.Inferno.At(0.15 + 0.7*(h+0.5))
			if x > 0 && level(h) != level(at(x-1, y)) || y > 0 && level(h) != level(at(x, y-1)) {
				c.R, c.G, c.B = c.R/2, c.G/2, c.B/2
			}
			img.SetRGBA(x, y, c)
		}
	}
	return img
}
