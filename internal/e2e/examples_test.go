//go:build unix && !race

package e2e

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/qdgen/qd/internal/testenv"
	"github.com/qdgen/qd/internal/testmodule"
)

// examples is a directory with all of them, built.
var examples = sync.OnceValues(func() (string, error) {
	dir := filepath.Join(workDir, "examples")
	return dir, testmodule.Build("e2e-examples", dir, func(path string) error {
		start := time.Now().Add(-time.Minute) // clocks of file systems need not be exact
		err := goCommand(testenv.Root(), nil, "build", withoutDebug, "-o", path+"/", "./examples/...")
		if err != nil {
			return err
		}
		// One that is no example any more was kept in an earlier run. The others are new, or the go command has given them a
		// new time.
		programs, err := os.ReadDir(path)
		for _, p := range programs {
			if info, infoErr := p.Info(); infoErr == nil && info.ModTime().Before(start) {
				err = errors.Join(err, os.Remove(filepath.Join(path, p.Name())))
			}
		}
		return err
	})
})

// Each example runs on devices go and cpu and writes the same picture.
func TestExamples(t *testing.T) {
	t.Parallel()
	goodCompiler(t)
	programs, err := examples()
	must(t, err)
	photo := filepath.Join(t.TempDir(), "photo.png")
	writePhoto(t, photo)

	for _, tt := range []struct {
		name    string
		args    []string
		file    string
		colours int // the picture has at least as many
	}{
		{"mandelbrot", []string{"-width", "160", "-height", "100", "-limit", "500"}, "mandelbrot.png", 500},
		{"heat", []string{"-size", "64", "-frames", "5", "-steps", "10"}, "heat.gif", 20},
		{"fluid", []string{"-size", "48", "-frames", "10", "-sweeps", "4"}, "fluid.gif", 20},
		{"blur", []string{"-radius", "3", photo}, "blur.png", 500},
		{"film", []string{"-n", "17"}, "film.png", 100},
		{"saxpy", []string{"-n", "300"}, "saxpy.png", 20},
		{"raymarch", []string{"-width", "96", "-height", "54", "-samples", "1", "-bounces", "1"}, "raymarch.png", 1000},
		{"mpm", []string{"-size", "24", "-frames", "3", "-height", "40", "-samples", "1"}, "mpm.gif", 100},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var pictures [][]image.Image
			for _, device := range []string{"go", "cpu"} {
				m := newMachine(t)
				m.keeping()
				out := m.run(filepath.Join(programs, tt.name), append([]string{"-device", device}, tt.args...)...).ok().stdout
				if !strings.Contains(out, "running on "+device) || !strings.Contains(out, "wrote "+tt.file) {
					t.Errorf("it prints %q", out)
				}
				pictures = append(pictures, decode(t, filepath.Join(m.dir, tt.file)))
				m.wantNoLeftovers()
			}
			if n := colours(pictures[0]); n < tt.colours {
				t.Errorf("%d colours, want at least %d", n, tt.colours)
			}
			similar(t, pictures[0], pictures[1])
		})
	}
}

// What examples learn by gradient is the same on devices go and cpu, but for the order of additions.
func TestLearningExamples(t *testing.T) {
	t.Parallel()
	goodCompiler(t)
	programs, err := examples()
	must(t, err)
	photo := filepath.Join(t.TempDir(), "photo.png")
	writePhoto(t, photo)
	for _, tt := range []struct {
		name            string
		args            []string
		measure         string  // what becomes smaller
		by              float64 // at most so much of it is left
		frames, colours int     // of the animation
	}{
		{"splat", []string{"-width", "32", "-splats", "40", "-steps", "12", "-every", "4", photo}, "loss", 0.7, 4, 100},
		{"wind", []string{"-size", "16", "-steps", "7", "-turns", "5", "-sweeps", "3", "-snapshots", "2", "-rate", "0.1"}, "error", 0.9, 41, 30},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var results []string
			for _, device := range []string{"go", "cpu"} {
				m := newMachine(t)
				m.keeping()
				out := m.run(filepath.Join(programs, tt.name), append([]string{"-device", device}, tt.args...)...).ok().stdout
				var from, to float64
				_, result, _ := strings.Cut(out, ": the "+tt.measure+" went ")
				if _, err := fmt.Sscanf(result, "from %f to %f", &from, &to); err != nil || to > tt.by*from || to <= 0 {
					t.Errorf("device %s: it prints %q", device, out)
				}
				results = append(results, result)
				if frames := decode(t, filepath.Join(m.dir, tt.name+".gif")); len(frames) != tt.frames || colours(frames) < tt.colours {
					t.Errorf("%d frames, %d colours", len(frames), colours(frames))
				}
				m.wantNoLeftovers()
			}
			if results[0] != results[1] {
				t.Errorf("go: %s\ncpu: %s", results[0], results[1])
			}
		})
	}
}

// The product of matrices is right on both devices, of sizes that no tile divides too.
func TestMatmulExample(t *testing.T) {
	t.Parallel()
	goodCompiler(t)
	programs, err := examples()
	must(t, err)
	for _, device := range []string{"go", "cpu"} {
		for _, n := range []string{"64", "37"} {
			m := newMachine(t)
			m.keeping()
			m.env["QD_DEVICE"], m.env["QD_TUNE"] = device, "off"
			out := m.run(filepath.Join(programs, "matmul"), "-n", n, "-o", "").ok().stdout
			if !strings.Contains(out, n+" x "+n+" with tiles {M:64 N:64 K:64 Group:4}") || !regexp.MustCompile(`largest error of 100 elements is \d\.\de-0[678]`).MatchString(out) {
				t.Errorf("%s: it prints %q", device, out)
			}
		}
	}
}

// Attention is right on both devices, of lengths that no tile divides too, and its roofs are drawn.
func TestAttentionExample(t *testing.T) {
	t.Parallel()
	goodCompiler(t)
	programs, err := examples()
	must(t, err)
	for _, device := range []string{"go", "cpu"} {
		m := newMachine(t)
		m.keeping()
		m.env["QD_DEVICE"], m.env["QD_TUNE"] = device, "off"
		args := []string{"-heads", "2", "-n", "75"}
		if device == "go" { // whose roofs are long to measure
			args = append(args, "-o", "")
		}
		out := m.run(filepath.Join(programs, "attention"), args...).ok().stdout
		for _, what := range []string{"all keys", "causal"} {
			if !strings.Contains(out, "2 heads of 75 x 64, "+what+", with tiles {Queries:64 Keys:64}") {
				t.Errorf("%s: it prints %q", device, out)
			}
		}
		if n := len(regexp.MustCompile(`largest error of 20 rows is \d\.\de-0[678]`).FindAllString(out, -1)); n != 2 {
			t.Errorf("%s: it prints %q", device, out)
		}
		if device == "cpu" {
			if n := colours(decode(t, filepath.Join(m.dir, "attention.png"))); n < 20 {
				t.Errorf("the picture has %d colours", n)
			}
		}
	}
}

// An example refuses what it cannot do in its own words, without a trace.
func TestExampleErrors(t *testing.T) {
	t.Parallel()
	programs, err := examples()
	must(t, err)
	program := filepath.Join(programs, "blur")
	m := newMachine(t)
	for _, args := range [][]string{
		{"-device", "gpu"},
		{"-device", "go", filepath.Join(m.dir, "missing.png")},
		{"-device", "go", program}, // no picture
	} {
		r := m.run(program, args...)
		if r.status != 1 || r.stderr == "" || strings.Contains(r.stderr, "goroutine ") {
			t.Errorf("%q: status %d, %q", args, r.status, r.stderr)
		}
	}
}

// writePhoto writes a picture with gradients and edges.
func writePhoto(t *testing.T, name string) {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, 97, 61))
	for y := range 61 {
		for x := range 97 {
			c := color.RGBA{uint8(2 * x), uint8(4 * y), uint8(x * y), 255}
			if (x/10+y/10)%3 == 0 {
				c.R, c.B = 255-c.R, 0
			}
			img.SetRGBA(x, y, c)
		}
	}
	f, err := os.Create(name)
	must(t, err)
	must(t, png.Encode(f, img))
	must(t, f.Close())
}

// decode reads the pictures of a file: one, or the frames of an animation.
func decode(t *testing.T, name string) []image.Image {
	t.Helper()
	f, err := os.Open(name)
	must(t, err)
	defer f.Close()
	if filepath.Ext(name) == ".gif" {
		movie, err := gif.DecodeAll(f)
		must(t, err)
		var frames []image.Image
		for _, frame := range movie.Image {
			frames = append(frames, frame)
		}
		return frames
	}
	img, _, err := image.Decode(f)
	must(t, err)
	return []image.Image{img}
}

// colours counts the different colours of all frames.
func colours(frames []image.Image) int {
	seen := map[color.RGBA64]bool{}
	for _, img := range frames {
		b := img.Bounds()
		for y := b.Min.Y; y < b.Max.Y; y++ {
			for x := b.Min.X; x < b.Max.X; x++ {
				r, g, bl, a := img.At(x, y).RGBA()
				seen[color.RGBA64{uint16(r), uint16(g), uint16(bl), uint16(a)}] = true
			}
		}
	}
	return len(seen)
}

// similar fails the test unless two pictures are the same. Where Go fixes the
// result of all operations they are, to the bit; the logarithms of device cpu are the
// C library's, and other processors than amd64 may fuse a product with a sum. So
// one level of a colour is allowed for everywhere, and more in one pixel of a hundred.
func similar(t *testing.T, a, b []image.Image) {
	t.Helper()
	if len(a) != len(b) || len(a) == 0 {
		t.Fatalf("%d frames and %d", len(a), len(b))
	}
	for i := range a {
		if a[i].Bounds() != b[i].Bounds() || a[i].Bounds().Empty() {
			t.Fatalf("frame %d: %v and %v", i, a[i].Bounds(), b[i].Bounds())
		}
		bounds, different := a[i].Bounds(), 0
		for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
			for x := bounds.Min.X; x < bounds.Max.X; x++ {
				if distance(a[i].At(x, y), b[i].At(x, y)) > 0x101 {
					different++
				}
			}
		}
		if different > bounds.Dx()*bounds.Dy()/100 {
			t.Errorf("frame %d: %d of %d pixels differ", i, different, bounds.Dx()*bounds.Dy())
		}
	}
}

// distance is the largest difference of two colours' parts.
func distance(a, b color.Color) uint32 {
	r1, g1, b1, a1 := a.RGBA()
	r2, g2, b2, a2 := b.RGBA()
	d := func(x, y uint32) uint32 { return max(x, y) - min(x, y) }
	return max(d(r1, r2), d(g1, g2), d(b1, b2), d(a1, a2))
}
