package peers

import (
	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
	"github.com/qdgen/qd/f64"
	"github.com/qdgen/qd/i32"
)

// Kernels for Warp's test_vec.py and test_vec_*.py.

// vectors are of the lengths that Warp's tests take.
type vectors[T qd.Number] struct {
	V2 qd.Vec2[T]
	V3 qd.Vec3[T]
	V4 qd.Vec4[T]
	V5 Vec5[T]
}

// A vecResult has what elementwise operations on vectors give.
type vecResult[T qd.Number] struct {
	Neg, Add, Sub, Mul, Div, Scale, DivScalar, Min, Max, Abs, Sign vectors[T]
	Dots                                                           [4]T // with the other vectors
	Same, Other                                                    bool // equal to themselves, to the others
}

//qd:kernel
func vecOperations[T qd.Number](t qd.Thread, a, b []vectors[T], s T, out []vecResult[T]) {
	i := t.ID()
	v, w := a[i], b[i]
	out[i] = vecResult[T]{
		Neg:       vectors[T]{v.V2.Neg(), v.V3.Neg(), v.V4.Neg(), v.V5.Neg()},
		Add:       vectors[T]{v.V2.Add(w.V2), v.V3.Add(w.V3), v.V4.Add(w.V4), v.V5.Add(w.V5)},
		Sub:       vectors[T]{v.V2.Sub(w.V2), v.V3.Sub(w.V3), v.V4.Sub(w.V4), v.V5.Sub(w.V5)},
		Mul:       vectors[T]{v.V2.Mul(w.V2), v.V3.Mul(w.V3), v.V4.Mul(w.V4), v.V5.Mul(w.V5)},
		Div:       vectors[T]{v.V2.Div(w.V2), v.V3.Div(w.V3), v.V4.Div(w.V4), v.V5.Div(w.V5)},
		Scale:     vectors[T]{v.V2.Scale(s), v.V3.Scale(s), v.V4.Scale(s), v.V5.Scale(s)},
		DivScalar: vectors[T]{v.V2.DivScalar(s), v.V3.DivScalar(s), v.V4.DivScalar(s), v.V5.DivScalar(s)},
		Min:       vectors[T]{v.V2.Min(w.V2), v.V3.Min(w.V3), v.V4.Min(w.V4), v.V5.Min(w.V5)},
		Max:       vectors[T]{v.V2.Max(w.V2), v.V3.Max(w.V3), v.V4.Max(w.V4), v.V5.Max(w.V5)},
		Abs:       vectors[T]{v.V2.Abs(), v.V3.Abs(), v.V4.Abs(), v.V5.Abs()},
		Sign:      vectors[T]{v.V2.Sign(), v.V3.Sign(), v.V4.Sign(), v.V5.Sign()},
		Dots:      [4]T{v.V2.Dot(w.V2), v.V3.Dot(w.V3), v.V4.Dot(w.V4), v.V5.Dot(w.V5)},
		Same:      v.V2 == a[i].V2 && v.V3 == a[i].V3 && v.V4 == a[i].V4 && v.V5 == a[i].V5,
		Other:     v.V2 == w.V2 || v.V3 == w.V3 || v.V4 == w.V4 || v.V5 == w.V5,
	}
}

//qd:kernel
func vecRemainders[T qd.Int](t qd.Thread, a, b []vectors[T], out []vectors[T]) {
	i := t.ID()
	v, w := a[i], b[i]
	out[i] = vectors[T]{qd.Vec2Rem(v.V2, w.V2), qd.Vec3Rem(v.V3, w.V3), qd.Vec4Rem(v.V4, w.V4), Vec5Rem(v.V5, w.V5)}
}

//qd:kernel
func vecModulo[T qd.Float](t qd.Thread, a, b []vectors[T], out []vectors[T]) {
	i := t.ID()
	v, w := a[i], b[i]
	out[i] = vectors[T]{v.V2.Mod(w.V2), v.V3.Mod(w.V3), v.V4.Mod(w.V4), v.V5.Mod(w.V5)}
}

// A vecLength has what is computed from lengths.
type vecLength[T qd.Float] struct {
	Norm, NormSq [4]T
	Normalized   vectors[T]
}

//qd:kernel
func vecLengths[T qd.Float](t qd.Thread, a []vectors[T], out []vecLength[T]) {
	i := t.ID()
	v := a[i]
	out[i] = vecLength[T]{
		Norm:       [4]T{v.V2.Norm(), v.V3.Norm(), v.V4.Norm(), v.V5.Norm()},
		NormSq:     [4]T{v.V2.NormSq(), v.V3.NormSq(), v.V4.NormSq(), v.V5.NormSq()},
		Normalized: vectors[T]{v.V2.Normalize(), v.V3.Normalize(), v.V4.Normalize(), v.V5.Normalize()},
	}
}

//qd:kernel
func vecCross[T qd.Number](t qd.Thread, a, b, out []qd.Vec3[T]) {
	i := t.ID()
	out[i] = a[i].Cross(b[i])
}

//qd:kernel
func vecMutation(t qd.Thread, out []Vec10[float32]) {
	var v Vec10[float32]
	v[0] = 1
	for i := 1; i < 10; i++ {
		v[i] = float32(i) + 1
	}
	out[t.ID()] = v
}

//qd:kernel
func vecLen(t qd.Thread, v1 f32.Vec2, v2 f32.Vec3, v3 f32.Vec4, v4 [123]float32, out []int) {
	var foo f32.Vec2
	out[0], out[1], out[2], out[3], out[4] = len(v1), qd.Static(len(v2)), len(v3), qd.Static(len(v4)), len(foo)
}

//qd:kernel
func vecExtract(t qd.Thread, x []f32.Vec3, y []float32) {
	a := x[t.ID()]
	y[0] = a[0] + 2*a[1] + 3*a[2]
	y[1] = a.X() + 2*a.Y() + 3*a.Z()
}

//qd:kernel
func vecAssign(t qd.Thread, x []float32, y []f32.Vec3) {
	var a f32.Vec3
	a[0] = 1 * x[0]
	a[1] = 2 * x[0]
	a[2] = 3 * x[0]
	y[0] = a
	y[1] = f32.Vec3{x[0], 2 * x[0], 3 * x[0]}
}

//qd:kernel
func vecArrayExtract(t qd.Thread, x qd.View2[f32.Vec3], y qd.View2[float32]) {
	i, j := t.ID2()
	y.Set(i, j, x.At(i, j)[0]+2*x.At(i, j).Y()+3*x.Ptr(i, j)[2])
}

//qd:kernel
func vecArrayAssign(t qd.Thread, x qd.View2[float32], y qd.View2[f32.Vec3]) {
	i, j := t.ID2()
	y.Ptr(i, j)[0] = x.At(i, j)
	y.Ptr(i, j)[1] = 2 * x.At(i, j)
	p := y.Ptr(i, j)
	p[2] = 3 * x.At(i, j)
}

//qd:kernel
func vecInPlace(t qd.Thread, x, y []f32.Vec3) {
	var a, s f32.Vec3
	b := x[0]
	a[0] += b[0]
	a[1] += 2 * b[1]
	a[2] += 3 * b[2]
	s[0] -= b.X()
	s[1] -= 2 * b.Y()
	s[2] -= 3 * b.Z()
	y[0], y[1] = a, s
}

//qd:kernel
func vecArrayInPlace(t qd.Thread, x, sum, difference []f32.Vec3) {
	i := t.ID()
	sum[i] = sum[i].Add(x[i])
	difference[i] = difference[i].Sub(x[i])
}

//qd:kernel
func scalarVecDiv(t qd.Thread, x, y []f32.Vec3) {
	i := t.ID()
	y[i] = f32.Vec3Splat(1).Div(x[i])
}

//qd:kernel
func vecIndexing(t qd.Thread, out []f32.Vec4) {
	v := f32.Vec4{1, 2, 3, 4}
	v[0] = 123
	v[1] *= 2
	out[0] = v
	v[len(v)-1] = 123
	v[len(v)-2] *= 2
	out[1] = v
}

// A vecSlices has parts of a vector, and the vector after parts were assigned.
type vecSlices struct {
	Tail, Head     f32.Vec3
	Ends, Evens    f32.Vec2
	Odds, Backward f32.Vec2
	Reversed       f32.Vec4
	Assigned       [7]f32.Vec4
}

//qd:kernel
func vecSlicing(t qd.Thread, out []vecSlices) {
	v := f32.Vec4{1, 2, 3, 4}
	s := vecSlices{
		Tail: v.YZW(), Head: v.XYZ(), Ends: v.ZW(), Evens: v.XZ(), Odds: v.YW(), Backward: v.WY(), Reversed: v.WZYX(),
	}
	w3, w2 := f32.Vec3{5, 6, 7}, f32.Vec2{8, 9}
	copy(v[1:], w3[:])
	s.Assigned[0] = v
	copy(v[len(v)-2:], w2[:])
	s.Assigned[1] = v
	w2 = f32.Vec2{10, 11}
	copy(v[:2], w2[:])
	s.Assigned[2] = v
	for i, x := range (f32.Vec2{15, 16}) {
		v[2*i] = x
	}
	s.Assigned[3] = v
	v = f32.Vec4{19, 20, 21, 22}.WZYX()
	s.Assigned[4] = v
	v = v.Add(f32.Vec4{0, 26, 27, 28})
	s.Assigned[5] = v
	v = v.Mod(f32.Vec4{32, 33, 34, 35})
	s.Assigned[6] = v
	out[0] = s
}

//qd:kernel
func vecSlicingOfArrays(t qd.Thread, x []f32.Vec2, y []f32.Vec4) {
	i := t.ID()
	v := y[i]
	w := x[i]
	v[0], v[1] = w[0], w[1]
	v[1], v[2] = v[1]+w[0], v[2]+w[1]
	v[3], v[2] = v[3]-w[0], v[2]-w[1]
	y[i] = v
}

//qd:kernel
func indexingTypes(t qd.Thread, i8 int8, u8 uint8, i16 int16, u16 uint16, i32 int32, u32 uint32, i64 int64, u64 uint64, out []int32) {
	v := i32.Vec4{1, 2, 3, 4}
	out[0] = v[i8] + v[u8] + v[i16] + v[u16] + v[i32] + v[u32] + v[i64] + v[u64]
	out[1] = v[v.ArgMin()] + 1
	out[2] = v[v.ArgMax()] + 1
	m := i32.Mat3{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}
	out[3] = m[u8][i16] + m[u32][i32] + m[i8][i64-1] + m[i64][u64-3]
}

//qd:kernel
func vecConstruct[T qd.Number](t qd.Thread, in []T, out []vectors[T]) {
	var zero vectors[T]
	out[0] = zero
	out[1] = vectors[T]{qd.Vec2Splat(in[0]), qd.Vec3Splat(in[0]), qd.Vec4Splat(in[0]), Vec5Splat(in[0])}
	out[2] = vectors[T]{
		qd.Vec2[T]{in[0], in[1]}, qd.Vec3[T]{in[2], in[3], in[4]},
		qd.Vec4[T]{in[5], in[6], in[7], in[8]}, Vec5[T]{in[9], in[10], in[11], in[12], in[13]},
	}
	copied := out[2]
	out[3] = copied
	out[4] = vectors[T]{
		qd.Vec2Unit[T](1), copied.V2.Extend(in[4]), copied.V3.Extend(in[8]), Vec5Unit[T](4),
	}
}

//qd:kernel
func vecIndexed[T qd.Number](t qd.Thread, v []vectors[T], out []T) {
	n := 0
	a := v[0]
	for i := range qd.Dynamic(len(a.V2)) {
		out[n] = 2 * a.V2[i]
		n++
	}
	for i := range qd.Dynamic(len(a.V3)) {
		out[n] = 2 * a.V3[i]
		n++
	}
	for i := range a.V4 {
		out[n] = 2 * a.V4[i]
		n++
	}
	for _, x := range a.V5 {
		out[n] = 2 * x
		n++
	}
}

//qd:kernel
func vecConverted[T, U qd.Number](t qd.Thread, in []qd.Vec3[T], out []qd.Vec3[U]) {
	i := t.ID()
	out[i] = qd.Vec3As[U](in[i])
}

// meters are numbers of a type of their own.
type meters float32

//qd:kernel
func vecEquivalent(t qd.Thread, a f32.Vec3, b f32.Vec3, c [3]float32, d qd.Vec3[meters], out []bool) {
	out[0] = a == b
	out[1] = a == f32.Vec3(c)
	out[2] = a == f32.Vec3From(d)
	out[3] = d == qd.Vec3[meters]{1, 2, 3}
}

var (
	constantVec2 = f32.Vec2{1, 2}
	constantVec3 = f64.Vec3{1, 2, 3}
	constantVec4 = i32.Vec4{1, 2, 3, 4}
	constantVec5 = Vec5[uint8]{1, 2, 3, 4, 5}
)

//qd:kernel
func vecConstants(t qd.Thread, v qd.Const[f32.Vec3], out []bool) {
	out[0] = qd.Static(constantVec2 == f32.Vec2{1, 2})
	out[1] = constantVec3 == f64.Vec3{1, 2, 3}
	out[2] = constantVec4 == i32.Vec4{1, 2, 3, 4}
	out[3] = constantVec5 == Vec5[uint8]{1, 2, 3, 4, 5}
	if qd.Static(v.V.Sum() == 6) {
		out[4] = true
	}
}

// length10 is a length that a constant gives.
const length10 = 10

//qd:kernel
func vecConstantLength(t qd.Thread, out [][length10]float32) {
	var v [length10]float32
	for i := range length10 {
		v[i] = float32(i)
	}
	out[0] = v
}

//qd:kernel
func vecAssignCopy(t qd.Thread, x, y []f32.Vec3) {
	b := x[t.ID()]
	a := b
	a[1] = 3
	y[0], y[1] = a, b
}

//qd:kernel
func boolVecAssignCopy(t qd.Thread, out []qd.Bool3) {
	a := qd.Bool3{true, true, true}
	b := a
	b[1] = false
	out[0], out[1] = a, b
}
