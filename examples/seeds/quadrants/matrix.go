package quadrants

import (
	"fmt"

	"github.com/qdgen/qd"
)

//qd:kernel
func create(t qd.Thread, out []float32) {
	v := [3]float32{1, 2, 3}
	m := [2][2]float32{{1, 0}, {0, 1}}
	out[0] = v[0]
	out[1] = m[0][1]
}

// Create makes a vector and a matrix in a kernel: arrays, which are values.
func Create() {
	out := make([]float32, 2)
	check(qd.Launch(create, qd.Dim(1), out))
	fmt.Println(out)
	// Output:
	// [1 0]
}

// The types of vectors and matrices, defined first.
type (
	vec3f = [3]float32
	mat3f = [3][3]float32
	mat4f = [4][4]float32
)

// identity is the identity matrix times s.
func diagonal(s float32) (m mat3f) {
	for i := range m {
		m[i][i] = s
	}
	return m
}

//qd:kernel
func initialize(g qd.Grid, pos []vec3f, rot []mat3f) {
	g.For(100, func(i int) {
		pos[i] = vec3f{0, 0, 0}
		rot[i] = diagonal(1)
	})
}

// Fields stores many vectors and matrices on a device.
func Fields() {
	positions := qd.Zeros[vec3f](device(), 100)
	rotations := qd.Zeros[mat3f](device(), 100)
	check(qd.Run(initialize, positions, rotations))
	fmt.Println(positions.Slice()[99], rotations.Slice()[99])
	// Output:
	// [0 0 0] [[1 0 0] [0 1 0] [0 0 1]]
}

// Arrays makes arrays of vectors, and of matrices of another size.
func Arrays() {
	vel := qd.Zeros[vec3f](device(), 50)
	transforms := qd.Zeros[mat4f](device(), 50)
	check(vel.Err())
	check(transforms.Err())
	fmt.Println(len(vel.Slice()), len(transforms.Slice()[0]))
	// Output:
	// 50 4
}

func times(m mat3f, v vec3f) (out vec3f) {
	for i := range m {
		for j := range v {
			out[i] += m[i][j] * v[j]
		}
	}
	return out
}

//qd:kernel
func transform(g qd.Grid, positions []vec3f, matrices []mat3f, out []vec3f) {
	g.For(100, func(i int) {
		out[i] = times(matrices[i], positions[i])
	})
}

// Transform has types in its signature, as all Go has.
func Transform() {
	positions, matrices, out := make([]vec3f, 100), make([]mat3f, 100), make([]vec3f, 100)
	for i := range positions {
		positions[i] = vec3f{float32(i), 1, 2}
		matrices[i] = diagonal(2)
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

// A tile has a row of each thread's own.
type tile struct{ r [32]float32 }

//qd:kernel
func sumOfRow(t qd.Thread, out []float32) {
	var row tile
	for i := range qd.Static(32) {
		row.r[i] = float32(i + t.ID())
	}
	sum := float32(0)
	for i := range qd.Static(32) {
		sum += row.r[i] // i is a constant: the element can be a register
	}
	out[t.ID()] = sum
}

// Tile indexes a row with constants only.
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

// A twoTiles has two rows and a number.
type twoTiles struct {
	a, b  [32]float32
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
