package main

import (
	"flag"
	"image"
	"image/gif"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/qdgen/qd/beam/examples/internal/launch"
)

func TestMain(m *testing.M) {
	flag.Parse()
	beam.Init() // a worker never returns from here
	os.Exit(m.Run())
}

// The frames of two workers become a film: sky above, the scene below, and another view in each frame.
func TestFilm(t *testing.T) {
	name := filepath.Join(t.TempDir(), "film.gif")
	const frames = 3
	result, err := film(t.Context(), name, frames, 1)
	if err != nil {
		t.Fatal(err)
	}
	if c := launch.Counts(result); c.Elements != frames*height/rows || c.Launches < 1 || c.Timed != c.Launches {
		t.Errorf("the metrics are %+v, for %d bands", c, frames*height/rows)
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	g, err := gif.DecodeAll(f)
	if err != nil {
		t.Fatal(err)
	}
	if len(g.Image) != frames || g.Config.Width != width || g.Config.Height != height {
		t.Fatalf("%d frames of %d x %d", len(g.Image), g.Config.Width, g.Config.Height)
	}
	for i, img := range g.Image {
		for _, band := range []image.Rectangle{image.Rect(0, 0, width, rows), image.Rect(0, height-rows, width, height)} {
			if n := colours(img, band); n < 3 {
				t.Errorf("frame %d has %d colours in %v", i, n, band)
			}
		}
		if next := g.Image[(i+1)%frames]; string(img.Pix) == string(next.Pix) {
			t.Errorf("frame %d is as the one after it", i)
		}
	}
}

func colours(img *image.Paletted, within image.Rectangle) int {
	seen := map[uint8]bool{}
	for y := within.Min.Y; y < within.Max.Y; y++ {
		for x := within.Min.X; x < within.Max.X; x++ {
			seen[img.ColorIndexAt(x, y)] = true
		}
	}
	return len(seen)
}
