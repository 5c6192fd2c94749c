package peers

import (
	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
)

// Kernels for Warp's test_generics.py.

func genericAdd[T qd.Number](a, b T) T { return a + b }

func addVec[V interface{ Add(V) V }](a, b V) V { return a.Add(b) }

//qd:kernel
func genericAdder(t qd.Thread, out []float64) {
	out[0] = float64(genericAdd(17, 25))
	out[1] = genericAdd(7.0, 10.0)
	sum := addVec(f32.Vec3{1, 2, 3}, f32.Vec3{10, 20, 30})
	out[2] = float64(sum[0] + sum[1] + sum[2])
}

func lengthSquared[V [2]float32 | [3]float32](v V) (s float32) {
	for i := range len(v) {
		s += v[i] * v[i]
	}
	return s
}

//qd:kernel
func genericAfterConcrete(t qd.Thread, out []float32) {
	out[0] = lengthSquared([2]float32{1, 2})
	out[1] = lengthSquared([3]float32{1, 2, 3})
}

// What overloads are in Warp are methods of different types here.
type (
	overInt   int
	overFloat float32
	overVec   f32.Vec3
)

type combiner[T any] interface{ combine(T) T }

func (a overInt) combine(b overInt) overInt       { return a - b }
func (a overFloat) combine(b overFloat) overFloat { return a * b }
func (v overVec) combine(w overVec) overVec       { return overVec(f32.Vec3(v).Add(f32.Vec3(w))) }

func specialized2[T combiner[T]](a, b T) T    { return a.combine(b) }
func specialized3[T combiner[T]](a, b, c T) T { return a.combine(b).combine(c) }

//qd:kernel
func specializedFuncs(t qd.Thread, out []float32) {
	out[0] = float32(specialized2(overInt(17), 25))
	out[1] = float32(specialized3(overInt(17), 25, 10))
	out[2] = float32(specialized2(overFloat(7), 10))
	out[3] = float32(specialized3(overFloat(7), 10, 2))
	out[4] = specialized3(overVec{1}, overVec{10}, overVec{100})[0]
}

//qd:kernel
func genericArrays[T qd.Number](t qd.Thread, a, b, c []T) {
	i := t.ID()
	sum := a[i] + b[i]
	c[i] = genericAdd(sum, sum)
}

//qd:kernel
func genericVecArrays[V interface{ Add(V) V }](t qd.Thread, a, b, c []V) {
	i := t.ID()
	sum := a[i].Add(b[i])
	c[i] = addVec(sum, sum)
}

//qd:kernel
func accumulate[T qd.Number](t qd.Thread, value T, a []float64) { a[t.ID()] += float64(value) }

//qd:kernel
func accumulateBool(t qd.Thread, value bool, a []float64) {
	if value {
		a[t.ID()]++
	}
}

//qd:kernel
func genericFill[T any](t qd.Thread, value T, a []T) { a[t.ID()] = value }

func setConditionally[T qd.Number](a []T, i int, value T, relative bool) {
	if relative {
		a[i] += value
	} else {
		a[i] = value
	}
}

//qd:kernel
func conditionalSetter[T qd.Number](t qd.Thread, i int, value T, relative bool, a []T) {
	setConditionally(a, i, value, relative)
}

//qd:kernel
func genericTransform[M interface{ MulVec(V) V }, V any](t qd.Thread, m M, v, out []V) {
	i := t.ID()
	out[i] = m.MulVec(v[i])
}

type triple[T any] struct{ X, Y, Z T }

type adds[T any] interface{ Add(T) T }

type number float32

func (a number) Add(b number) number { return a + b }

//qd:kernel
func genericStruct[T adds[T]](t qd.Thread, s triple[T], out []T) { out[0] = s.X.Add(s.Y) }

//qd:kernel
func genericStructMade[T any](t qd.Thread, a triple[T], out []triple[T]) {
	out[0] = triple[T]{a.Z, a.Y, a.X}
}

// A castBy is a kernel with a type parameter that no argument has.
type castBy[A, B qd.Number] struct{}

//qd:kernel
func (castBy[A, B]) Kernel(t qd.Thread, b B, out []B) {
	a := A(b)
	out[0] = B(a)
}

//qd:kernel
func genericConstruction[T qd.Number](t qd.Thread, a, out []T) {
	zero := T(0)
	c := T(a[0])
	c += zero
	out[0] = c
}

//qd:kernel
func genericZero[T any](t qd.Thread, a, out []T) {
	var zero T
	out[0], out[1] = a[0], zero
}

//qd:kernel
func typeAsArgument[T qd.Float](t qd.Thread, a T, out []T) {
	var m [2][2]T
	for i := range m {
		m[i][i] = a
	}
	out[0] = m[0][0] + m[1][1]
}
