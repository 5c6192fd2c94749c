package main

import (
	_ "embed"
	"fmt"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
	"github.com/qdgen/qd/internal/dl"
)

//go:embed native/mpm.cpp
var mpmSource []byte

// mpm times steps of the material point method, those of Taichi's mpm99, beside plain C++.
func mpm() ([]result, error) {
	return besideNative("mpm.cpp", mpmSource, mpmCase(1), mpmCase(4))
}

// mpmCase does steps of as many particles as mpm99 has at a quality.
func mpmCase(quality int) func(*qd.Device) (laneCase, error) {
	return func(dev *qd.Device) (laneCase, error) {
		const steps = 10
		n, dt := 128*quality, 1e-4/float32(quality)
		first := snowParticles(9000 * quality * quality)
		ps, grid := make([]snowParticle, len(first)), make([]f32.Vec3, n*n)
		l, err := dev.BindRun(mpm99, steps, n, dt, ps, grid)
		return laneCase{name: fmt.Sprintf("mpm99, %d particles", len(ps)), symbol: "mpm", launch: l,
			args:    []uintptr{steps, uintptr(n), bits32(dt), uintptr(len(ps)), dl.Address(ps), dl.Address(grid)},
			outputs: [][]float32{numbers[float32](ps)}, tolerance: 1e-2, unordered: true, reset: func() { copy(ps, first) }, kinds: plain}, err
	}
}
