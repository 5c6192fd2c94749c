// Package qdimage gives kernels the pixels of images of package image.
//
//	err := qd.Launch(invert, qd.Dim(img.Rect.Dy(), img.Rect.Dx()), qdimage.RGBA(img))
//
// The views are of the memory of the image, of a part of one too: nothing is copied on the devices "go" and "cpu".
// Index i, j is the pixel in row i and column j, from the upper left corner of the image's bounds.
package qdimage

import (
	"fmt"
	"image"
	"image/color"
	"unsafe"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/internal/strided"
)

// RGBA is a view of the pixels of an image.
func RGBA(img *image.RGBA) qd.View2[color.RGBA] {
	return pixels[color.RGBA](img.Pix, img.Stride, img.Rect, img.PixOffset(img.Rect.Min.X, img.Rect.Min.Y))
}

// NRGBA is a view of the pixels of an image.
func NRGBA(img *image.NRGBA) qd.View2[color.NRGBA] {
	return pixels[color.NRGBA](img.Pix, img.Stride, img.Rect, img.PixOffset(img.Rect.Min.X, img.Rect.Min.Y))
}

// Gray is a view of the pixels of an image.
func Gray(img *image.Gray) qd.View2[color.Gray] {
	return pixels[color.Gray](img.Pix, img.Stride, img.Rect, img.PixOffset(img.Rect.Min.X, img.Rect.Min.Y))
}

// Alpha is a view of the pixels of an image.
func Alpha(img *image.Alpha) qd.View2[color.Alpha] {
	return pixels[color.Alpha](img.Pix, img.Stride, img.Rect, img.PixOffset(img.Rect.Min.X, img.Rect.Min.Y))
}

// pixels are those of an image whose colors are structs of bytes.
func pixels[P any](pix []uint8, stride int, bounds image.Rectangle, from int) qd.View2[P] {
	size := int(unsafe.Sizeof(*new(P)))
	if stride%size != 0 {
		panic(fmt.Sprintf("qdimage: the rows of the image are %d bytes apart, which is no multiple of a pixel's %d", stride, size))
	}
	if bounds.Empty() {
		return strided.View2[P](nil, bounds.Dy(), bounds.Dx(), stride/size, 1)
	}
	pix = pix[from:]
	return strided.View2(unsafe.Slice((*P)(unsafe.Pointer(unsafe.SliceData(pix))), len(pix)/size), bounds.Dy(), bounds.Dx(), stride/size, 1)
}
