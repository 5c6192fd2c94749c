package animation

import (
	"image"
	"image/color"
	"testing"
)

// painted is a picture whose pixels a function gives.
func painted(width, height int, at func(x, y int) color.RGBA) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			img.SetRGBA(x, y, at(x, y))
		}
	}
	return img
}

// far is the largest difference of two colours' parts, of 255.
func far(a, b color.Color) int {
	r1, g1, b1, _ := a.RGBA()
	r2, g2, b2, _ := b.RGBA()
	d := func(x, y uint32) int { return int(max(x, y)-min(x, y)) >> 8 }
	return max(d(r1, r2), d(g1, g2), d(b1, b2))
}

func TestNewPalette(t *testing.T) {
	ramp := func(x, y int) color.RGBA { return color.RGBA{uint8(x), uint8(2 * y), 90, 255} }
	for _, tt := range []struct {
		name  string
		at    func(x, y int) color.RGBA
		n     int
		want  int // colours of the palette
		error int // of any pixel, at most
	}{
		{"one", func(x, y int) color.RGBA { return color.RGBA{10, 20, 30, 255} }, 255, 1, 2},
		{"two", func(x, y int) color.RGBA { return color.RGBA{uint8(x / 128 * 200), 0, 0, 255} }, 255, 2, 2},
		{"too many", ramp, 255, 255, 16},
		{"far too many", ramp, 16, 16, 48},
	} {
		t.Run(tt.name, func(t *testing.T) {
			img := painted(256, 128, tt.at)
			p := NewPalette([]*image.RGBA{img}, tt.n)
			if len(p) != tt.want {
				t.Errorf("%d colours, want %d", len(p), tt.want)
			}
			worst := 0
			for y := range 128 {
				for x := range 256 {
					worst = max(worst, far(p.Convert(img.At(x, y)), img.At(x, y)))
				}
			}
			if worst > tt.error {
				t.Errorf("a pixel is %d off, want at most %d", worst, tt.error)
			}
		})
	}
}

// A frame has what is new in it, and the rest shows through from the one before.
func TestOf(t *testing.T) {
	ground := func(x, y int) color.RGBA { return color.RGBA{uint8(3 * x), uint8(5 * y), 100, 255} }
	at := func(frame int) func(x, y int) color.RGBA {
		return func(x, y int) color.RGBA {
			if x/8 == frame && y < 8 {
				return color.RGBA{250, 250, 240, 255}
			}
			return ground(x, y)
		}
	}
	frames := []*image.RGBA{painted(40, 30, at(0)), painted(40, 30, at(1)), painted(40, 30, at(1))}
	movie := Of(frames, 4)
	if len(movie.Image) != 3 || len(movie.Delay) != 3 || movie.Delay[0] != 4 {
		t.Fatalf("%d frames with the delays %v", len(movie.Image), movie.Delay)
	}
	shown := image.NewRGBA(frames[0].Bounds())
	for i, want := range []int{40 * 30, 2 * 8 * 8, 0} {
		changed := 0
		for y := range 30 {
			for x := range 40 {
				c := movie.Image[i].At(x, y)
				if _, _, _, a := c.RGBA(); a != 0 {
					shown.Set(x, y, c)
					changed++
				}
				if d := far(shown.At(x, y), frames[i].At(x, y)); d > 14 {
					t.Fatalf("frame %d: pixel (%d, %d) is %d off", i, x, y, d)
				}
			}
		}
		if changed != want {
			t.Errorf("frame %d: %d pixels change, want %d", i, changed, want)
		}
	}
}
