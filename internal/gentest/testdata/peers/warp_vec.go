package peers

import (
	"github.com/qdgen/qd"
	"github.com/qdgen/qd/bools"
	"github.com/qdgen/qd/f32"
	"github.com/qdgen/qd/f64"
	"github.com/qdgen/qd/i32"
	"github.com/qdgen/qd/internal/gentest/testdata/bigtypes/uint8s"
)

// Kernels for Warp's test_vec.py and test_vec_*.py.

// vec2 to vec5 are the vectors of a length.
type (
	vec2[V any, T qd.Number] interface {
		~[2]T
		qd.NumberVector[V, T]
	}
	vec3[V any, T qd.Number] interface {
		~[3]T
		qd.NumberVector[V, T]
	}
	vec4[V any, T qd.Number] interface {
		~[4]T
		qd.NumberVector[V, T]
	}
	vec5[V any, T qd.Number] interface {
		~[5]T
		qd.NumberVector[V, T]
	}
)

// vectors are of the lengths that Warp's tests take.
type vectors[V2, V3, V4, V5 any] struct {
	V2 V2
	V3 V3
	V4 V4
	V5 V5
}

// A vecResult has what elementwise operations on vectors give.
type vecResult[V, T any] struct {
	Neg, Add, Sub, Mul, Div, Scale, DivScalar, Min, Max, Abs, Sign V
	Dots                                                           [4]T // with the other vectors
	Same, Other                                                    bool // equal to themselves, to the others
}

//qd:kernel
func vecOperations[V2 vec2[V2, T], V3 vec3[V3, T], V4 vec4[V4, T], V5 vec5[V5, T], T qd.Number](t qd.Thread, a, b []vectors[V2, V3, V4, V5], s T, out []vecResult[vectors[V2, V3, V4, V5], T]) {
	type vecs = vectors[V2, V3, V4, V5]
	i := t.ID()
	v, w := a[i], b[i]
	out[i] = vecResult[vecs, T]{
		Neg:       vecs{v.V2.Neg(), v.V3.Neg(), v.V4.Neg(), v.V5.Neg()},
		Add:       vecs{v.V2.Add(w.V2), v.V3.Add(w.V3), v.V4.Add(w.V4), v.V5.Add(w.V5)},
		Sub:       vecs{v.V2.Sub(w.V2), v.V3.Sub(w.V3), v.V4.Sub(w.V4), v.V5.Sub(w.V5)},
		Mul:       vecs{v.V2.Mul(w.V2), v.V3.Mul(w.V3), v.V4.Mul(w.V4), v.V5.Mul(w.V5)},
		Div:       vecs{v.V2.Div(w.V2), v.V3.Div(w.V3), v.V4.Div(w.V4), v.V5.Div(w.V5)},
		Scale:     vecs{v.V2.Scale(s), v.V3.Scale(s), v.V4.Scale(s), v.V5.Scale(s)},
		DivScalar: vecs{v.V2.DivScalar(s), v.V3.DivScalar(s), v.V4.DivScalar(s), v.V5.DivScalar(s)},
		Min:       vecs{v.V2.Min(w.V2), v.V3.Min(w.V3), v.V4.Min(w.V4), v.V5.Min(w.V5)},
		Max:       vecs{v.V2.Max(w.V2), v.V3.Max(w.V3), v.V4.Max(w.V4), v.V5.Max(w.V5)},
		Abs:       vecs{v.V2.Abs(), v.V3.Abs(), v.V4.Abs(), v.V5.Abs()},
		Sign:      vecs{v.V2.Sign(), v.V3.Sign(), v.V4.Sign(), v.V5.Sign()},
		Dots:      [4]T{v.V2.Dot(w.V2), v.V3.Dot(w.V3), v.V4.Dot(w.V4), v.V5.Dot(w.V5)},
		Same:      v.V2 == a[i].V2 && v.V3 == a[i].V3 && v.V4 == a[i].V4 && v.V5 == a[i].V5,
		Other:     v.V2 == w.V2 || v.V3 == w.V3 || v.V4 == w.V4 || v.V5 == w.V5,
	}
}

// A divisible vector is one of integers.
type divisible[V any] interface{ Rem(V) V }

//qd:kernel
func vecRemainders[V2 divisible[V2], V3 divisible[V3], V4 divisible[V4], V5 divisible[V5]](t qd.Thread, a, b []vectors[V2, V3, V4, V5], out []vectors[V2, V3, V4, V5]) {
	i := t.ID()
	v, w := a[i], b[i]
	out[i] = vectors[V2, V3, V4, V5]{v.V2.Rem(w.V2), v.V3.Rem(w.V3), v.V4.Rem(w.V4), v.V5.Rem(w.V5)}
}

//qd:kernel
func vecModulo[V2 qd.Vector[V2, T], V3 qd.Vector[V3, T], V4 qd.Vector[V4, T], V5 qd.Vector[V5, T], T qd.Float](t qd.Thread, a, b []vectors[V2, V3, V4, V5], out []vectors[V2, V3, V4, V5]) {
	i := t.ID()
	v, w := a[i], b[i]
	out[i] = vectors[V2, V3, V4, V5]{v.V2.Mod(w.V2), v.V3.Mod(w.V3), v.V4.Mod(w.V4), v.V5.Mod(w.V5)}
}

// A vecLength has what is computed from lengths.
type vecLength[V, T any] struct {
	Norm, NormSq [4]T
	Normalized   V
}

//qd:kernel
func vecLengths[V2 qd.Vector[V2, T], V3 qd.Vector[V3, T], V4 qd.Vector[V4, T], V5 qd.Vector[V5, T], T qd.Float](t qd.Thread, a []vectors[V2, V3, V4, V5], out []vecLength[vectors[V2, V3, V4, V5], T]) {
	i := t.ID()
	v := a[i]
	out[i] = vecLength[vectors[V2, V3, V4, V5], T]{
		Norm:       [4]T{v.V2.Norm(), v.V3.Norm(), v.V4.Norm(), v.V5.Norm()},
		NormSq:     [4]T{v.V2.NormSq(), v.V3.NormSq(), v.V4.NormSq(), v.V5.NormSq()},
		Normalized: vectors[V2, V3, V4, V5]{v.V2.Normalize(), v.V3.Normalize(), v.V4.Normalize(), v.V5.Normalize()},
	}
}

//qd:kernel
func vecCross[V interface{ Cross(V) V }](t qd.Thread, a, b, out []V) {
	i := t.ID()
	out[i] = a[i].Cross(b[i])
}

//qd:kernel
func vecMutation(t qd.Thread, out []Vec10) {
	var v Vec10
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
func indexingTypes(t qd.Thread, n8 int8, u8 uint8, n16 int16, u16 uint16, n32 int32, u32 uint32, n64 int64, u64 uint64, out []int32) {
	v := i32.Vec4{1, 2, 3, 4}
	out[0] = v[n8] + v[u8] + v[n16] + v[u16] + v[n32] + v[u32] + v[n64] + v[u64]
	out[1] = v[v.ArgMin()] + 1
	out[2] = v[v.ArgMax()] + 1
	m := i32.Mat3{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}
	out[3] = m[u8][n16] + m[u32][n32] + m[n8][n64-1] + m[n64][u64-3]
}

// vecMakers are the functions that make vectors.
type vecMakers[V2, V3, V4, V5, T any] struct {
	Splat2 func(T) V2
	Splat3 func(T) V3
	Splat4 func(T) V4
	Splat5 func(T) V5
	Unit2  func(int) V2
	Unit5  func(int) V5
}

// An extensible vector can get one more element.
type extensible[Longer, T any] interface{ Extend(T) Longer }

//qd:kernel
func vecConstruct[
	V2 interface {
		vec2[V2, T]
		extensible[V3, T]
	},
	V3 interface {
		vec3[V3, T]
		extensible[V4, T]
	},
	V4 vec4[V4, T], V5 vec5[V5, T], T qd.Number,
](t qd.Thread, f qd.Const[vecMakers[V2, V3, V4, V5, T]], in []T, out []vectors[V2, V3, V4, V5]) {
	type vecs = vectors[V2, V3, V4, V5]
	var zero vecs
	out[0] = zero
	out[1] = vecs{f.V.Splat2(in[0]), f.V.Splat3(in[0]), f.V.Splat4(in[0]), f.V.Splat5(in[0])}
	out[2] = vecs{
		V2{in[0], in[1]}, V3{in[2], in[3], in[4]},
		V4{in[5], in[6], in[7], in[8]}, V5{in[9], in[10], in[11], in[12], in[13]},
	}
	copied := out[2]
	out[3] = copied
	out[4] = vecs{f.V.Unit2(1), copied.V2.Extend(in[4]), copied.V3.Extend(in[8]), f.V.Unit5(4)}
}

//qd:kernel
func vecIndexed[V2 ~[2]T, V3 ~[3]T, V4 ~[4]T, V5 ~[5]T, T qd.Number](t qd.Thread, v []vectors[V2, V3, V4, V5], out []T) {
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

// conversions are vectors that were converted.
type conversions struct {
	Ints   i32.Vec3
	Bytes  uint8s.Vec3
	Double f64.Vec3
	Single f32.Vec3
}

//qd:kernel
func vecConverted(t qd.Thread, a, b f32.Vec3, c i32.Vec3, d f64.Vec3, out []conversions) {
	out[0] = conversions{i32.Vec3From(a), uint8s.Vec3From(c), f64.Vec3From(b), f32.Vec3From(d)}
}

// A location is a vector with a name of its own.
type location f32.Vec3

//qd:kernel
func vecEquivalent(t qd.Thread, a f32.Vec3, b f32.Vec3, c [3]float32, d location, out []bool) {
	out[0] = a == b
	out[1] = a == f32.Vec3(c)
	out[2] = a == f32.Vec3(d) && a == f32.Vec3From(d)
	out[3] = d == location{1, 2, 3}
}

var (
	constantVec2 = f32.Vec2{1, 2}
	constantVec3 = f64.Vec3{1, 2, 3}
	constantVec4 = i32.Vec4{1, 2, 3, 4}
	constantVec5 = uint8s.Vec5{1, 2, 3, 4, 5}
)

//qd:kernel
func vecConstants(t qd.Thread, v qd.Const[f32.Vec3], out []bool) {
	out[0] = qd.Static(constantVec2 == f32.Vec2{1, 2})
	out[1] = constantVec3 == f64.Vec3{1, 2, 3}
	out[2] = constantVec4 == i32.Vec4{1, 2, 3, 4}
	out[3] = constantVec5 == uint8s.Vec5{1, 2, 3, 4, 5}
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
func boolVecAssignCopy(t qd.Thread, out []bools.Vec3) {
	a := bools.Vec3{true, true, true}
	b := a
	b[1] = false
	out[0], out[1] = a, b
}
