package main

import (
	_ "embed"
	"fmt"
	"math"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
	"github.com/qdgen/qd/internal/dl"
)

//go:embed native/structs.cpp
var structsSource []byte

// structs times kernels on arrays of structs beside plain loops in C++ over the same.
func structs() ([]result, error) {
	var cases []func(*qd.Device) (laneCase, error)
	for _, log := range []int{14, 20} { // in a core's own cache, and in memory
		cases = append(cases, particlesCase("particles as AoS", "move", log, moveParticles), particlesCase("particles as AoS, speed only", "push", log, pushParticles), spinCase(log))
	}
	return besideNative("structs.cpp", structsSource, cases...)
}

// particlesCase runs a kernel on 2^log particles.
func particlesCase(name, symbol string, log int, kernel func(qd.Thread, float32, []particle)) func(*qd.Device) (laneCase, error) {
	return func(dev *qd.Device) (laneCase, error) {
		const dt = 1e-6 // so small that many steps leave the particles where they are
		ps := make([]particle, 1<<log)
		reset := func() {
			for i := range ps {
				for k := range 3 {
					ps[i].At[k] = float32((i*7919+k*104729)%8191) / 8191
					ps[i].Speed[k] = float32((i*1299709+k*15485863)%8191)/4096 - 1
				}
				ps[i].Mass, ps[i].Age = 0.5+float32(i%7), 0
			}
		}
		l, err := dev.Bind(kernel, qd.Dim(len(ps)), dt, ps)
		return laneCase{name: fmt.Sprintf("%s, 2^%d", name, log), symbol: symbol, launch: l, args: []uintptr{uintptr(len(ps)), bits32(dt), dl.Address(ps)},
			outputs: [][]float32{numbers[float32](ps)}, tolerance: 1e-5, reset: reset, kinds: plain}, err
	}
}

// plain is C++ without vectors of its own.
var plain = []kind{{"", "", 1.1}}

// spinCase turns 2^log vectors.
func spinCase(log int) func(*qd.Device) (laneCase, error) {
	return func(dev *qd.Device) (laneCase, error) {
		n := 1 << log
		axis := f32.Vec3{0.6, 0.8 * math.Sqrt2 / 2, -0.8 * math.Sqrt2 / 2}
		from, to := make([]f32.Vec3, n), make([]f32.Vec3, n)
		for i := range from {
			for k := range 3 {
				from[i][k] = float32((i*7919+k*104729)%8191) / 8191
			}
		}
		l, err := dev.Bind(spinVectors, qd.Dim(n), axis, from, to)
		return laneCase{name: fmt.Sprintf("arrays of Vec3, 2^%d", log), symbol: "spin", launch: l,
			args:    []uintptr{uintptr(n), bits32(axis[0]), bits32(axis[1]), bits32(axis[2]), dl.Address(from), dl.Address(to)},
			outputs: [][]float32{numbers[float32](to)}, tolerance: 1e-5, kinds: plain}, err
	}
}
