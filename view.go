package qd

import "math"

// View2 is a view of memory with two dimensions. Its elements are read and written by two
// indices. The argument for a parameter of this type is an [*Array] with two dimensions, or a
// view of host memory ([ViewOf2]). Copies of a view are views of the same memory.
//
// Elements have a fixed distance along each axis, so parts of a view and transposed views are
// views too.
type View2[T any] struct {
	data   []T // from the first element to the last one
	n0, n1 int
	s0, s1 int // from one element to the next, in elements
}

// ViewOf2 is a view of all elements of a slice, in row-major order: n0 rows of n1 elements. An
// [Assert] fails if the slice has a different number of elements.
func ViewOf2[T any](x []T, n0, n1 int) View2[T] {
	Assert(n0 >= 0 && n1 >= 0 && volume(n0, n1) == len(x), "qd.ViewOf2: the sizes do not fit the length of the slice")
	return View2[T]{x, n0, n1, n1, 1}
}

// volume is the number of elements of m parts with n elements each. It is negative where an int
// cannot count them, unless a further factor is 0.
func volume(m, n int) int {
	if n > 0 && (m < 0 || m > math.MaxInt/n) {
		return -1
	}
	return m * n
}

// At is the element at an index.
func (v View2[T]) At(i, j int) T {
	checkIndex(i, v.n0)
	checkIndex(j, v.n1)
	return v.data[i*v.s0+j*v.s1]
}

// Set sets the element at an index.
func (v View2[T]) Set(i, j int, x T) {
	checkIndex(i, v.n0)
	checkIndex(j, v.n1)
	v.data[i*v.s0+j*v.s1] = x
}

// Ptr is the address of the element at an index.
func (v View2[T]) Ptr(i, j int) *T {
	checkIndex(i, v.n0)
	checkIndex(j, v.n1)
	return &v.data[i*v.s0+j*v.s1]
}

// Dim is the number of elements along an axis from 0 to 1.
func (v View2[T]) Dim(axis int) int {
	checkIndex(axis, 2)
	switch axis {
	case 0:
		return v.n0
	}
	return v.n1
}

// Stride is the distance between neighbours along an axis from 0 to 1, in elements. It is 1 along the
// last axis unless the view is transposed or skips elements.
func (v View2[T]) Stride(axis int) int {
	checkIndex(axis, 2)
	switch axis {
	case 0:
		return v.s0
	}
	return v.s1
}

// Data is the memory of the view, from its first element to its last one: element i, j is at index
// i*v.Stride(0) + j*v.Stride(1).
func (v View2[T]) Data() []T { return v.data }

// Row is the slice of the elements along the last axis. It panics if they are not adjacent, as
// in a transposed view.
func (v View2[T]) Row(i int) []T {
	checkIndex(i, v.n0)
	if v.s1 != 1 && v.n1 > 1 {
		panic("qd.View2.Row: the elements of a row are not adjacent in this view")
	}
	first := i * v.s0
	if v.n1 == 0 {
		first = 0
	}
	return v.data[first : first+v.n1]
}

// Sub is the view of a part: the indices i0 <= i < i1, and so on, as in a slice expression. Its
// own indices begin at 0.
func (v View2[T]) Sub(i0, i1, j0, j1 int) View2[T] {
	checkRange(i0, i1, v.n0)
	checkRange(j0, j1, v.n1)
	first := i0*v.s0 + j0*v.s1
	last := (i1-1)*v.s0 + (j1-1)*v.s1 + 1
	if i0 == i1 || j0 == j1 {
		first, last = 0, 0
	}
	return View2[T]{v.data[first:last], i1 - i0, j1 - j0, v.s0, v.s1}
}

// T is the transposed view: its element i, j is element j, i of v.
func (v View2[T]) T() View2[T] {
	return View2[T]{v.data, v.n1, v.n0, v.s1, v.s0}
}
