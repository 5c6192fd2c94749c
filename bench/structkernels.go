package main

import (
	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
)

// Kernels on arrays of structs, whose numbers of one name lie far apart in memory: see structs.go. Beside them is
// native/structs.cpp.

// A particle is what a program keeps of each particle where it keeps all in one place.
type particle struct {
	At, Speed f32.Vec3
	Mass, Age float32
}

// moveParticles lets particles fall and be slowed by the air, and bounce off the floor.
//
//qd:kernel
func moveParticles(t qd.Thread, dt float32, ps []particle) {
	i := t.ID()
	p := ps[i]
	drag := 0.1 * p.Speed.Norm() / p.Mass
	p.Speed = p.Speed.Add(f32.Vec3{0, -9.81, 0}.Sub(p.Speed.Scale(drag)).Scale(dt))
	p.At = p.At.Add(p.Speed.Scale(dt))
	if p.At[1] < 0 {
		p.At[1], p.Speed[1] = -p.At[1], -0.5*p.Speed[1]
	}
	p.Age += dt
	ps[i] = p
}

// pushParticles changes the speed of particles, and leaves the rest of them as it is.
//
//qd:kernel
func pushParticles(t qd.Thread, dt float32, ps []particle) {
	p := &ps[t.ID()]
	r := p.At.NormSq() + 1e-3
	p.Speed = p.Speed.Sub(p.At.Scale(dt * p.Mass / (r * qd.Sqrt(r))))
}

// spinVectors turns vectors about an axis.
//
//qd:kernel
func spinVectors(t qd.Thread, axis f32.Vec3, from, to []f32.Vec3) {
	i := t.ID()
	v := from[i]
	to[i] = v.Add(axis.Cross(v).Scale(2)).Add(axis.Cross(axis.Cross(v)).Scale(2))
}
