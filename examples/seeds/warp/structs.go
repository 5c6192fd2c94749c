package warp

import (
	"fmt"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
)

// A real is a number of some precision, with the arithmetic that the kernel needs.
type real[T any] interface {
	of(i int) T
	mulAdd(a, b T) T
}

type (
	half   struct{ v qd.Float16 }
	single float32
	double float64
)

func (half) of(i int) half     { return half{qd.ToFloat16(float32(i))} }
func (single) of(i int) single { return single(i) }
func (double) of(i int) double { return double(i) }

func (x half) mulAdd(a, b half) half {
	return half{qd.ToFloat16(x.v.Float32()*a.v.Float32() + b.v.Float32())}
}
func (x single) mulAdd(a, b single) single { return x*a + b }
func (x double) mulAdd(a, b double) double { return x*a + b }

// String prints a half as fmt prints numbers.
func (x half) String() string { return fmt.Sprint(x.v.Float32()) }

// A pair has numbers of a precision that is a type parameter.
type pair[T real[T]] struct{ A, B T }

//qd:kernel
func line[T real[T]](t qd.Thread, s pair[T], output []T) {
	var zero T
	output[t.ID()] = zero.of(t.ID()).mulAdd(s.A, s.B)
}

// StructPrecision launches one generic kernel in three precisions.
func StructPrecision() {
	s16 := pair[half]{half{qd.ToFloat16(2.0001)}, half{qd.ToFloat16(3.0000002)}}
	s32 := pair[single]{2.0001, 3.0000002}
	s64 := pair[double]{2.0001, 3.0000002}

	a16 := make([]half, 5)
	a32 := make([]single, 5)
	a64 := make([]double, 5)
	check(qd.Launch(line[half], qd.Dim(5), s16, a16))
	check(qd.Launch(line[single], qd.Dim(5), s32, a32))
	check(qd.Launch(line[double], qd.Dim(5), s64, a64))

	fmt.Println(a16)
	fmt.Println(a32)
	fmt.Printf("%.8g\n", a64)
	// Output:
	// [3 5 7 9 11]
	// [3.0000002 5.0001 7.0002003 9.000299 11.0004]
	// [3.0000002 5.0001002 7.0002002 9.0003002 11.0004]
}

// A vector can be scaled, and a matrix multiplies a vector from the right.
type (
	vector[V any] interface{ Scale(x float32) V }
	matrix[V any] interface{ TMulVec(v V) V }
)

// A shape has a vector, and a matrix of as many dimensions.
type shape[V vector[V], M matrix[V]] struct {
	v V
	m M
}

//qd:kernel
func product[V vector[V], M matrix[V]](t qd.Thread, s shape[V, M], output []V) {
	x := float32(t.ID())
	output[t.ID()] = s.m.TMulVec(s.v.Scale(x))
}

// StructDimensions launches one generic kernel in two and in three dimensions.
func StructDimensions() {
	s2 := shape[f32.Vec2, f32.Mat2]{
		v: f32.Vec2{1, 2},
		m: f32.Mat2{{2, 0}, {0, 0.5}},
	}
	s3 := shape[f32.Vec3, f32.Mat3]{
		v: f32.Vec3{1, 2, 3},
		m: f32.Mat3{{2, 0, 0}, {0, 0.5, 0}, {0, 0, 1}},
	}
	a2 := make([]f32.Vec2, 5)
	a3 := make([]f32.Vec3, 5)
	check(qd.Launch(product[f32.Vec2, f32.Mat2], qd.Dim(5), s2, a2))
	check(qd.Launch(product[f32.Vec3, f32.Mat3], qd.Dim(5), s3, a3))
	fmt.Println(a2)
	fmt.Println(a3)
	// Output:
	// [[0 0] [2 1] [4 2] [6 3] [8 4]]
	// [[0 0 0] [2 1 3] [4 2 6] [6 3 9] [8 4 12]]
}
