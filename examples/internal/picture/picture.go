// Package picture has what the examples share: command lines, colour maps, files.
package picture

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"os"
)

// A ColorMap goes through its colours in equal steps, from 0 to 1.
type ColorMap []color.RGBA

// Inferno is dark through red and orange to pale yellow: brightness rises
// evenly, so that it reads as a quantity.
var Inferno = ColorMap{
	{0, 0, 4, 255}, {27, 12, 65, 255}, {74, 12, 107, 255}, {120, 28, 109, 255}, {165, 44, 96, 255},
	{207, 68, 70, 255}, {237, 105, 37, 255}, {251, 155, 6, 255}, {247, 209, 61, 255}, {252, 255, 164, 255},
}

// Ocean is a cycle of blues, white, gold and brown for escape times.
var Ocean = ColorMap{
	{0, 7, 100, 255}, {32, 107, 203, 255}, {237, 255, 255, 255}, {255, 170, 0, 255}, {90, 30, 10, 255}, {0, 7, 100, 255},
}

// At is the colour at x, from 0 to 1, mixed from the two next to it.
func (m ColorMap) At(x float64) color.RGBA {
	pos := min(max(x, 0), 1) * float64(len(m)-1)
	i := min(int(pos), len(m)-2)
	f := pos - float64(i)
	mix := func(a, b uint8) uint8 { return uint8(float64(a)*(1-f) + float64(b)*f + 0.5) }
	a, b := m[i], m[i+1]
	return color.RGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 255}
}

// Palette is the colour map in n steps.
func (m ColorMap) Palette(n int) color.Palette {
	p := make(color.Palette, n)
	for i := range p {
		p[i] = m.At(float64(i) / float64(n-1))
	}
	return p
}

// Save writes an image as PNG and says so.
func Save(name string, img image.Image) {
	Write(name, func(w io.Writer) error { return png.Encode(w, img) })
}

// Write writes a file and says so.
func Write(name string, content func(io.Writer) error) {
	f, err := os.Create(name)
	Check(err)
	err = content(f)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	Check(err)
	fmt.Println("wrote", name)
}
