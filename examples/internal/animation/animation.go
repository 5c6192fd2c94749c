// Package animation is what the examples that move share: animations of pictures.
package animation

import (
	"image"
	"image/color"
	"image/gif"
	"io"
	"math"
	"slices"

	"github.com/qdgen/qd/examples/internal/picture"
)

// Save writes an animation as GIF and says so.
func Save(name string, movie *gif.GIF) {
	picture.Write(name, func(w io.Writer) error { return gif.EncodeAll(w, movie) })
}

// Of makes an animation of pictures of one size and of any colours: with one
// palette of 255 colours for all of them, and in each frame only what changes. delay is
// the time of a frame in hundredths of a second.
func Of(frames []*image.RGBA, delay int) *gif.GIF {
	colors := NewPalette(frames, 255)
	palette := append(slices.Clone(colors), color.RGBA{}) // the last one is "as it was"
	last := uint8(len(colors))
	movie := &gif.GIF{}
	var nearest [1 << 18]uint16 // 1 + the nearest colour, of those that were asked for
	var shown []uint8
	for _, frame := range frames {
		bounds := frame.Bounds()
		img := image.NewPaletted(bounds, palette)
		for i := range img.Pix {
			c := dithered(frame.Pix[4*i:], i%bounds.Dx(), i/bounds.Dx())
			key := int(c[0]>>2)<<12 | int(c[1]>>2)<<6 | int(c[2]>>2)
			if nearest[key] == 0 {
				nearest[key] = uint16(colors.Index(color.RGBA{c[0], c[1], c[2], 255})) + 1
			}
			img.Pix[i] = uint8(nearest[key] - 1)
		}
		now := slices.Clone(img.Pix)
		for i, index := range now {
			if shown != nil && shown[i] == index {
				img.Pix[i] = last
			}
		}
		shown = now
		movie.Image = append(movie.Image, img)
		movie.Delay = append(movie.Delay, delay)
		movie.Disposal = append(movie.Disposal, gif.DisposalNone)
	}
	return movie
}

// dithered is a pixel's colour, lighter or darker by a pattern that stands still: what
// does not change from frame to frame does not after it either.
func dithered(pix []uint8, x, y int) (c [3]uint8) {
	// Bayer's pattern of 4 x 4: the bits of x^y and y, interleaved and reversed.
	x ^= y
	level := (x&1)<<3 | (y&1)<<2 | x&2 | y>>1&1
	for i := range c {
		c[i] = uint8(min(max(int(pix[i])+(2*level-15)/4, 0), 255))
	}
	return c
}

// NewPalette chooses n colours for pictures by median cut (Heckbert, "Color Image
// Quantization for Frame Buffer Display", 1982): the box of colours with the largest
// spread is cut in two until there are n, and each gives its mean.
func NewPalette(frames []*image.RGBA, n int) color.Palette {
	counts := map[[3]uint8]int{}
	for _, frame := range frames {
		for i := 0; i < len(frame.Pix); i += 4 {
			p := frame.Pix[i:]
			counts[[3]uint8{p[0]&^3 | 2, p[1]&^3 | 2, p[2]&^3 | 2}]++
		}
	}
	all := make([]shade, 0, len(counts))
	for c, count := range counts {
		all = append(all, shade{c, count})
	}
	slices.SortFunc(all, func(a, b shade) int { return slices.Compare(a.c[:], b.c[:]) })
	boxes := []colorBox{newColorBox(all)}
	for len(boxes) < n {
		widest := 0
		for i, b := range boxes {
			if b.spread > boxes[widest].spread {
				widest = i
			}
		}
		if boxes[widest].spread == 0 {
			break // there are fewer than n colours
		}
		a, b := boxes[widest].cut()
		boxes[widest] = a
		boxes = append(boxes, b)
	}
	p := make(color.Palette, len(boxes))
	for i, b := range boxes {
		p[i] = b.mean()
	}
	return p
}

// A shade is a colour and how many pixels have it.
type shade struct {
	c     [3]uint8
	count int
}

// A colorBox is some colours, the axis along which they differ most, and by how much.
type colorBox struct {
	shades []shade
	axis   int
	spread float64
	middle float64 // the mean along that axis
}

// newColorBox measures the variance of colours times the root of their number: many
// pixels count, and few of other colours are not forgotten. No colours is a box without
// spread.
func newColorBox(shades []shade) colorBox {
	b := colorBox{shades: shades}
	for axis := range 3 {
		var n, sum, squares float64
		for _, s := range shades {
			x, k := float64(s.c[axis]), float64(s.count)
			n, sum, squares = n+k, sum+k*x, squares+k*x*x
		}
		if spread := (squares - sum*sum/n) / math.Sqrt(n); spread > b.spread {
			b.axis, b.spread, b.middle = axis, spread, sum/n
		}
	}
	return b
}

// cut parts the colours at the mean of the axis along which they differ most.
func (b colorBox) cut() (low, high colorBox) {
	slices.SortStableFunc(b.shades, func(s, t shade) int { return int(s.c[b.axis]) - int(t.c[b.axis]) })
	at := slices.IndexFunc(b.shades, func(s shade) bool { return float64(s.c[b.axis]) > b.middle })
	return newColorBox(b.shades[:at]), newColorBox(b.shades[at:])
}

// mean is the mean colour of the pixels.
func (b colorBox) mean() color.RGBA {
	var sum [3]int
	n := 0
	for _, s := range b.shades {
		n += s.count
		for axis := range sum {
			sum[axis] += s.count * int(s.c[axis])
		}
	}
	level := func(axis int) uint8 { return uint8((sum[axis] + n/2) / n) }
	return color.RGBA{level(0), level(1), level(2), 255}
}
