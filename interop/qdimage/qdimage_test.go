package qdimage_test

import (
	"fmt"
	"image"
	"image/color"
	"log"
	"os"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/internal/testenv"
	"github.com/qdgen/qd/interop/qdimage"
)

func TestMain(m *testing.M) {
	testenv.Setup()
	os.Exit(m.Run())
}

//qd:kernel
func luminance(t qd.Thread, from qd.View2[color.RGBA], to qd.View2[color.Gray]) {
	i, j := t.ID2()
	c := from.At(i, j)
	to.Set(i, j, color.Gray{uint8((299*uint32(c.R) + 587*uint32(c.G) + 114*uint32(c.B)) / 1000)})
}

func Example() {
	img := image.NewRGBA(image.Rect(0, 0, 3, 2))
	img.SetRGBA(1, 1, color.RGBA{255, 0, 0, 255})
	img.SetRGBA(2, 1, color.RGBA{0, 255, 0, 255})
	gray := image.NewGray(img.Rect)
	if err := qd.Launch(luminance, qd.Dim(2, 3), qdimage.RGBA(img), qdimage.Gray(gray)); err != nil {
		log.Fatal(err)
	}
	fmt.Println(gray.Pix)
	// Output: [0 0 0 0 76 149]
}

//qd:kernel
func fillNRGBA(t qd.Thread, to qd.View2[color.NRGBA], alpha qd.View2[color.Alpha]) {
	i, j := t.ID2()
	to.Set(i, j, color.NRGBA{uint8(i), uint8(j), 9, alpha.At(i, j).A})
}

// Parts of images share their memory, the last rows too; nothing beside them is written.
func TestSubImages(t *testing.T) {
	for _, name := range []string{"go", "cpu"} {
		dev, err := qd.Open(name)
		if err != nil {
			t.Log(err)
			continue
		}
		whole, alpha := image.NewNRGBA(image.Rect(-2, 5, 6, 12)), image.NewAlpha(image.Rect(0, 0, 4, 3))
		for i := range alpha.Pix {
			alpha.Pix[i] = uint8(i + 1)
		}
		part := whole.SubImage(image.Rect(2, 9, 6, 12)).(*image.NRGBA) // the lower right corner
		if err := dev.Launch(fillNRGBA, qd.Dim(3, 4), qdimage.NRGBA(part), qdimage.Alpha(alpha)); err != nil {
			t.Fatal(err)
		}
		for y := 5; y < 12; y++ {
			for x := -2; x < 6; x++ {
				var want color.NRGBA
				if x >= 2 && y >= 9 {
					want = color.NRGBA{uint8(y - 9), uint8(x - 2), 9, uint8((y-9)*4 + x - 2 + 1)}
				}
				if got := whole.NRGBAAt(x, y); got != want {
					t.Errorf("%s: pixel %d, %d is %v, not %v", name, x, y, got, want)
				}
			}
		}
		if v := qdimage.RGBA(&image.RGBA{}); v.Dim(0) != 0 {
			t.Error("an empty image")
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a stride of 6 bytes")
		}
	}()
	qdimage.RGBA(&image.RGBA{Pix: make([]uint8, 12), Stride: 6, Rect: image.Rect(0, 0, 1, 2)})
}
