package main

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"github.com/qdgen/qd/cmd/qdgen/genfile"
	"github.com/qdgen/qd/internal/runtime/tune"
)

// Sizes of the picture of tuned kernels, in pixels.
const (
	tunedWidth  = 1200
	tunedMargin = 24
	tunedLine   = 28  // the height of a row
	tunedLabels = 360 // the width of the configurations
	tunedTimes  = 260 // the width of the times, right of the longest bar
)

var (
	inkColor   = color.RGBA{0x22, 0x22, 0x22, 0xff}
	faintColor = color.RGBA{0x88, 0x88, 0x88, 0xff}
	barColor   = color.RGBA{0x9d, 0xb8, 0xd9, 0xff}
	bestColor  = color.RGBA{0x2b, 0x6c, 0xb0, 0xff}
)

// drawTuned writes a picture of the configurations' times to a PNG file: a bar for each, the shortest the best.
func drawTuned(list []tune.Listed, name string) error {
	parsed, err := opentype.Parse(goregular.TTF)
	if err != nil {
		return err
	}
	face, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: 15, DPI: 72, Hinting: font.HintingFull})
	if err != nil {
		return err
	}
	height := 2 * tunedMargin
	for _, l := range list {
		height += (len(l.Rows) + 2) * tunedLine
	}
	p := &tunedPicture{image.NewRGBA(image.Rect(0, 0, tunedWidth, height)), face}
	draw.Draw(p.img, p.img.Bounds(), image.White, image.Point{}, draw.Src)
	y := tunedMargin
	for _, l := range list {
		y = p.table(l, y)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, p.img); err != nil {
		return err
	}
	return genfile.WriteWhole(name, b.Bytes())
}

// A tunedPicture is a picture that is being drawn.
type tunedPicture struct {
	img  *image.RGBA
	face font.Face
}

// table draws a table whose top is at y, and returns where the next one begins.
func (p *tunedPicture) table(l tune.Listed, y int) int {
	p.text(tunedTitle(l), tunedMargin, y, tunedWidth-2*tunedMargin, inkColor)
	y += tunedLine
	slowest := l.Rows[0].Time
	for _, r := range l.Rows {
		slowest = max(slowest, r.Time)
	}
	const left, widest = tunedMargin + tunedLabels, tunedWidth - 2*tunedMargin - tunedLabels - tunedTimes
	for _, r := range l.Rows {
		p.text(r.Config, tunedMargin, y, tunedLabels-tunedMargin, inkColor)
		if r.Skipped != "" {
			p.text("left out: "+r.Skipped, left, y, widest+tunedTimes, faintColor)
			y += tunedLine
			continue
		}
		c, said := barColor, formatTime(r.Time)
		if r.Best {
			c, said = bestColor, said+", best"
		}
		n := max(1, int(float64(widest)*float64(r.Time)/float64(slowest)))
		draw.Draw(p.img, image.Rect(left, y+4, left+n, y+tunedLine-4), image.NewUniform(c), image.Point{}, draw.Src)
		p.text(said, left+n+8, y, tunedTimes, inkColor)
		y += tunedLine
	}
	return y + tunedLine
}

// text writes a line of at most so many pixels, and cuts what is longer.
func (p *tunedPicture) text(s string, x, y, width int, c color.Color) {
	d := font.Drawer{Dst: p.img, Src: image.NewUniform(c), Face: p.face, Dot: fixed.P(x, y+tunedLine-9)}
	for r := []rune(s); d.MeasureString(s).Ceil() > width && len(r) > 0; {
		r = r[:len(r)-1]
		s = string(r) + "..."
	}
	d.DrawString(s)
}
