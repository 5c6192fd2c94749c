//go:build !race

package qd_test

import (
	"math"
	"slices"
	"testing"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
	"github.com/qdgen/qd/f64"
	"github.com/qdgen/qd/i32"
)

// A body has vectors and matrices between fields that shift them.
type body struct {
	awake   bool
	mass    float64
	at, vel f32.Vec3
	id      uint8
	frame   f64.Mat3
	tint    [2]i32.Vec4
	turn    f32.Quat
}

//qd:kernel
func stepBodies(t qd.Thread, dt float32, gravity f32.Vec3, turn f64.Mat3, bodies []body, grid qd.View2[f32.Vec3], sums []f64.Vec3) {
	i := t.ID()
	b := bodies[i]
	if !b.awake {
		return
	}
	b.vel = b.vel.Add(gravity.Scale(dt))
	b.at = b.at.Add(b.vel.Scale(dt))
	b.frame = turn.Mul(b.frame)
	b.tint[1][2] = int32(b.id)
	bodies[i] = b
	grid.Set(i%grid.Dim(0), i/grid.Dim(0), b.turn.Rotate(b.at))
	grid.Ptr(i%grid.Dim(0), i/grid.Dim(0))[2] += 0.5
	sums[i] = b.frame.MulVec(f64.Vec3{1, 2, 3}).Add(f64.Vec3From(b.at))
	bodies[i].frame[1][2] += b.mass
}

// someBodies are n of them, every third asleep.
func someBodies(n int) []body {
	bodies := make([]body, n)
	for i := range bodies {
		f := float32(i)
		bodies[i] = body{
			awake: i%3 != 0, mass: 1.5 * float64(i), at: f32.Vec3{f, -f, 2 * f}, vel: f32.Vec3{0.1, f / 7, -0.3}, id: uint8(i),
			frame: f64.Mat3{{1, 2, float64(i)}, {0, -1, 0.5}, {3, 0, 1}}, turn: f32.QuatFromAxisAngle(f32.Vec3{0, 0, 1}, f),
		}
	}
	return bodies
}

// TestLaunchVectors launches a kernel with slices, arrays and views of vectors, and of structs that
// have them, beside scalar arguments of such types, and compares it with the Go function.
func TestLaunchVectors(t *testing.T) {
	const n, rows = 30, 5
	gravity, turn := f32.Vec3{0, -9.81, 0.01}, f64.Mat3{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}
	want, wantGrid, wantSums := someBodies(n), make([]f32.Vec3, n), make([]f64.Vec3, n)
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
			bodies, grid, sums := someBodies(n), make([]f32.Vec3, n), make([]f64.Vec3, n)
			if err := dev.Launch(stepBodies, qd.Dim(n), 0.25, gravity, turn, bodies, qd.ViewOf2(grid, rows, n/rows), sums); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(bodies, want) || !slices.Equal(grid, wantGrid) || !slices.Equal(sums, wantSums) {
				t.Errorf("slices: %v %v %v, want %v %v %v", bodies, grid, sums, want, wantGrid, wantSums)
			}

			onDevice, places, total := qd.From(dev, someBodies(n)), qd.Zeros[f32.Vec3](dev, rows, n/rows), qd.Zeros[f64.Vec3](dev, n)
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
func solveEach[M qd.SquareMatrix[M, V, T], V qd.Vector[V, T], T qd.Float](t qd.Thread, m []M, v qd.View2[V], count []i32.Vec2) {
	i, j := t.ID2()
	x := m[i].Inverse().MulVec(v.At(i, j))
	v.Set(i, j, x)
	if x.MaxElem() <= 1 {
		qd.AtomicAdd(&count[i][1], 1)
	}
}

// TestLaunchVectorsGeneric is about type arguments, a view of two dimensions over an array of
// vectors, and an atomic operation on a vector's element.
func TestLaunchVectorsGeneric(t *testing.T) {
	onAll(t, func(t *testing.T, dev *qd.Device) {
		t.Run("float32", func(t *testing.T) { solveVectors[f32.Mat3, f32.Vec3, float32](t, dev, 1e-5) })
		t.Run("float64", func(t *testing.T) { solveVectors[f64.Mat3, f64.Vec3, float64](t, dev, 1e-14) })
	})
}

func solveVectors[M interface {
	qd.SquareMatrix[M, V, T]
	~[3]V
}, V interface {
	qd.Vector[V, T]
	~[3]T
}, T qd.Float](t *testing.T, dev *qd.Device, tolerance float64) {
	m := []M{{{2, 0, 0}, {0, 4, 0}, {0, 0, 8}}, {{1, 2, 0}, {0, 1, 3}, {1, 0, 1}}}
	x := qd.From(dev, []V{{2, 4, 8}, {4, 4, 8}, {-2, 0, 16}, {3, 4, 2}, {1, 0, 1}, {0, 0, 0}}, 2, 3)
	count := qd.Zeros[i32.Vec2](dev, 2)
	if err := dev.Launch(solveEach[M, V, T], qd.Dim(2, 3), m, x, count); err != nil {
		t.Fatal(err)
	}
	want := []V{{1, 1, 1}, {2, 1, 1}, {-1, 0, 2}, {1, 1, 1}, {1, 0, 0}, {0, 0, 0}}
	for i, got := range x.Slice() {
		for j := range got {
			if math.Abs(float64(got[j]-want[i][j])) > tolerance {
				t.Errorf("vector %d is %v, want %v", i, got, want[i])
			}
		}
	}
	if got := count.Slice(); got[0] != (i32.Vec2{0, 1}) || got[1][1] < 1 || got[1][1] > 3 {
		t.Errorf("counts %v", got)
	}
}
