package main

import (
	"image"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/examples/internal/picture"
	"github.com/qdgen/qd/examples/internal/scene"
	"github.com/qdgen/qd/f32"
)

// A camera takes pictures of particles: a view, and the arrays that drawing needs.
type camera struct {
	view                View
	near                *qd.Array[uint64]
	depth, other, thick *qd.Array[float32]
	shadow              *qd.Array[uint32]
	glass               *qd.Array[f32.Vec2]
	back, large, out    *qd.Array[f32.Vec3]
	samples             int
}

// newCamera is a camera for pictures of some height, whose pixels are the mean of
// samples*samples.
func newCamera(dev *qd.Device, w World, height, samples int) *camera {
	eye, center := f32.Vec3{1.15, 1.05, 3.1}, f32.Vec3{0.75, 0.42, 0.28}
	sun := f32.Vec3{-0.45, 0.80, 0.40}.Normalize()
	width := height * 8 / 5
	v := View{
		Eye: eye, Turn: scene.Toward(center.Sub(eye)), Zoom: 4.2,
		Width: width * samples, Height: height * samples,
		Radius: 0.62 * w.DX,
		Sun:    sun, Light: scene.Toward(sun.Neg()), Center: center, Reach: 1.1, ShadowSize: 512,
		Floor: 2.5 * w.DX, Background: f32.Vec3{0.55, 0.68, 0.85},
	}
	pixels := v.Width * v.Height
	c := &camera{
		view: v, samples: samples,
		near:   qd.Zeros[uint64](dev, 2*pixels),
		depth:  qd.Zeros[float32](dev, 2*pixels),
		other:  qd.Zeros[float32](dev, 2*pixels),
		thick:  qd.Zeros[float32](dev, pixels),
		shadow: qd.Zeros[uint32](dev, 2*v.ShadowSize*v.ShadowSize),
		glass:  qd.Zeros[f32.Vec2](dev, pixels),
		back:   qd.Zeros[f32.Vec3](dev, pixels),
		large:  qd.Zeros[f32.Vec3](dev, pixels),
		out:    qd.Zeros[f32.Vec3](dev, height, width),
	}
	picture.Check(c.near.Err(), c.depth.Err(), c.other.Err(), c.thick.Err(), c.shadow.Err(), c.glass.Err(), c.back.Err(), c.large.Err(), c.out.Err())
	low, top := f32.Vec3Splat(v.Floor), box.SubScalar(v.Floor)
	picture.Check(launchEdges(qd.Dim(v.Height, v.Width), v, low, top, c.glass))
	return c
}

// take takes a picture.
func (c *camera) take(ps *qd.Array[particle]) *image.RGBA {
	height, width := c.out.Shape()[0], c.out.Shape()[1]
	picture.Check(
		runDraw(c.view, ps, c.near, c.depth, c.other, c.thick, c.shadow, c.glass, c.back, c.large),
		launchShrink(qd.Dim(height, width), c.samples, c.large, c.out),
	)
	return scene.Image(c.out.Slice(), width, height)
}
