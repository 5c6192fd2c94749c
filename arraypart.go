package qd

import (
	"unsafe"

	"github.com/qdgen/qd/internal/runtime/launch"
)

// Sub is a part of the array as an array, which shares its memory: the elements whose index along the first axis is from i to
// less than j, as in a slice expression. It panics if that is out of range. The part is of use as long as the array is not
// freed; to free the part gives nothing back. Its gradient is the part of the array's.
func (a *Array[T]) Sub(i, j int) *Array[T] {
	return (*Array[T])(arraySub(a.inner(), i, j))
}

//go:noinline
func arraySub(a *handle, i, j int) unsafe.Pointer {
	b := new(handle)
	launch.Sub(a, b, i, j)
	return unsafe.Pointer(b)
}

// Reshape is the array with another shape: an array of the same elements in the same memory, as [Array.Sub] gives one. It panics
// if the product of dims is not the number of elements.
func (a *Array[T]) Reshape(dims ...int) *Array[T] {
	return (*Array[T])(arrayReshape(a.inner(), dims))
}

//go:noinline
func arrayReshape(a *handle, dims []int) unsafe.Pointer {
	b := new(handle)
	launch.Reshape(a, b, dims)
	return unsafe.Pointer(b)
}

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
	return (*Array[T])(arrayTo(a.inner(), dev))
}

//go:noinline
func arrayTo(a *handle, dev *Device) unsafe.Pointer {
	b := new(handle)
	launch.To(a, b, innerDevice(dev))
	return unsafe.Pointer(b)
}
