package quadrants

import (
	"fmt"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
)

// A packed has a vector as one group of numbers.
type packed struct{ r f32.Vec4 }

// A loose has it as four numbers.
type loose struct {
	r f32.Vec4 `qd:"unpacked"`
}

//qd:kernel
func constantIndices(t qd.Thread, k qd.Const[int], out []float32) {
	var p packed
	var l loose
	for i := range qd.Static(4) {
		p.r[i], l.r[i] = float32(i), float32(10*i)
	}
	j := k.V - 1 // known
	out[0], out[1] = p.r[k.V]+p.r[3], l.r[j]+l.r[3]
}

// ConstantIndices indexes both with what is known: a number, a constant, the variable of an unrolled loop.
func ConstantIndices() {
	out := make([]float32, 2)
	check(qd.Launch(constantIndices, qd.Dim(1), qd.C(2), out))
	fmt.Println(out)
	// Output:
	// [5 40]
}

func norm(v f32.Vec4) float32 { return v.Norm() }

//qd:kernel
func packedDoesAll(t qd.Thread, k int, out []float32) {
	p := packed{f32.Vec4{1, 2, 3, 4}}
	q := packed{p.r.Scale(2)}
	out[0] = p.r[k]             // an index that is not known
	out[1] = p.r.Add(q.r).Sum() // arithmetic and reductions
	out[2] = p.r.WZYX()[0]      // a swizzle
	out[3] = norm(q.r.Sub(p.r)) // the argument of a function
	shared := qd.Shared[f32.Vec4](t, 1)
	shared[0] = q.r // shared memory
	out[4] = shared[0][3]
	q.r = p.r // a copy
	out[5] = q.r[3]
}

// PackedDoesAll does with a packed vector what a vector can do.
func PackedDoesAll() {
	out := make([]float32, 6)
	check(qd.Launch(packedDoesAll, qd.Dim(1), 2, out))
	fmt.Printf("%.3f\n", out)
	// Output:
	// [3.000 30.000 4.000 5.477 8.000 4.000]
}

func looseIndex(t qd.Thread, k int, out []float32)      { var l loose; out[0] = l.r[k] }
func looseArithmetic(t qd.Thread, k int, out []float32) { var l loose; out[0] = l.r.Add(l.r)[0] }
func looseSum(t qd.Thread, k int, out []float32)        { var l loose; out[0] = l.r.Sum() }
func looseSwizzle(t qd.Thread, k int, out []float32)    { var l loose; out[0] = l.r.WZYX()[0] }
func looseArgument(t qd.Thread, k int, out []float32)   { var l loose; out[0] = norm(l.r) }
func looseCopy(t qd.Thread, k int, out []float32)       { var l, m loose; l.r = m.r; out[0] = l.r[0] }

func looseShared(t qd.Thread, k int, out []float32) {
	var l loose
	shared := qd.Shared[f32.Vec4](t, 1)
	shared[0] = l.r
	out[0] = shared[0][0]
}

// UnpackedRefused does the same with an unpacked one, which has elements only.
func UnpackedRefused() {
	for _, k := range []any{looseIndex, looseArithmetic, looseSum, looseSwizzle, looseArgument, looseCopy, looseShared} {
		refused(qd.Launch(k, qd.Dim(1), 0, make([]float32, 1)))
	}
	// Output:
	// the index of unpacked field r is not known at compile time: k is a runtime parameter
	// help: loop over the elements with for i := range qd.Static(n), choose with a switch, or leave the tag of field r out: an array can be indexed like that
	// cannot call method Add on unpacked field r, which is not stored as a vector
	// help: use the elements one by one, l.r[i] with an i known at compile time; or remove the tag, so that the field is one array
	// cannot call method Sum on unpacked field r, which is not stored as a vector
	// help: use the elements one by one, l.r[i] with an i known at compile time; or remove the tag, so that the field is one array
	// cannot call method WZYX on unpacked field r, which is not stored as a vector
	// help: use the elements one by one, l.r[i] with an i known at compile time; or remove the tag, so that the field is one array
	// cannot pass unpacked field r to norm
	// help: pass the struct, or a pointer to it; or remove the tag, so that the field is one array
	// cannot assign unpacked field r as a whole
	// help: assign the struct, or the elements one by one; or remove the tag, so that the field is one array
	// cannot copy unpacked field r as a whole
	// help: copy the struct, or the elements one by one; or remove the tag, so that the field is one array
	// cannot copy unpacked field r as a whole
	// help: copy the struct, or the elements one by one; or remove the tag, so that the field is one array
}

func doubled(l loose) loose {
	for i := range l.r {
		l.r[i] *= 2
	}
	return l
}

//qd:kernel
func wholeStructs(t qd.Thread, given loose, ls []loose) {
	i := t.ID()
	shared := qd.Shared[loose](t, 1)
	if i == 0 {
		shared[0] = given
	}
	t.Sync()
	l := doubled(ls[i])
	for j := range l.r {
		l.r[j] += shared[0].r[j]
	}
	ls[i] = l
}

// WholeStructs passes, copies and stores structs with an unpacked vector: that is what one does with them, where
// Quadrants refuses most of it.
func WholeStructs() {
	ls := qd.From(device(), []loose{{f32.Vec4{1, 2, 3, 4}}, {f32.Vec4{5, 6, 7, 8}}})
	check(qd.Launch(wholeStructs, qd.Dim(2), loose{f32.Vec4{100, 200, 300, 400}}, ls))
	fmt.Println(ls.Slice())
	// Output:
	// [{[102 204 306 408]} {[110 212 314 416]}]
}

// A rowTile is a thread's row of a tile of 16 or 32.
type rowTile[R [16]float32 | [32]float32] struct {
	r R `qd:"unpacked"`
}

// A tileSum is a kernel that is generic over the row: it is a method, because no parameter has the row's type.
type tileSum[R [16]float32 | [32]float32] struct{}

//qd:kernel
func (tileSum[R]) Kernel(t qd.Thread, x, out []float32) {
	var row rowTile[R]
	n := len(row.r)
	for i := range qd.Static(n) {
		row.r[i] = x[t.ID()*n+i]
	}
	for i := range qd.Static(n) {
		out[t.ID()] += row.r[i]
	}
}

// TileSizes holds rows of two sizes, which a type argument decides.
func TileSizes() {
	x := make([]float32, 64)
	for i := range x {
		x[i] = float32(i)
	}
	for _, k := range []any{tileSum[[16]float32]{}, tileSum[[32]float32]{}} {
		out := make([]float32, 2)
		check(qd.Launch(k, qd.Dim(2), x, out))
		fmt.Println(out)
	}
	// Output:
	// [120 376]
	// [496 1520]
}

type (
	taggedNumber struct {
		n float32 `qd:"unpacked"`
	}
	taggedSlice struct {
		s []float32 `qd:"unpacked"`
	}
	misspelled struct {
		r [4]float32 `qd:"unpack"`
	}
)

func hasTaggedNumber(t qd.Thread, out []float32) { var s taggedNumber; out[0] = s.n }
func hasTaggedSlice(t qd.Thread, out []float32)  { var s taggedSlice; out[0] = float32(len(s.s)) }
func hasMisspelled(t qd.Thread, out []float32)   { var s misspelled; out[0] = s.r[0] }

// FieldsOnly has tags where they mean nothing. A type alone, a parameter or a variable cannot have one:
// in Go only fields have tags.
func FieldsOnly() {
	for _, k := range []any{hasTaggedNumber, hasTaggedSlice, hasMisspelled} {
		refused(qd.Launch(k, qd.Dim(1), make([]float32, 1)))
	}
	// Output:
	// field n of type float32 cannot be unpacked: it is not an array of numbers or bools
	// help: put the tag on an array, a vector or a matrix, or remove it
	// field s of type []float32 cannot be unpacked: it is not an array of numbers or bools
	// help: put the tag on an array, a vector or a matrix, or remove it
	// unknown word "unpack" in the qd struct tag of field r
	// help: the only word is unpacked: `qd:"unpacked"`
}

type inner struct {
	v f32.Vec2
	w [3]float32 `qd:"unpacked"`
}

type mixedFields struct {
	a     [32]float32 `qd:"unpacked"`
	m     f32.Mat2    `qd:"unpacked"`
	plain f32.Mat2
	inner
	nested inner
	scale  float32
	on     bool
}

//qd:kernel
func mixedUp(t qd.Thread, k int, out []float32) {
	s := mixedFields{plain: f32.Mat2Identity(), scale: 2, on: true}
	for i := range s.a {
		s.a[i] = float32(i)
	}
	for i := range s.m {
		for j := range s.m[i] {
			s.m[i][j] = float32(i - j)
		}
	}
	s.w[2], s.nested.w[1] = 5, 6
	s.nested.v = f32.Vec2{7, 8}
	if s.on {
		out[0] = s.scale * (s.a[31] + s.m[1][0] + s.plain[k][k])
		out[1] = s.w[2] + s.nested.w[1] + s.nested.v[k] + s.v.Sum()
	}
}

// MixedFields has unpacked vectors and a matrix beside packed ones, numbers, and structs with such fields.
func MixedFields() {
	out := make([]float32, 2)
	check(qd.Launch(mixedUp, qd.Dim(1), 1, out))
	fmt.Println(out)
	// Output:
	// [66 19]
}

// A twoTiles has 65 numbers.
type twoTiles struct {
	a, b  [32]float32 `qd:"unpacked"`
	scale float32
}

//qd:kernel
func tilesInMemory(t qd.Thread, x []twoTiles, out []float32) {
	s := &x[t.ID()]
	out[t.ID()] = s.scale * (s.a[31] + s.b[0])
}

// TilesInMemory reads structs with two tiles from an array.
func TilesInMemory() {
	x, out := make([]twoTiles, 2), make([]float32, 2)
	x[1].a[31], x[1].b[0], x[1].scale = 2, 3, 4
	check(qd.Launch(tilesInMemory, qd.Dim(2), x, out))
	fmt.Println(out)
	// Output:
	// [0 20]
}

// A byTag and a byHand have the same numbers.
type (
	byTag struct {
		r [3]float32 `qd:"unpacked"`
	}
	byHand struct{ r0, r1, r2 float32 }
)

//qd:kernel
func withTag(t qd.Thread, in []byTag, out []float32) {
	s := in[t.ID()]
	sum := float32(0)
	for i := range s.r {
		sum = sum*out[t.ID()] + s.r[i]
	}
	out[t.ID()] = sum
}

//qd:kernel
func writtenOut(t qd.Thread, in []byHand, out []float32) {
	s := in[t.ID()]
	sum := float32(0)
	sum = sum*out[t.ID()] + s.r0
	sum = sum*out[t.ID()] + s.r1
	sum = sum*out[t.ID()] + s.r2
	out[t.ID()] = sum
}

// ByHand runs a kernel with an unpacked field, and one with the fields that one would write instead: the code
// is the same.
func ByHand() {
	x, y := []float32{10}, []float32{10}
	check(qd.Launch(withTag, qd.Dim(1), []byTag{{[3]float32{1, 2, 3}}}, x))
	check(qd.Launch(writtenOut, qd.Dim(1), []byHand{{1, 2, 3}}, y))
	fmt.Println(x, y)
	// Output:
	// [123] [123]
}
