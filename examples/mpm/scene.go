package main

import (
	"math/rand/v2"

	"github.com/qdgen/qd"
)

// A body fills the points of a box where inside is true.
type body struct {
	kind     int32
	low, top qd.Vec3f
	velocity qd.Vec3f
	inside   func(x qd.Vec3f) bool
}

// bodies are what the scene begins with: water behind a dam that is gone, two letters of
// jelly in the air, and a ball of snow that somebody has thrown.
func bodies() []body {
	everywhere := func(qd.Vec3f) bool { return true }
	ball := qd.Vec3f{1.31, 0.72, 0.28}
	return []body{
		{kind: water, low: qd.Vec3f{0.05, 0.05, 0.05}, top: qd.Vec3f{0.36, 0.46, 0.51}, inside: everywhere},
		{kind: jelly, low: qd.Vec3f{0.44, 0.28, 0.21}, top: qd.Vec3f{0.80, 0.64, 0.35}, inside: letterG},
		{kind: jelly, low: qd.Vec3f{0.84, 0.28, 0.21}, top: qd.Vec3f{1.20, 0.64, 0.35}, inside: letterO},
		{kind: snow, low: ball.SubScalar(0.11), top: ball.AddScalar(0.11), velocity: qd.Vec3f{-1.6, 0.6, 0},
			inside: func(x qd.Vec3f) bool { return x.Distance(ball) < 0.11 }},
	}
}

// letterO is a ring.
func letterO(x qd.Vec3f) bool {
	r := x.XY().Sub(qd.Vec2f{1.02, 0.46}).Scale(1 / 0.18).Norm()
	return 0.52 < r && r <= 1
}

// letterG is a ring that is open on the right, with a bar.
func letterG(x qd.Vec3f) bool {
	at := x.XY().Sub(qd.Vec2f{0.62, 0.46}).Scale(1 / 0.18)
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
					jitter := qd.Vec3f{r.Float32(), r.Float32(), r.Float32()}.Scale(0.8).AddScalar(0.1)
					x := b.low.Add(qd.Vec3f{float32(i), float32(j), float32(k)}.Add(jitter).Scale(spacing))
					shade := r.Float32()
					if b.inside(x) && w.inside(x) == x {
						ps = append(ps, particle{X: x, V: b.velocity, F: qd.Mat3x3Identity[float32](), Jp: 1, Kind: b.kind, Shade: shade})
					}
				}
			}
		}
	}
	return ps
}
