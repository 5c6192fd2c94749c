package qd

import (
	"reflect"
	"unsafe"

	"github.com/qdgen/qd/internal/runtime/launch"
)

// An Array is memory on a device, with elements of one type in row-major order. It is an
// argument for slice parameters of kernels, and for view parameters with the same number of
// dimensions. The element type is bool, a number type of Go, [Float16] or [BFloat16], or a struct or
// array of these.
//
// Memory is given back by [Array.Free], or when the array is no longer reachable.
type Array[T any] struct{ handle }

// handle is what is behind an array, whatever its element type: package launch takes whatever has one
// embedded for an array. What is generic here is compiled in each package of a program that uses an
// array, and therefore calls what is not.
type handle = launch.Handle

// From makes an array on a device with a copy of a host slice. dims is the shape; its product
// must be the slice's length. Without dims the array has one dimension of that length. From
// panics if the shape does not fit, or if kernels cannot have the element type: these are
// mistakes in the program. If a GPU lacks the memory, [Array.Err] and the launches that use
// the array return an error. Memory of the host that runs out ends the program, as always in Go.
func From[T any](dev *Device, host []T, dims ...int) *Array[T] {
	return (*Array[T])(fromHost(dev, (*T)(nil), unsafe.Pointer(unsafe.SliceData(host)), len(host), dims))
}

//go:noinline
func fromHost(dev *Device, elem any, host unsafe.Pointer, n int, dims []int) unsafe.Pointer {
	h := new(handle)
	launch.From(h, innerDevice(dev), reflect.TypeOf(elem).Elem(), host, n, dims)
	return unsafe.Pointer(h)
}

// Zeros makes an array of zeros on a device; with dims and errors as for [From].
func Zeros[T any](dev *Device, dims ...int) *Array[T] {
	return (*Array[T])(zeros(dev, (*T)(nil), dims))
}

//go:noinline
func zeros(dev *Device, elem any, dims []int) unsafe.Pointer {
	h := new(handle)
	launch.Zeros(h, innerDevice(dev), reflect.TypeOf(elem).Elem(), dims)
	return unsafe.Pointer(h)
}

// inner is what is behind the array, nil of nil. An array is its handle and no more, so that this
// needs no code: each method is compiled for each element type of a program.
func (a *Array[T]) inner() *handle { return (*handle)(unsafe.Pointer(a)) }

// Device is the device that the array is on, nil of an array that was not made by [From] or [Zeros].
func (a *Array[T]) Device() *Device { return arrayDevice(a.inner()) }

//go:noinline
func arrayDevice(h *handle) *Device { return faceOf(launch.ArrayOf(h).Device()) }

// Shape is the array's size along each dimension, in elements.
func (a *Array[T]) Shape() []int { return arrayShape(a.inner()) }

//go:noinline
func arrayShape(h *handle) []int { return launch.ArrayOf(h).Shape() }

// Len is the number of elements.
func (a *Array[T]) Len() int { return arrayLen(a.inner()) }

//go:noinline
func arrayLen(h *handle) int { return launch.ArrayOf(h).Len() }

// Err is why the array has no memory: a *DeviceError, or nil. An array that was not made by [From] or [Zeros] has none.
func (a *Array[T]) Err() error { return arrayErr(a.inner()) }

//go:noinline
func arrayErr(h *handle) error { return public(launch.ArrayOf(h).Err()) }

// Slice waits for the launches that were started on the device and returns a copy of the
// elements. It panics if [Array.CopyTo] would return an error.
func (a *Array[T]) Slice() []T {
	host := make([]T, arrayLen(a.inner()))
	arraySlice(a.inner(), unsafe.Pointer(unsafe.SliceData(host)), len(host))
	return host
}

//go:noinline
func arraySlice(h *handle, host unsafe.Pointer, n int) {
	if err := copyTo(h, host, n); err != nil {
		panic(err)
	}
}

// CopyTo waits for the launches that were started on the device and copies the elements to host,
// which must have the same length. The error is a *DeviceError, or the *Fault of a kernel.
func (a *Array[T]) CopyTo(host []T) error {
	return copyTo(a.inner(), unsafe.Pointer(unsafe.SliceData(host)), len(host))
}

//go:noinline
func copyTo(h *handle, host unsafe.Pointer, n int) error {
	return public(launch.ArrayOf(h).CopyTo(host, n))
}

// CopyFrom waits for the launches that were started on the device and sets the elements to those
// of host, which must have the same length.
func (a *Array[T]) CopyFrom(host []T) error {
	return copyFrom(a.inner(), unsafe.Pointer(unsafe.SliceData(host)), len(host))
}

//go:noinline
func copyFrom(h *handle, host unsafe.Pointer, n int) error {
	return public(launch.ArrayOf(h).CopyFrom(host, n))
}

// Free gives the memory back now, after the launches that were started on the
// device; one that runs in another goroutine on "cpu" or "go" keeps the memory until it
// ends. Using the array afterwards is an error. Free may be called again.
func (a *Array[T]) Free() { free(a.inner()) }

//go:noinline
func free(h *handle) { launch.ArrayOf(h).Free() }
