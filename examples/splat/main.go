// Splat paints a photograph with some thousand coloured Gaussians, whose places, sizes and colours it learns: a tape
// differentiates the painting, and Adam takes the steps. It writes splat.gif: the photograph, the painting as it grows, and
// below them the loss.
//
//	go run ./examples/splat [-splats N] [-steps N] [-device NAME] [photo.jpg]
//
// Without an argument it takes a photograph that ships with the Go distribution. The model is that of Kerbl et al., "3D Gaussian
// splatting for real-time radiance field rendering" (2023), in two dimensions.
package main

import (
	"flag"
	"fmt"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"time"

	"golang.org/x/image/draw"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/examples/internal/animation"
	"github.com/qdgen/qd/examples/internal/photograph"
	"github.com/qdgen/qd/examples/internal/picture"
	"github.com/qdgen/qd/f32"
	"github.com/qdgen/qd/optim"
)

func main() {
	width := picture.Int("width", 192, 16, 1024, "width of the painting in pixels")
	count := picture.Int("splats", 2000, 1, 1e6, "number of Gaussians")
	steps := picture.Int("steps", 400, 1, 1e6, "steps of the optimizer")
	every := picture.Int("every", 10, 1, 1e6, "steps from frame to frame")
	rate := picture.Float("rate", 0.02, 0, 1, "rate of the optimizer")
	name := flag.String("o", "splat.gif", "file to write")
	dev := picture.Device(1)

	photo := scaled(photograph.Open(flag.Arg(0)), *width)
	w, h := photo.Bounds().Dx(), photo.Bounds().Dy()
	target := qd.From(dev, colours(photo))
	splats := qd.From(dev, scatter(*count, photo)).WithGrad()
	forms := qd.Zeros[form](dev, *count)
	painting, loss := qd.Zeros[f32.Vec3](dev, w*h), qd.Zeros[float32](dev, 1)
	picture.Check(target.Err(), splats.Err(), forms.Err(), painting.Err(), loss.Err())

	tape := qd.NewTape(dev)
	adam := optim.Adam{Rate: *rate}
	var first, order *qd.Array[int32]
	var losses []float64
	var paintings []*image.RGBA
	start := time.Now()
	for step := range *steps {
		if step%*every == 0 { // the splats have moved
			f, o := tiles(splats.Slice(), w, h)
			first, order = qd.From(dev, f), qd.From(dev, o)
		}
		picture.Check(
			splats.ZeroGrad(), loss.CopyFrom([]float32{0}),
			tape.Launch(shape, qd.Dim(*count), splats, forms),
			tape.Launch(paint, qd.Dim(w*h), w, first, order, splats, forms, painting),
			tape.Launch(distance, qd.Dim(h), w, painting, target, loss),
			tape.Backward(loss),
			adam.Step(splats))
		tape.Reset()
		if step%*every == 0 || step == *steps-1 {
			paintings = append(paintings, pixels(painting.Slice(), w, h))
			losses = append(losses, float64(loss.Slice()[0]))
		}
	}
	fmt.Printf("%d Gaussians, %d x %d pixels, %d steps in %v: the loss went from %.4f to %.4f\n",
		*count, w, h, *steps, time.Since(start).Round(time.Millisecond), losses[0], losses[len(losses)-1])

	var frames []*image.RGBA
	for i, p := range paintings {
		frames = append(frames, frame(photo, p, losses[:i+1], len(paintings)))
	}
	animation.Save(*name, animation.Of(frames, 8))
}

// scaled is a picture of a width.
func scaled(img image.Image, width int) *image.RGBA {
	b := img.Bounds()
	small := image.NewRGBA(image.Rect(0, 0, width, max(1, width*b.Dy()/b.Dx())))
	draw.CatmullRom.Scale(small, small.Bounds(), img, b, draw.Src, nil)
	return small
}

// colours are the colours of a picture, from 0 to 1.
func colours(img *image.RGBA) []f32.Vec3 {
	list := make([]f32.Vec3, len(img.Pix)/4)
	for i := range list {
		for c := range 3 {
			list[i][c] = float32(img.Pix[4*i+c]) / 255
		}
	}
	return list
}

// pixels is a picture of colours.
func pixels(list []f32.Vec3, w, h int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for i, v := range list {
		level := func(x float32) uint8 { return uint8(min(max(x, 0), 1)*255 + 0.5) }
		img.SetRGBA(i%w, i/w, color.RGBA{level(v[0]), level(v[1]), level(v[2]), 255})
	}
	return img
}

// scatter are splats at random, with the colours that the photograph has there.
func scatter(n int, photo *image.RGBA) []float32 {
	random := rand.New(rand.NewPCG(1, 2))
	w, h := photo.Bounds().Dx(), photo.Bounds().Dy()
	size := math.Log(math.Sqrt(float64(w*h)/float64(n)) / 2 / unit)
	list := make([]float32, 0, numbers*n)
	for range n {
		x, y := random.Float64()*float64(w), random.Float64()*float64(h)
		c := photo.RGBAAt(int(x), int(y))
		list = append(list, float32(x/unit), float32(y/unit), float32(size), float32(size), float32(random.Float64()*math.Pi), 0,
			float32(c.R)/255, float32(c.G)/255, float32(c.B)/255)
	}
	return list
}

// tiles are the splats that may be seen in each tile, and where each tile's begin.
func tiles(splats []float32, w, h int) (first, order []int32) {
	columns, rows := (w+tile-1)/tile, (h+tile-1)/tile
	lists := make([][]int32, columns*rows)
	for i := range len(splats) / numbers {
		s := splats[numbers*i:][:numbers]
		// Beyond this distance a splat is fainter than 1/255. It may grow until the next call.
		reach := 3.4*unit*math.Exp(float64(max(s[sizeX], s[sizeY]))) + 4
		span := func(at float32, n int) (from, to int) {
			middle := float64(at) * unit
			return int(max(math.Floor((middle-reach)/tile), 0)), int(min(math.Floor((middle+reach)/tile), float64(n-1)))
		}
		x0, x1 := span(s[atX], columns)
		y0, y1 := span(s[atY], rows)
		for y := y0; y <= y1; y++ {
			for x := x0; x <= x1; x++ {
				lists[y*columns+x] = append(lists[y*columns+x], int32(i))
			}
		}
	}
	for _, list := range lists {
		first = append(first, int32(len(order)))
		order = append(order, list...)
	}
	return append(first, int32(len(order))), append(order, 0) // no array is empty
}

// frame is the photograph, a painting, and the losses so far of some.
func frame(photo, painting *image.RGBA, losses []float64, total int) *image.RGBA {
	const gap, plot = 4, 48
	w, h := photo.Bounds().Dx(), photo.Bounds().Dy()
	img := image.NewRGBA(image.Rect(0, 0, 2*w+gap, h+gap+plot))
	draw.Draw(img, img.Bounds(), image.NewUniform(color.RGBA{20, 22, 28, 255}), image.Point{}, draw.Src)
	draw.Draw(img, image.Rect(0, 0, w, h), photo, image.Point{}, draw.Src)
	draw.Draw(img, image.Rect(w+gap, 0, 2*w+gap, h), painting, image.Point{}, draw.Src)
	// The loss, on a logarithmic scale over three powers of ten.
	level := func(i int) float64 { return min(max(-math.Log10(losses[i]/losses[0])/3, 0), 1) }
	for x := range img.Bounds().Dx() {
		at := float64(x) / float64(img.Bounds().Dx()-1) * float64(max(total-1, 1))
		i := int(at)
		if i+1 >= len(losses) {
			break
		}
		y := level(i) + (level(i+1)-level(i))*(at-float64(i))
		top := h + gap + int(y*(plot-2))
		for row := top; row < h+gap+plot; row++ {
			c := color.RGBA{44, 62, 84, 255}
			if row < top+2 {
				c = color.RGBA{250, 190, 90, 255}
			}
			img.SetRGBA(x, row, c)
		}
	}
	return img
}
