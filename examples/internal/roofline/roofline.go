// Package roofline draws how near kernels come to what a machine can do: Williams, Waterman and Patterson, "Roofline: an
// insightful visual performance model for multicore architectures" (2009). It measures the two roofs by kernels of its own.
package roofline

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"
	"slices"
	"time"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"github.com/qdgen/qd"
)

// A Point is a kernel: its work in operations on floats, the bytes that it has to read and write at least, and its time.
type Point struct {
	Name         string
	Flops, Bytes float64
	Time         time.Duration
}

// Speed is the operations in a second.
func (p Point) Speed() float64 { return p.Flops / p.Time.Seconds() }

// Intensity is the operations for each byte.
func (p Point) Intensity() float64 { return p.Flops / p.Bytes }

// A Machine has the roofs: operations in a second, and bytes from and to memory.
type Machine struct{ Flops, Bandwidth float64 }

// Roof is the most operations in a second of a kernel with so many for each byte.
func (m Machine) Roof(intensity float64) float64 { return min(m.Flops, m.Bandwidth*intensity) }

const (
	chains  = 64 // multiplications that do not wait for each other, of each thread
	steps   = 2000
	threads = 1 << 10
	triad   = 1 << 25 // elements of each of three slices, more than any cache holds
)

//qd:kernel
func multiply(t qd.Thread, x []float32) {
	var s [chains]float32
	for i := range s {
		s[i] = float32(t.ID()+i) * 1e-3
	}
	for range steps {
		for i := range s {
			s[i] = qd.FMA(s[i], 0.999, 0.001)
		}
	}
	sum := float32(0)
	for _, v := range s {
		sum += v
	}
	x[t.ID()] = sum
}

//qd:kernel
func add(t qd.Thread, x, y, z []float32) {
	i := t.ID()
	z[i] = 0.5*x[i] + y[i]
}

// Measure finds the roofs of a device: of multiplications and additions in registers, and of sums of long arrays.
func Measure(dev *qd.Device) (m Machine, err error) {
	out := qd.Zeros[float32](dev, threads)
	took, err := Best(5, func() error { return dev.Launch(multiply, qd.Dim(threads), out) })
	if err != nil {
		return m, err
	}
	m.Flops = 2 * chains * steps * threads / took.Seconds()
	x, y, z := qd.Zeros[float32](dev, triad), qd.Zeros[float32](dev, triad), qd.Zeros[float32](dev, triad)
	if took, err = Best(5, func() error { return dev.Launch(add, qd.Dim(triad), x, y, z) }); err != nil {
		return m, err
	}
	m.Bandwidth = 3 * 4 * triad / took.Seconds()
	return m, nil
}

// Best is the shortest time of so many runs, after one to warm up.
func Best(n int, run func() error) (time.Duration, error) {
	best := time.Duration(math.MaxInt64)
	for i := range n + 1 {
		start := time.Now()
		if err := run(); err != nil {
			return 0, err
		}
		if took := time.Since(start); i > 0 {
			best = min(best, took)
		}
	}
	return best, nil
}

// The picture, in pixels.
const (
	width, height      = 900, 560
	left, right        = 90, 40
	top, bottom        = 40, 70
	plotWide, plotHigh = width - left - right, height - top - bottom
)

var (
	ink   = color.RGBA{0x22, 0x22, 0x22, 0xff}
	faint = color.RGBA{0xdd, 0xdd, 0xdd, 0xff}
	roof  = color.RGBA{0x2b, 0x6c, 0xb0, 0xff}
	mark  = color.RGBA{0xc5, 0x3b, 0x2b, 0xff}
)

// A chart is a picture with logarithmic axes.
type chart struct {
	*image.RGBA
	face       font.Face
	minX, maxX float64 // operations for each byte
	minY, maxY float64 // operations in a second
	next       int     // where the name of the next point may stand
}

// Draw draws the roofs of a machine, and points below them.
func Draw(title string, m Machine, points []Point) (image.Image, error) {
	parsed, err := opentype.Parse(goregular.TTF)
	if err != nil {
		return nil, err
	}
	face, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: 14, DPI: 72, Hinting: font.HintingFull})
	if err != nil {
		return nil, err
	}
	ridge := m.Flops / m.Bandwidth
	c := &chart{RGBA: image.NewRGBA(image.Rect(0, 0, width, height)), face: face, minX: ridge / 64, maxX: ridge * 64, minY: m.Flops / 64, maxY: m.Flops * 2}
	for _, p := range points {
		c.minX, c.maxX = min(c.minX, p.Intensity()/2), max(c.maxX, p.Intensity()*2)
		c.minY, c.maxY = min(c.minY, p.Speed()/2), max(c.maxY, p.Speed()*2)
	}
	draw.Draw(c, c.Bounds(), image.White, image.Point{}, draw.Src)
	c.grid()
	c.text(title, left, top-16, ink)
	c.text("operations for each byte", left+plotWide/2-80, height-16, ink)
	c.text("GFLOP/s", 8, top-16, ink)
	c.line(c.minX, m.Roof(c.minX), ridge, m.Flops)
	c.line(ridge, m.Flops, c.maxX, m.Flops)
	c.text(fmt.Sprintf("%.0f GFLOP/s", m.Flops/1e9), left+plotWide-110, c.y(m.Flops)-8, roof)
	c.text(fmt.Sprintf("%.1f GB/s", m.Bandwidth/1e9), left+8, c.y(m.Roof(c.minX)*3), roof)
	points = slices.SortedFunc(slices.Values(points), func(a, b Point) int { return int(math.Copysign(1, b.Speed()-a.Speed())) })
	for _, p := range points {
		c.point(p, m)
	}
	return c, nil
}

func (c *chart) x(v float64) int {
	return left + int(plotWide*math.Log(v/c.minX)/math.Log(c.maxX/c.minX))
}

func (c *chart) y(v float64) int {
	return top + plotHigh - int(plotHigh*math.Log(v/c.minY)/math.Log(c.maxY/c.minY))
}

// grid draws the axes with a line for each power of two or ten.
func (c *chart) grid() {
	for e := math.Ceil(math.Log2(c.minX)); e <= math.Log2(c.maxX); e += 2 {
		x := c.x(math.Exp2(e))
		draw.Draw(c, image.Rect(x, top, x+1, top+plotHigh), image.NewUniform(faint), image.Point{}, draw.Src)
		c.text(fmt.Sprintf("%g", math.Exp2(e)), x-8, top+plotHigh+20, ink)
	}
	for e := math.Ceil(math.Log10(c.minY)); e <= math.Log10(c.maxY); e++ {
		y := c.y(math.Pow(10, e))
		draw.Draw(c, image.Rect(left, y, left+plotWide, y+1), image.NewUniform(faint), image.Point{}, draw.Src)
		c.text(fmt.Sprintf("%g", math.Pow(10, e-9)), 30, y+5, ink)
	}
}

// line draws a part of a roof: straight, as both axes are logarithmic.
func (c *chart) line(x0, y0, x1, y1 float64) {
	ax, ay, bx, by := c.x(x0), c.y(y0), c.x(x1), c.y(y1)
	n := max(bx-ax, 1)
	for i := range n {
		y := ay + (by-ay)*i/n
		draw.Draw(c, image.Rect(ax+i, y, ax+i+2, y+3), image.NewUniform(roof), image.Point{}, draw.Src)
	}
}

// point draws a kernel, with its part of what the roof allows.
func (c *chart) point(p Point, m Machine) {
	x, y := c.x(p.Intensity()), c.y(p.Speed())
	draw.Draw(c, image.Rect(x-4, y-4, x+4, y+4), image.NewUniform(mark), image.Point{}, draw.Src)
	at := max(y+5, c.next)
	c.next = at + 18
	said := fmt.Sprintf("%s: %.1f GFLOP/s, %.0f%%", p.Name, p.Speed()/1e9, 100*p.Speed()/m.Roof(p.Intensity()))
	if w := font.MeasureString(c.face, said).Ceil(); x+10+w > width {
		x -= 20 + w // left of the point
	}
	c.text(said, x+10, at, ink)
}

func (c *chart) text(s string, x, y int, ink color.Color) {
	d := font.Drawer{Dst: c, Src: image.NewUniform(ink), Face: c.face, Dot: fixed.P(x, y)}
	d.DrawString(s)
}
