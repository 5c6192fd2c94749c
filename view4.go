package qd

// View4 is a view of memory with four dimensions. Its elements are read and written by four
// indices. The argument for a parameter of this type is an [*Array] with four dimensions, or a
// view of host memory ([ViewOf4]). Copies of a view are views of the same memory.
//
// Elements have a fixed distance along each axis, so parts of a view and transposed views are
// views too.
type View4[T any] struct {
	data           []T // from the first element to the last one
	n0, n1, n2, n3 int
	s0, s1, s2, s3 int // from one element to the next, in elements
}

// ViewOf4 is a view of all elements of a slice, in row-major order: n0 by n1 planes of n2 rows
// of n3 elements. An [Assert] fails if the slice has a different number of elements.
func ViewOf4[T any](x []T, n0, n1, n2, n3 int) View4[T] {
	Assert(n0 >= 0 && n1 >= 0 && n2 >= 0 && n3 >= 0 && volume(volume(volume(n0, n1), n2), n3) == len(x), "qd.ViewOf4: the sizes do not fit the length of the slice")
	return View4[T]{x, n0, n1, n2, n3, n1 * n2 * n3, n2 * n3, n3, 1}
}

// At is the element at an index.
func (v View4[T]) At(i, j, k, l int) T {
	checkIndex(i, v.n0)
	checkIndex(j, v.n1)
	checkIndex(k, v.n2)
	checkIndex(l, v.n3)
	return v.data[i*v.s0+j*v.s1+k*v.s2+l*v.s3]
}

// Set sets the element at an index.
func (v View4[T]) Set(i, j, k, l int, x T) {
	checkIndex(i, v.n0)
	checkIndex(j, v.n1)
	checkIndex(k, v.n2)
	checkIndex(l, v.n3)
	v.data[i*v.s0+j*v.s1+k*v.s2+l*v.s3] = x
}

// Ptr is the address of the element at an index.
func (v View4[T]) Ptr(i, j, k, l int) *T {
	checkIndex(i, v.n0)
	checkIndex(j, v.n1)
	checkIndex(k, v.n2)
	checkIndex(l, v.n3)
	return &v.data[i*v.s0+j*v.s1+k*v.s2+l*v.s3]
}

// Dim is the number of elements along an axis from 0 to 3.
func (v View4[T]) Dim(axis int) int {
	checkIndex(axis, 4)
	switch axis {
	case 0:
		return v.n0
	case 1:
		return v.n1
	case 2:
		return v.n2
	}
	return v.n3
}

// Row is the slice of the elements along the last axis. It panics if they are not adjacent, as
// in a transposed view.
func (v View4[T]) Row(i, j, k int) []T {
	checkIndex(i, v.n0)
	checkIndex(j, v.n1)
	checkIndex(k, v.n2)
	if v.s3 != 1 && v.n3 > 1 {
		panic("qd.View4.Row: the elements of a row are not adjacent in this view")
	}
	first := i*v.s0 + j*v.s1 + k*v.s2
	if v.n3 == 0 {
		first = 0
	}
	return v.data[first : first+v.n3]
}

// Plane is the view of the elements whose first two indices are i and j.
func (v View4[T]) Plane(i, j int) View2[T] {
	checkIndex(i, v.n0)
	checkIndex(j, v.n1)
	first := i*v.s0 + j*v.s1
	last := first + (v.n2-1)*v.s2 + (v.n3-1)*v.s3 + 1
	if v.n2 == 0 || v.n3 == 0 {
		first, last = 0, 0
	}
	return View2[T]{v.data[first:last], v.n2, v.n3, v.s2, v.s3}
}

// Volume is the view of the elements whose first index is i.
func (v View4[T]) Volume(i int) View3[T] {
	checkIndex(i, v.n0)
	first := i * v.s0
	last := first + (v.n1-1)*v.s1 + (v.n2-1)*v.s2 + (v.n3-1)*v.s3 + 1
	if v.n1 == 0 || v.n2 == 0 || v.n3 == 0 {
		first, last = 0, 0
	}
	return View3[T]{v.data[first:last], v.n1, v.n2, v.n3, v.s1, v.s2, v.s3}
}

// Sub is the view of a part: the indices i0 <= i < i1, and so on, as in a slice expression. Its
// own indices begin at 0.
func (v View4[T]) Sub(i0, i1, j0, j1, k0, k1, l0, l1 int) View4[T] {
	checkRange(i0, i1, v.n0)
	checkRange(j0, j1, v.n1)
	checkRange(k0, k1, v.n2)
	checkRange(l0, l1, v.n3)
	first := i0*v.s0 + j0*v.s1 + k0*v.s2 + l0*v.s3
	last := (i1-1)*v.s0 + (j1-1)*v.s1 + (k1-1)*v.s2 + (l1-1)*v.s3 + 1
	if i0 == i1 || j0 == j1 || k0 == k1 || l0 == l1 {
		first, last = 0, 0
	}
	return View4[T]{v.data[first:last], i1 - i0, j1 - j0, k1 - k0, l1 - l0, v.s0, v.s1, v.s2, v.s3}
}

// T is the view with the order of the axes reversed: its element i, j, k, l is element l, k, j,
// i of v.
func (v View4[T]) T() View4[T] {
	return View4[T]{v.data, v.n3, v.n2, v.n1, v.n0, v.s3, v.s2, v.s1, v.s0}
}

// Swap is the view with two neighbouring axes exchanged: axis and axis+1.
func (v View4[T]) Swap(axis int) View4[T] {
	checkIndex(axis, 3)
	switch axis {
	case 0:
		return View4[T]{v.data, v.n1, v.n0, v.n2, v.n3, v.s1, v.s0, v.s2, v.s3}
	case 1:
		return View4[T]{v.data, v.n0, v.n2, v.n1, v.n3, v.s0, v.s2, v.s1, v.s3}
	}
	return View4[T]{v.data, v.n0, v.n1, v.n3, v.n2, v.s0, v.s1, v.s3, v.s2}
}
