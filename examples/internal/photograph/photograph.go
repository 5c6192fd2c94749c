// Package photograph reads photographs for the examples. It has every decoder, which an example that only writes pictures does
// not need.
package photograph

import (
	"fmt"
	"image"
	_ "image/gif"
	_ "image/jpeg"
	_ "image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/qdgen/qd/examples/internal/picture"
)

// Open decodes an image file, or a photograph of the Go distribution if name is "".
func Open(name string) image.Image {
	if name == "" {
		var err error
		if name, err = shipped(); err != nil {
			picture.Check(fmt.Errorf("no photograph was given, and Go's own is not there (%w); name one, a PNG, JPEG or GIF", err))
		}
		fmt.Println("no photograph was given; taking", name)
	}
	f, err := os.Open(name)
	picture.Check(err)
	defer f.Close()
	img, _, err := image.Decode(f)
	if err != nil {
		picture.Check(fmt.Errorf("%s is not a PNG, JPEG or GIF that can be read: %w", name, err))
	}
	if img.Bounds().Empty() {
		picture.Check(fmt.Errorf("%s is a picture without pixels", name))
	}
	return img
}

// shipped finds a photograph that ships with the Go distribution.
func shipped() (string, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", err
	}
	name := filepath.Join(strings.TrimSpace(string(root)), "src", "image", "testdata", "video-001.png")
	_, err = os.Stat(name)
	return name, err
}
