package quadrants

import (
	"fmt"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
)

//qd:kernel
func create(t qd.Thread, out []float32) {
	v := f32.Vec3{1, 2, 3}
	m := f32.Mat2{{1, 0}, {0, 1}}
	out[0] = v[0]
	out[1] = m[0][1]
}

// Create makes a vector and a matrix in a kernel: arrays underneath, which are values.
func Create() {
	out := make([]float32, 2)
	check(qd.Launch(create, qd.Dim(1), out))
	fmt.Println(out)
	// Output:
	// [1 0]
}

//qd:kernel
func initialize(g qd.Grid, pos []f32.Vec3, rot []f32.Mat3) {
	g.For(100, func(i int) {
		pos[i] = f32.Vec3{0, 0, 0}
		rot[i] = f32.Mat3Identity()
	})
}

// Fields stores many vectors and matrices on a device.
func Fields() {
	positions := qd.Zeros[f32.Vec3](device(), 100)
	rotations := qd.Zeros[f32.Mat3](device(), 100)
	check(qd.Run(initialize, positions, rotations))
	fmt.Println(positions.Slice()[99], rotations.Slice()[99])
	// Output:
	// [0 0 0] [[1 0 0] [0 1 0] [0 0 1]]
}

// Arrays makes arrays of vectors, and of matrices of another size.
func Arrays() {
	vel := qd.Zeros[f32.Vec3](device(), 50)
	transforms := qd.Zeros[f32.Mat4](device(), 50)
	check(vel.Err())
	check(transforms.Err())
	fmt.Println(len(vel.Slice()), len(transforms.Slice()[0]))
	// Output:
	// 50 4
}

//qd:kernel
func transform(g qd.Grid, positions []f32.Vec3, matrices []f32.Mat3, out []f32.Vec3) {
	g.For(100, func(i int) {
		out[i] = matrices[i].MulVec(positions[i])
	})
}

// Transform has types in its signature, as all Go has.
func Transform() {
	positions, matrices, out := make([]f32.Vec3, 100), make([]f32.Mat3, 100), make([]f32.Vec3, 100)
	for i := range positions {
		positions[i] = f32.Vec3{float32(i), 1, 2}
		matrices[i] = f32.Mat3Diag(f32.Vec3{2, 2, 2})
	}
	check(qd.Run(transform, positions, matrices, out))
	fmt.Println(out[0], out[99])
	// Output:
	// [0 2 4] [198 2 4]
}

//qd:kernel
func trace(g qd.Grid, m qd.View2[float32], out []float32) {
	g.For(m.Dim(0), func(i int) {
		qd.AtomicAdd(&out[0], m.At(i, i))
	})
}

// LargeMatrix is in memory, not in registers: an array of two dimensions.
func LargeMatrix() {
	host := make([]float32, 64*64)
	for i := range 64 {
		host[i*64+i] = 1
	}
	out := make([]float32, 1)
	check(device().Run(trace, qd.From(device(), host, 64, 64), out))
	fmt.Println(out)
	// Output:
	// [64]
}

// A tile has a row of each thread's own, which is stored as 32 numbers.
type tile struct {
	r [32]float32 `qd:"unpacked"`
}

//qd:kernel
func sumOfRow(t qd.Thread, out []float32) {
	var row tile
	for i := range qd.Static(32) {
		row.r[i] = float32(i + t.ID())
	}
	sum := float32(0)
	for i := range qd.Static(32) {
		sum += row.r[i]
	}
	out[t.ID()] = sum
}

// Tile indexes a row with constants only, as it must.
func Tile() {
	out := make([]float32, 2)
	check(qd.Launch(sumOfRow, qd.Dim(2), out))
	fmt.Println(out)
	// Output:
	// [496 528]
}

// A scalarTile is what would be written by hand without arrays.
type scalarTile struct{ r0, r1, r2 float32 }

// at has one of the returns: i is a constant, and each value of it makes another at.
func (s scalarTile) at(i qd.Const[int]) float32 {
	switch i.V {
	case 0:
		return s.r0
	case 1:
		return s.r1
	}
	return s.r2
}

//qd:kernel
func readScalars(t qd.Thread, out []float32) {
	s := scalarTile{1, 2, 3}
	for i := range qd.Static(3) {
		out[i] = s.at(qd.C(i))
	}
}

// GetByIndex reads fields by an index that is known.
func GetByIndex() {
	out := make([]float32, 3)
	check(qd.Launch(readScalars, qd.Dim(1), out))
	fmt.Println(out)
	// Output:
	// [1 2 3]
}

func indexAtRunTime(t qd.Thread, k int, out []float32) {
	var row tile
	row.r[k] = 1
	out[0] = row.r[0]
}

func sumOf(r [32]float32) (sum float32) {
	for _, x := range r {
		sum += x
	}
	return sum
}

func passRow(t qd.Thread, out []float32) {
	var row tile
	out[0] = sumOf(row.r)
}

// A collision has a field with the name of a number of the row.
type collision struct {
	r  [4]float32 `qd:"unpacked"`
	r2 float32
}

func collide(t qd.Thread, out []float32) {
	c := collision{r2: 1}
	out[0] = c.r[2] + c.r2
}

// NoValue shows what an unpacked row is not, and what the errors say.
func NoValue() {
	out := make([]float32, 1)
	refused(qd.Launch(indexAtRunTime, qd.Dim(1), 0, out))
	refused(qd.Launch(passRow, qd.Dim(1), out))
	refused(qd.Launch(collide, qd.Dim(1), out))
	// Output:
	// the index of unpacked field r is not known at compile time: k is a runtime parameter
	// help: loop over the elements with for i := range qd.Static(n), choose with a switch, or leave the tag of field r out: an array can be indexed like that
	// cannot pass unpacked field r to sumOf
	// help: pass the struct, or a pointer to it; or remove the tag, so that the field is one array
	// unpacked field r is stored as r2, which is also the name of field r2
	// help: rename one of the two
}

// A twoTiles has two rows and a number.
type twoTiles struct {
	a, b  [32]float32 `qd:"unpacked"`
	scale float32
}

//qd:kernel
func dotOfTiles(t qd.Thread, out []float32) {
	s := twoTiles{scale: 0.5}
	for i := range qd.Static(32) {
		s.a[i], s.b[i] = float32(i), 2
	}
	for i := range qd.Static(32) {
		out[0] += s.scale * s.a[i] * s.b[i]
	}
}

// PairOfTiles mixes rows with other fields.
func PairOfTiles() {
	out := make([]float32, 1)
	check(qd.Launch(dotOfTiles, qd.Dim(1), out))
	fmt.Println(out)
	// Output:
	// [496]
}

// A packedTile has a row that is an array.
type packedTile struct{ r [32]float32 }

//qd:kernel
func pickFromRow(t qd.Thread, x []float32, out []float32) {
	var row packedTile
	for i := range qd.Static(32) {
		row.r[int(x[i])%32] += x[i] // not known: the row is in memory
	}
	out[t.ID()] = row.r[t.ID()]
}

// Spills runs the kernel of which "qdgen emit --resources" warns.
func Spills() {
	x, out := make([]float32, 32), make([]float32, 2)
	for i := range x {
		x[i] = float32(i % 4)
	}
	check(qd.Launch(pickFromRow, qd.Dim(2), x, out))
	fmt.Println(out)
	// Output:
	// [0 8]
}
