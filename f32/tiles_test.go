package f32_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
)

// A crystal has nothing but numbers of one type.
type crystal struct {
	lattice f32.Mat3
	volume  float32
	turn    f32.Quat
}

//qd:kernel
func invertAll(t qd.Thread, limit float32, m, n []f32.Mat4, v []f32.Vec3, dets []float32) {
	i := t.ID()
	d := m[i].Det()
	if d < limit {
		d = limit
	}
	u := v[i].Add(n[i][1].XYZ())
	m[i] = m[i].Inverse().Mul(n[i])
	v[i] = u
	dets[i] = d
}

//qd:kernel
func growAll(t qd.Thread, by float32, crystals []crystal) {
	i := t.ID()
	c := crystals[i]
	c.turn = c.turn.Mul(c.turn).Normalize()
	c.lattice = c.lattice.Inverse().Mul(c.turn.Mat3()).Scale(by)
	c.volume = c.lattice.Det()
	crystals[i] = c
}

// TestLaunchTiles launches kernels that the cpu device runs in tiles (emit/tile.go), with any number of
// threads and of longer slices, and compares them with the Go functions.
func TestLaunchTiles(t *testing.T) {
	const most = 35
	type state struct {
		m, n     []f32.Mat4
		v        []f32.Vec3
		dets     []float32
		crystals []crystal
	}
	start := func() state {
		s := state{make([]f32.Mat4, most), make([]f32.Mat4, most), make([]f32.Vec3, most), make([]float32, most), make([]crystal, most)}
		for i := range most {
			f := float32(i + 1)
			s.m[i] = f32.Mat4{{f, 1, 0, 2}, {0.3, 7, f, -1}, {f, f, -3, 0.1}, {1, 2, f / 3, f}}
			s.n[i] = s.m[i].Transpose().Scale(1 / f)
			s.v[i] = f32.Vec3{f, -f, f * f}
			s.crystals[i] = crystal{f32.Mat3{{f, 1, 0}, {0.5, -2, f}, {1, 0.1, 3}}, f, f32.Quat{1, f, -2, 0.5}}
		}
		s.m[7] = f32.Mat4{} // singular
		s.m[8][2][1] = float32(math.NaN())
		return s
	}
	run := func(t *testing.T, dev *qd.Device, threads int) state {
		s := start()
		if err := dev.Launch(invertAll, qd.Dim(threads), float32(1), s.m, s.n, s.v, s.dets); err != nil {
			t.Fatal(err)
		}
		if err := dev.Launch(growAll, qd.Dim(threads), float32(0.5), s.crystals); err != nil {
			t.Fatal(err)
		}
		return s
	}
	onGo, err := qd.Open("go")
	if err != nil {
		t.Fatal(err)
	}
	for _, dev := range devices(t) {
		for _, dev := range []*qd.Device{dev, dev.Checked()} {
			for threads := 1; threads <= most; threads++ {
				if got, want := fmt.Sprint(run(t, dev, threads)), fmt.Sprint(run(t, onGo, threads)); got != want {
					t.Fatalf("%d threads on %v: %v, want %v", threads, dev, got, want)
				}
			}
		}
	}
}
