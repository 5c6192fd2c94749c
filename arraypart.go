package qd

import (
	"unsafe"

	"github.com/qdgen/qd/internal/runtime/launch"
)

// Sub is a part of the array as an array, which shares its memory: the elements whose index along the first axis is from i to
// less than j, as in a slice expression. It panics if that is out of range. The part is of use as long as the array is not
// freed; to free the part gives nothing back. Its gradient is the part of the array's.
func (a *Array[T]) Sub(i, j int) *Array[T] {
	b := new(Array[T])
	arraySub(a.inner(), &b.handle, i, j)
	return b
}

//go:noinline
func arraySub(a, b *handle, i, j int) { launch.Sub(a, b, i, j) }

// Reshape is the array with another shape: an array of the same elements in the same memory, as [Array.Sub] gives one. It panics
// if the product of dims is not the number of elements.
func (a *Array[T]) Reshape(dims ...int) *Array[T] {
	b := new(Array[T])
	arrayReshape(a.inner(), &b.handle, dims)
	return b
}

//go:noinline
func arrayReshape(a, b *handle, dims []int) { launch.Reshape(a, b, dims) }

// Fill waits for the launches that were started on the device and sets every element to x.
func (a *Array[T]) Fill(x T) error { return arrayFill(a.inner(), unsafe.Pointer(&x)) }

//go:noinline
func arrayFill(h *handle, x unsafe.Pointer) error { return public(launch.ArrayOf(h).Fill(x)) }

// CopyArray waits for the launches that were started on the devices of both arrays and sets the elements to those of
// another array, which must have the same number of elements. It may be on another device.
func (a *Array[T]) CopyArray(from *Array[T]) error { return copyArray(a.inner(), from.inner()) }

//go:noinline
func copyArray(to, from *handle) error {
	return public(launch.ArrayOf(to).CopyArray(launch.ArrayOf(from)))
}

// To is a new array on a device, which may be the same, with a copy of the elements. Errors are as for [From].
func (a *Array[T]) To(dev *Device) *Array[T] {
	b := new(Array[T])
	arrayTo(a.inner(), &b.handle, dev)
	return b
}

//go:noinline
func arrayTo(a, b *handle, dev *Device) { launch.To(a, b, innerDevice(dev)) }
