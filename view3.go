package qd

// View3 is a view of memory with three dimensions. Its elements are read and written by three
// indices. The argument for a parameter of this type is an [*Array] with three dimensions, or a
// view of host memory ([ViewOf3]). Copies of a view are views of the same memory.
//
// Elements have a fixed distance along each axis, so parts of a view and transposed views are
// views too.
type View3[T any] struct {
	data       []T // from the first element to the last one
	n0, n1, n2 int
	s0, s1, s2 int // from one element to the next, in elements
}

// ViewOf3 is a view of all elements of a slice, in row-major order: n0 planes of n1 rows of n2
// elements. An [Assert] fails if the slice has a different number of elements.
func ViewOf3[T any](x []T, n0, n1, n2 int) View3[T] {
	Assert(n0 >= 0 && n1 >= 0 && n2 >= 0 && volume(volume(n0, n1), n2) == len(x), "qd.ViewOf3: the sizes do not fit the length of the slice")
	return View3[T]{x, n0, n1, n2, n1 * n2, n2, 1}
}

// At is the element at an index.
func (v View3[T]) At(i, j, k int) T {
	checkIndex(i, v.n0)
	checkIndex(j, v.n1)
	checkIndex(k, v.n2)
	return v.data[i*v.s0+j*v.s1+k*v.s2]
}

// Set sets the element at an index.
func (v View3[T]) Set(i, j, k int, x T) {
	checkIndex(i, v.n0)
	checkIndex(j, v.n1)
	checkIndex(k, v.n2)
	v.data[i*v.s0+j*v.s1+k*v.s2] = x
}

// Ptr is the address of the element at an index.
func (v View3[T]) Ptr(i, j, k int) *T {
	checkIndex(i, v.n0)
	checkIndex(j, v.n1)
	checkIndex(k, v.n2)
	return &v.data[i*v.s0+j*v.s1+k*v.s2]
}

// Dim is the number of elements along an axis from 0 to 2.
func (v View3[T]) Dim(axis int) int {
	checkIndex(axis, 3)
	switch axis {
	case 0:
		return v.n0
	case 1:
		return v.n1
	}
	return v.n2
}

// Row is the slice of the elements along the last axis. It panics if they are not adjacent, as
// in a transposed view.
func (v View3[T]) Row(i, j int) []T {
	checkIndex(i, v.n0)
	checkIndex(j, v.n1)
	if v.s2 != 1 && v.n2 > 1 {
		panic("qd.View3.Row: the elements of a row are not adjacent in this view")
	}
	first := i*v.s0 + j*v.s1
	if v.n2 == 0 {
		first = 0
	}
	return v.data[first : first+v.n2]
}

// Plane is the view of the elements whose first index is i.
func (v View3[T]) Plane(i int) View2[T] {
	checkIndex(i, v.n0)
	first := i * v.s0
	last := first + (v.n1-1)*v.s1 + (v.n2-1)*v.s2 + 1
	if v.n1 == 0 || v.n2 == 0 {
		first, last = 0, 0
	}
	return View2[T]{v.data[first:last], v.n1, v.n2, v.s1, v.s2}
}

// Sub is the view of a part: the indices i0 <= i < i1, and so on, as in a slice expression. Its
// own indices begin at 0.
func (v View3[T]) Sub(i0, i1, j0, j1, k0, k1 int) View3[T] {
	checkRange(i0, i1, v.n0)
	checkRange(j0, j1, v.n1)
	checkRange(k0, k1, v.n2)
	first := i0*v.s0 + j0*v.s1 + k0*v.s2
	last := (i1-1)*v.s0 + (j1-1)*v.s1 + (k1-1)*v.s2 + 1
	if i0 == i1 || j0 == j1 || k0 == k1 {
		first, last = 0, 0
	}
	return View3[T]{v.data[first:last], i1 - i0, j1 - j0, k1 - k0, v.s0, v.s1, v.s2}
}

// T is the view with the order of the axes reversed: its element i, j, k is element k, j, i of
// v.
func (v View3[T]) T() View3[T] {
	return View3[T]{v.data, v.n2, v.n1, v.n0, v.s2, v.s1, v.s0}
}

// Swap is the view with two neighbouring axes exchanged: axis and axis+1.
func (v View3[T]) Swap(axis int) View3[T] {
	checkIndex(axis, 2)
	switch axis {
	case 0:
		return View3[T]{v.data, v.n1, v.n0, v.n2, v.s1, v.s0, v.s2}
	}
	return View3[T]{v.data, v.n0, v.n2, v.n1, v.s0, v.s2, v.s1}
}
