package qd_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/qdgen/qd"
)

// A body has vectors and matrices between fields that shift them.
type body struct {
	awake   bool
	mass    float64
	at, vel qd.Vec3f
	id      uint8
	frame   qd.Mat3d
	tint    [2]qd.Vec4[int16]
	turn    qd.Quatf
}

//qd:kernel
func stepBodies(t qd.Thread, dt float32, gravity qd.Vec3f, turn qd.Mat3d, bodies []body, grid qd.View2[qd.Vec3f], sums []qd.Vec3d) {
	i := t.ID()
	b := bodies[i]
	if !b.awake {
		return
	}
	b.vel = b.vel.Add(gravity.Scale(dt))
	b.at = b.at.Add(b.vel.Scale(dt))
	b.frame = turn.Mul(b.frame)
	b.tint[1][2] = int16(b.id)
	bodies[i] = b
	grid.Set(i%grid.Dim(0), i/grid.Dim(0), b.turn.Rotate(b.at))
	grid.Ptr(i%grid.Dim(0), i/grid.Dim(0))[2] += 0.5
	sums[i] = b.frame.MulVec(qd.Vec3d{1, 2, 3}).Add(qd.Vec3As[float64](b.at))
	bodies[i].frame[1][2] += b.mass
}

// someBodies are n of them, every third asleep.
func someBodies(n int) []body {
	bodies := make([]body, n)
	for i := range bodies {
		f := float32(i)
		bodies[i] = body{
			awake: i%3 != 0, mass: 1.5 * float64(i), at: qd.Vec3f{f, -f, 2 * f}, vel: qd.Vec3f{0.1, f / 7, -0.3}, id: uint8(i),
			frame: qd.Mat3d{{1, 2, float64(i)}, {0, -1, 0.5}, {3, 0, 1}}, turn: qd.QuatFromAxisAngle(qd.Vec3f{0, 0, 1}, f),
		}
	}
	return bodies
}

// TestLaunchVectors launches a kernel with slices, arrays and views of vectors, and of structs that
// have them, beside scalar arguments of such types, and compares it with the Go function.
func TestLaunchVectors(t *testing.T) {
	const n, rows = 30, 5
	gravity, turn := qd.Vec3f{0, -9.81, 0.01}, qd.Mat3d{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}
	want, wantGrid, wantSums := someBodies(n), make([]qd.Vec3f, n), make([]qd.Vec3d, n)
	onGo, err := qd.Open("go")
	if err != nil {
		t.Fatal(err)
	}
	if err := onGo.Launch(stepBodies, qd.Dim(n), 0.25, gravity, turn, want, qd.ViewOf2(wantGrid, rows, n/rows), wantSums); err != nil {
		t.Fatal(err)
	}
	if want[4].at == someBodies(n)[4].at || want[3] != someBodies(n)[3] {
		t.Fatal("the kernel has not done what the test is about")
	}
	onAll(t, func(t *testing.T, dev *qd.Device) {
		for _, dev := range []*qd.Device{dev, dev.Checked()} {
			bodies, grid, sums := someBodies(n), make([]qd.Vec3f, n), make([]qd.Vec3d, n)
			if err := dev.Launch(stepBodies, qd.Dim(n), 0.25, gravity, turn, bodies, qd.ViewOf2(grid, rows, n/rows), sums); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(bodies, want) || !slices.Equal(grid, wantGrid) || !slices.Equal(sums, wantSums) {
				t.Errorf("slices: %v %v %v, want %v %v %v", bodies, grid, sums, want, wantGrid, wantSums)
			}

			onDevice, places, total := qd.From(dev, someBodies(n)), qd.Zeros[qd.Vec3f](dev, rows, n/rows), qd.Zeros[qd.Vec3d](dev, n)
			step, err := dev.Bind(stepBodies, qd.Dim(n), 0.25, gravity, turn, onDevice, places, total)
			if err != nil {
				t.Fatal(err)
			}
			if err := step.Launch(); err != nil {
				t.Fatal(err)
			}
			if got := onDevice.Slice(); !slices.Equal(got, want) {
				t.Errorf("array of structs: %v, want %v", got, want)
			}
			if got := places.Slice(); !slices.Equal(got, wantGrid) {
				t.Errorf("array of vectors: %v, want %v", got, wantGrid)
			}
			if got := total.Slice(); !slices.Equal(got, wantSums) {
				t.Errorf("array of float64 vectors: %v, want %v", got, wantSums)
			}
			again := make([]body, n)
			if err := onDevice.CopyTo(again); err != nil || !slices.Equal(again, want) {
				t.Errorf("copy to the host: %v, %v", err, again)
			}
			if err := onDevice.CopyFrom(someBodies(n)); err != nil {
				t.Fatal(err)
			}
			if err := step.Launch(); err != nil {
				t.Fatal(err)
			}
			if got := onDevice.Slice(); !slices.Equal(got, want) {
				t.Errorf("after a copy from the host: %v, want %v", got, want)
			}
		}
	})
}

//qd:kernel
func solveEach[T qd.Float](t qd.Thread, m []qd.Mat3x3[T], v qd.View2[qd.Vec3[T]], count []qd.Vec2[int32]) {
	i, j := t.ID2()
	x := m[i].Inverse().MulVec(v.At(i, j))
	v.Set(i, j, x)
	if x.LessEq(qd.Vec3[T]{1, 1, 1}).All() {
		qd.AtomicAdd(&count[i][1], 1)
	}
}

// TestLaunchVectorsGeneric is about type arguments, a view of two dimensions over an array of
// vectors, and an atomic operation on a vector's element.
func TestLaunchVectorsGeneric(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		t.Run("float32", func(t *testing.T) { solveVectors[float32](t, dev, 1e-5) })
		t.Run("float64", func(t *testing.T) { solveVectors[float64](t, dev, 1e-14) })
	})
}

func solveVectors[T qd.Float](t *testing.T, dev *qd.Device, tolerance float64) {
	m := []qd.Mat3x3[T]{{{2, 0, 0}, {0, 4, 0}, {0, 0, 8}}, {{1, 2, 0}, {0, 1, 3}, {1, 0, 1}}}
	x := qd.From(dev, []qd.Vec3[T]{{2, 4, 8}, {4, 4, 8}, {-2, 0, 16}, {3, 4, 2}, {1, 0, 1}, {0, 0, 0}}, 2, 3)
	count := qd.Zeros[qd.Vec2[int32]](dev, 2)
	if err := dev.Launch(solveEach[T], qd.Dim(2, 3), m, x, count); err != nil {
		t.Fatal(err)
	}
	want := []qd.Vec3[T]{{1, 1, 1}, {2, 1, 1}, {-1, 0, 2}, {1, 1, 1}, {1, 0, 0}, {0, 0, 0}}
	for i, got := range x.Slice() {
		for j := range got {
			if math.Abs(float64(got[j]-want[i][j])) > tolerance {
				t.Errorf("vector %d is %v, want %v", i, got, want[i])
			}
		}
	}
	if got := count.Slice(); got[0] != (qd.Vec2i{0, 1}) || got[1][1] < 1 || got[1][1] > 3 {
		t.Errorf("counts %v", got)
	}
}

// A crystal has nothing but numbers of one type.
type crystal[T qd.Float] struct {
	lattice qd.Mat3x3[T]
	volume  T
	turn    qd.Quat[T]
}

//qd:kernel
func invertAll[T qd.Float](t qd.Thread, limit T, m, n []qd.Mat4x4[T], v []qd.Vec3[T], dets []T) {
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
func growAll[T qd.Float](t qd.Thread, by T, crystals []crystal[T]) {
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
	t.Run("float32", testTiles[float32])
	t.Run("float64", testTiles[float64])
}

func testTiles[T qd.Float](t *testing.T) {
	const most = 35
	type state struct {
		m, n     []qd.Mat4x4[T]
		v        []qd.Vec3[T]
		dets     []T
		crystals []crystal[T]
	}
	start := func() state {
		s := state{make([]qd.Mat4x4[T], most), make([]qd.Mat4x4[T], most), make([]qd.Vec3[T], most), make([]T, most), make([]crystal[T], most)}
		for i := range most {
			f := T(i + 1)
			s.m[i] = qd.Mat4x4[T]{{f, 1, 0, 2}, {0.3, 7, f, -1}, {f, f, -3, 0.1}, {1, 2, f / 3, f}}
			s.n[i] = s.m[i].Transpose().Scale(1 / f)
			s.v[i] = qd.Vec3[T]{f, -f, f * f}
			s.crystals[i] = crystal[T]{qd.Mat3x3[T]{{f, 1, 0}, {0.5, -2, f}, {1, 0.1, 3}}, f, qd.Quat[T]{1, f, -2, 0.5}}
		}
		s.m[7] = qd.Mat4x4[T]{} // singular
		s.m[8][2][1] = T(math.NaN())
		return s
	}
	run := func(t *testing.T, dev *qd.Device, threads int) state {
		s := start()
		if err := dev.Launch(invertAll[T], qd.Dim(threads), T(1), s.m, s.n, s.v, s.dets); err != nil {
			t.Fatal(err)
		}
		if err := dev.Launch(growAll[T], qd.Dim(threads), T(0.5), s.crystals); err != nil {
			t.Fatal(err)
		}
		return s
	}
	onGo, err := qd.Open("go")
	if err != nil {
		t.Fatal(err)
	}
	onAll(t, func(t *testing.T, dev *qd.Device) {
		for _, dev := range []*qd.Device{dev, dev.Checked()} {
			for threads := 1; threads <= most; threads++ {
				if got, want := fmt.Sprint(run(t, dev, threads)), fmt.Sprint(run(t, onGo, threads)); got != want {
					t.Fatalf("%d threads: %v, want %v", threads, got, want)
				}
			}
		}
	})
}
