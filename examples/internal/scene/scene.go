// Package scene is what the examples in three dimensions share: cameras, and pictures of vectors.
package scene

import (
	"image"
	"image/color"

	"github.com/qdgen/qd/f32"
)

// Image makes a picture of colours from 0 to 1.
func Image(pixels []f32.Vec3, width, height int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for i, c := range pixels {
		level := c.Saturate().Scale(255).AddScalar(0.5)
		img.SetRGBA(i%width, i/width, color.RGBA{uint8(level.X()), uint8(level.Y()), uint8(level.Z()), 255})
	}
	return img
}

// Toward is the turn of a camera that looks in a direction and is upright: its columns are
// the camera's right, its up, and the direction away from what it sees.
func Toward(direction f32.Vec3) f32.Mat3 {
	back := direction.Neg().Normalize()
	right := f32.Vec3{0, 1, 0}.Cross(back).Normalize()
	return f32.Mat3FromCols(right, back.Cross(right), back)
}
