package peers

import (
	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
)

// Kernels for Quadrants' test_unpacked.py.

// A tile has a row that is stored as four numbers.
type tile struct {
	r f32.Vec4 `qd:"unpacked"`
}

//qd:kernel
func unpackedConstants(t qd.Thread, out []float32) {
	var row tile
	row.r[0] = 1
	row.r[1] = 2
	row.r[2] = 3
	row.r[3] = 4
	out[0], out[1], out[2], out[3] = row.r[0], row.r[1], row.r[2], row.r[3]
}

//qd:kernel
func unpackedLoop(t qd.Thread, out []float32) {
	var row tile
	for i := range qd.Static(4) {
		row.r[i] = 10 + float32(i)
	}
	for i := range qd.Static(4) {
		out[i] = row.r[i]
	}
}

func unpackedRuntime(t qd.Thread, out []float32) {
	var row tile
	for i := range qd.Dynamic(4) {
		row.r[i] = float32(i)
	}
	out[0] = row.r[0]
}

func unpackedOutOfRange(t qd.Thread, out []float32) {
	var row tile
	for i := range qd.Static(8) {
		row.r[i] = 1
	}
	out[0] = row.r[0]
}

// An outerTile has a tile in it.
type outerTile struct {
	inner tile
	scale float32
}

//qd:kernel
func unpackedNested(t qd.Thread, out []float32) {
	var o outerTile
	for i := range qd.Static(4) {
		o.inner.r[i] = float32(10 + i)
	}
	o.scale = 2
	copied := o
	out[0] = copied.inner.r[2] * copied.scale
}

//qd:kernel
func unpackedArray(t qd.Thread, tiles []tile, out []float32) {
	for n := range 2 {
		for i := range qd.Static(4) {
			tiles[n].r[i] = float32(n*10 + i)
		}
	}
	out[0] = tiles[0].r[1] + tiles[1].r[3]
}

//qd:kernel
func unpackedNestedArray(t qd.Thread, tiles []outerTile, out []float32) {
	for i := range qd.Static(4) {
		tiles[0].inner.r[i] = float32(i + 5)
	}
	tiles[0].scale = 3
	out[0] = tiles[0].inner.r[2] * tiles[0].scale
}

// Names of fields that an unpacked field has too.
type (
	collidesEarlier struct {
		r0 float32
		r  [4]float32 `qd:"unpacked"`
	}
	collidesLater struct {
		r  [4]float32 `qd:"unpacked"`
		r2 float32
	}
)

func unpackedCollidesEarlier(t qd.Thread, out []float32) {
	c := collidesEarlier{r0: 1}
	out[0] = c.r[0] + c.r0
}

func unpackedCollidesLater(t qd.Thread, out []float32) {
	c := collidesLater{r2: 1}
	out[0] = c.r[0] + c.r2
}

// What an unpacked vector is not: a value.

func unpackedArithmetic(t qd.Thread, out []f32.Vec4) {
	var row tile
	out[0] = row.r.Add(row.r)
}

func unpackedSwizzle(t qd.Thread, out []f32.Vec2) {
	var row tile
	out[0] = row.r.XY()
}

func sumOfFour(v f32.Vec4) float32 { return v.Sum() }

func unpackedPassed(t qd.Thread, out []float32) {
	var row tile
	out[0] = sumOfFour(row.r)
}

func unpackedCopied(t qd.Thread, out []float32) {
	var row tile
	r := row.r
	out[0] = r[0]
}
