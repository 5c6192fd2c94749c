// Package view points the camera of example raymarch.
package view

import (
	"github.com/qdgen/qd/examples/internal/scene"
	"github.com/qdgen/qd/examples/raymarch/world"
	"github.com/qdgen/qd/f32"
)

// Look is the camera that looks from eye to center.
func Look(eye, center f32.Vec3, zoom float32) world.Camera {
	return world.Camera{Eye: eye, Turn: scene.Toward(center.Sub(eye)), Zoom: zoom}
}
