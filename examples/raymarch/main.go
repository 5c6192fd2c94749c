// Raymarch draws a scene of signed distance fields, lit by a low sun, and writes
// raymarch.png.
package main

import (
	"flag"
	"fmt"
	"time"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/examples/internal/picture"
	"github.com/qdgen/qd/examples/internal/progress"
	"github.com/qdgen/qd/examples/internal/scene"
	"github.com/qdgen/qd/examples/raymarch/view"
	"github.com/qdgen/qd/examples/raymarch/world"
	"github.com/qdgen/qd/f32"
)

func main() {
	width := picture.Int("width", 1920, 1, 1<<15, "width of the picture in pixels")
	height := picture.Int("height", 1080, 1, 1<<15, "height of the picture in pixels")
	samples := picture.Int("samples", 2, 1, 64, "rays per pixel along each axis")
	bounces := picture.Int("bounces", 3, 0, 64, "reflections that are followed")
	name := flag.String("o", "raymarch.png", "file to write")
	dev := picture.Device(0)

	renderer := world.Renderer{
		Samples: *samples, Steps: 200, Shadow: 60, Ambient: 5, Bounces: *bounces,
		Sun: f32.Vec3{-0.72, 0.60, 0.40}.Normalize(),
	}
	cam := view.Look(f32.Vec3{1.3, 1.35, 6.8}, f32.Vec3{0.15, 1.42, 0}, 2.6)
	out := qd.Zeros[f32.Vec3](dev, *height, *width)
	picture.Check(out.Err())

	// In bands of rows, so that there is something to show for the time it takes.
	bar := progress.Bar("raymarch", *height)
	start := time.Now()
	const band = 16
	for row := 0; row < *height; row += band {
		rows := min(band, *height-row)
		picture.Check(world.LaunchRendererRender(renderer, qd.Dim(rows, *width), cam, *width, *height, row, out))
		picture.Check(dev.Wait())
		picture.Check(bar.Add(rows))
	}
	took := time.Since(start)
	rays := float64(*width) * float64(*height) * float64(*samples**samples)
	fmt.Printf("%d x %d pixels, %d rays each, in %v: %.2f million rays per second\n",
		*width, *height, *samples**samples, took.Round(time.Millisecond), rays/took.Seconds()/1e6)

	picture.Save(*name, scene.Image(out.Slice(), *width, *height))
}
