package main

import (
	"math/rand/v2"

	"github.com/qdgen/qd/f32"
)

// A body fills the points of a box where inside is true.
type body struct {
	kind     int32
	low, top f32.Vec3
	velocity f32.Vec3
	inside   func(x f32.Vec3) bool
}

// bodies are what the scene begins with: water behind a dam that is gone, two letters of
// jelly in the air, and a ball of snow that somebody has thrown.
func bodies() []body {
	everywhere := func(f32.Vec3) bool { return true }
	ball := f32.Vec3{1.31, 0.72, 0.28}
	return []body{
		{kind: water, low: f32.Vec3{0.05, 0.05, 0.05}, top: f32.Vec3{0.36, 0.46, 0.51}, inside: everywhere},
		{kind: jelly, low: f32.Vec3{0.44, 0.28, 0.21}, top: f32.Vec3{0.80, 0.64, 0.35}, inside: letterG},
		{kind: jelly, low: f32.Vec3{0.84, 0.28, 0.21}, top: f32.Vec3{1.20, 0.64, 0.35}, inside: letterO},
		{kind: snow, low: ball.SubScalar(0.11), top: ball.AddScalar(0.11), velocity: f32.Vec3{-1.6, 0.6, 0},
			inside: func(x f32.Vec3) bool { return x.Distance(ball) < 0.11 }},
	}
}

// letterO is a ring.
func letterO(x f32.Vec3) bool {
	r := x.XY().Sub(f32.Vec2{1.02, 0.46}).Scale(1 / 0.18).Norm()
	return 0.52 < r && r <= 1
}

// letterG is a ring that is open on the right, with a bar.
func letterG(x f32.Vec3) bool {
	at := x.XY().Sub(f32.Vec2{0.62, 0.46}).Scale(1 / 0.18)
	r := at.Norm()
	ring := 0.52 < r && r <= 1 && !(at.X() > 0.25 && at.Y() > -0.08 && at.Y() < 0.52)
	bar := at.X() > 0.02 && at.X() < 0.97 && at.Y() > -0.30 && at.Y() < 0.12
	return ring || bar
}

// particles fills bodies with eight particles to a cell, one in each part of it, at random
// places that a seed determines.
func particles(w World, seed uint64) []particle {
	r := rand.New(rand.NewPCG(seed, seed))
	var ps []particle
	spacing := w.DX / 2
	for _, b := range bodies() {
		n := b.top.Sub(b.low).Scale(1 / spacing)
		for i := range int(n.X()) {
			for j := range int(n.Y()) {
				for k := range int(n.Z()) {
					jitter := f32.Vec3{r.Float32(), r.Float32(), r.Float32()}.Scale(0.8).AddScalar(0.1)
					x := b.low.Add(f32.Vec3{float32(i), float32(j), float32(k)}.Add(jitter).Scale(spacing))
					shade := r.Float32()
					if b.inside(x) && w.inside(x) == x {
						ps = append(ps, particle{X: x, V: b.velocity, F: f32.Mat3Identity(), Jp: 1, Kind: b.kind, Shade: shade})
					}
				}
			}
		}
	}
	return ps
}
