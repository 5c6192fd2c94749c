// Film draws the scene of example raymarch from a camera that goes around it, on all workers, and writes the
// frames as an animated GIF.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"image"
	"image/color/palette"
	"image/draw"
	"image/gif"
	"log"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/qdgen/qd"
	qdbeam "github.com/qdgen/qd/beam"
	"github.com/qdgen/qd/beam/examples/internal/launch"
	"github.com/qdgen/qd/examples/raymarch/view"
	"github.com/qdgen/qd/examples/raymarch/world"
	"github.com/qdgen/qd/f32"
)

//go:generate go tool qdgen gen

// bandsFn emits the bands of a frame.
type bandsFn struct{ Frames int }

// ProcessElement emits the bands of one frame.
func (f *bandsFn) ProcessElement(frame int, emit func(Task)) {
	// To and fro in front of the scene, so that the last frame is followed by the first one.
	sin, cos := math.Sincos(0.6 * math.Sin(2*math.Pi*float64(frame)/float64(f.Frames)))
	eye := f32.Vec3{float32(0.15 + 6.9*sin), 1.35, float32(6.9 * cos)}
	cam := view.Look(eye, f32.Vec3{0.15, 1.42, 0}, 2.6)
	for row := 0; row < height; row += rows {
		emit(Task{int32(frame), int32(row), cam})
	}
}

func byFrame(b Band) (int, Band) { return int(b.Frame), b }

// A Frame is a picture of 256 colours.
type Frame struct {
	Number int
	Pixels []byte
}

// assemble makes a frame of its bands.
func assemble(frame int, next func(*Band) bool) Frame {
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	var b Band
	for next(&b) {
		for i, p := range b.Pixels {
			at := 4 * (int(b.Row)*width + i)
			copy(img.Pix[at:], p[:])
			img.Pix[at+3] = 255
		}
	}
	few := image.NewPaletted(img.Bounds(), palette.Plan9)
	draw.FloydSteinberg.Draw(few, few.Bounds(), img, image.Point{})
	return Frame{frame, few.Pix}
}

// filmFn writes the frames in their order.
type filmFn struct{ Name string }

// ProcessElement is called once.
func (f *filmFn) ProcessElement(_ context.Context, _ int, next func(*Frame) bool) error {
	var frames []Frame
	var frame Frame
	for next(&frame) {
		frames = append(frames, frame)
	}
	slices.SortFunc(frames, func(a, b Frame) int { return a.Number - b.Number })
	film := gif.GIF{}
	for _, frame := range frames {
		film.Image = append(film.Image, &image.Paletted{Pix: frame.Pixels, Stride: width, Rect: image.Rect(0, 0, width, height), Palette: palette.Plan9})
		film.Delay = append(film.Delay, 6)
	}
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, &film); err != nil {
		return err
	}
	return launch.WriteFile(f.Name, b.Bytes())
}

func init() {
	qdbeam.Register(Draw)
	beam.RegisterDoFn(&bandsFn{})
	register.Emitter1[Task]()
	register.Function1x2(byFrame)
	register.Function2x1(assemble)
	register.Iter1[Band]()
	beam.RegisterDoFn(&filmFn{})
	register.Iter1[Frame]()
}

func main() {
	frames := flag.Int("frames", 48, "frames of the film")
	samples := flag.Int("samples", 1, "rays per pixel along each axis")
	out := flag.String("o", "film.gif", "file to write, on a file system that all workers share")
	flag.Parse()
	beam.Init() // a worker never returns from here
	name, err := filepath.Abs(*out)
	if err != nil {
		log.Fatal(err)
	}
	start := time.Now()
	result, err := film(context.Background(), name, *frames, *samples)
	if err != nil {
		log.Fatal(err)
	}
	launch.Report(os.Stdout, result)
	fmt.Printf("%d frames of %d x %d in %v: %s\n", *frames, width, height, time.Since(start).Round(time.Millisecond), *out)
}

// film writes a film of some frames, with so many rays for each pixel along each axis.
func film(ctx context.Context, name string, frames, samples int) (beam.PipelineResult, error) {
	renderer := world.Renderer{
		Samples: samples, Steps: 200, Shadow: 60, Ambient: 5, Bounces: 3,
		Sun: f32.Vec3{-0.72, 0.60, 0.40}.Normalize(),
	}
	var numbers []int
	for i := range frames {
		numbers = append(numbers, i)
	}
	p, s := beam.NewPipelineWithRoot()
	tasks := beam.Reshuffle(s, beam.ParDo(s, &bandsFn{frames}, beam.CreateList(s, numbers)))
	bands := qdbeam.Map(s, Draw, tasks, qdbeam.Args(qd.C(renderer)), qdbeam.ThreadsPerElement(rows*width), qdbeam.Batch(height/rows))
	pictures := beam.ParDo(s, assemble, beam.GroupByKey(s, beam.ParDo(s, byFrame, bands)))
	beam.ParDo0(s, &filmFn{name}, beam.GroupByKey(s, beam.AddFixedKey(s, pictures)))
	return launch.Run(ctx, p)
}
