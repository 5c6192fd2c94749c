package qd

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"
)

// An Array is memory on a device, of elements of one type in row-major order,
// for kernels' slice parameters, and their views of as many dimensions. The element
// type is bool, a sized integer, int, uint, float32 or float64, or a type made of
// those, structs and arrays among them.
//
// Memory is given back by [Array.Free], or when the array is no longer reachable.
type Array[T any] struct {
	arrayBase
	mu   sync.Mutex
	host []T // the elements, on devices that work on host memory; nil when freed
}

// arrayBase is the part of an array that does not depend on the element type.
type arrayBase struct {
	dev   *Device
	shape []int
	n     int    // elements
	mem   memory // nil on devices that work on host memory
	err   error  // why there is no memory
	freed atomic.Bool
}

func (a *Array[T]) base() *arrayBase {
	if a == nil {
		return nil
	}
	return &a.arrayBase
}

func (a *Array[T]) elem() reflect.Type { return reflect.TypeFor[T]() }

// From makes an array on a device with a copy of a host slice. The shape is given
// by dims, whose product must be the slice's length; without dims it is one
// dimension of that length. A shape that does not fit, and an element type that
// no kernel takes, are mistakes in the program and panic; memory that cannot be had
// is reported by [Array.Err] and by the launches that use the array.
func From[T any](dev *Device, host []T, dims ...int) *Array[T] {
	if len(dims) == 0 {
		dims = []int{len(host)}
	}
	a := newArray[T](dev, dims)
	if a.n != len(host) {
		panic(fmt.Sprintf("qd: From: %d elements do not fill the shape %v", len(host), dims))
	}
	switch {
	case a.err != nil:
	case a.mem == nil:
		copy(a.host, host)
	default:
		a.err = a.mem.write(bytesOf(host))
	}
	return a
}

// Zeros makes an array of zeros on a device; with dims and errors as for [From].
func Zeros[T any](dev *Device, dims ...int) *Array[T] {
	a := newArray[T](dev, dims)
	if a.err == nil && a.mem != nil {
		a.err = a.mem.zero()
	}
	return a
}

// newArray makes an array whose elements are not set.
func newArray[T any](dev *Device, dims []int) *Array[T] {
	if dev == nil {
		panic("qd: array on a nil device")
	}
	var zero T
	if t := reflect.TypeFor[T](); !validElem(t) || t.Size() == 0 {
		panic(fmt.Sprintf("qd: arrays of %v are not supported: elements are numbers, bools, and structs and arrays of them", t))
	}
	a := &Array[T]{arrayBase: arrayBase{dev: dev, shape: slices.Clone(dims), n: 1}}
	for _, n := range dims {
		if n < 0 || n > 0 && a.n > (1<<47)/n {
			panic(fmt.Sprintf("qd: array of shape %v", dims))
		}
		a.n *= n
	}
	if len(dims) == 0 {
		a.n = 0
	}
	a.mem, a.err = dev.backend.alloc(a.n * int(unsafe.Sizeof(zero)))
	switch {
	case a.mem != nil:
		runtime.AddCleanup(a, func(m memory) { m.free() }, a.mem)
	case a.err == nil:
		a.host, a.err = makeHost[T](dev, a.n)
	}
	return a
}

// makeHost is make; a size that no memory has is an error. (That memory runs out
// is fatal to a Go program, and cannot be.)
func makeHost[T any](dev *Device, n int) (host []T, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &DeviceError{Device: dev.name, Op: fmt.Sprintf("allocate %d elements", n), Err: fmt.Errorf("%v", v)}
		}
	}()
	return make([]T, n), nil
}

// validElem reports whether kernels can take slices of t.
func validElem(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Bool,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64,
		reflect.Float32, reflect.Float64:
		return true
	case reflect.Array:
		return validElem(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if !validElem(t.Field(i).Type) {
				return false
			}
		}
		return true
	}
	return false
}

// Device is the device that the array is on.
func (a *Array[T]) Device() *Device { return a.dev }

// Shape is the array's size along each dimension, in elements.
func (a *Array[T]) Shape() []int { return slices.Clone(a.shape) }

// Len is the number of elements.
func (a *Array[T]) Len() int { return a.n }

// Err is why the array has no memory: a *DeviceError, or nil.
func (a *Array[T]) Err() error { return a.err }

// Slice waits for the launches that were started on the device and returns a copy
// of the elements. It panics with the error where [Array.CopyTo] would return one.
func (a *Array[T]) Slice() []T {
	host := make([]T, a.n)
	if err := a.CopyTo(host); err != nil {
		panic(err)
	}
	return host
}

// CopyTo waits for the launches that were started on the device and copies the
// elements to host, which must be as long. The error is a *DeviceError, or the
// *Fault of a kernel.
func (a *Array[T]) CopyTo(host []T) error {
	if err := a.settle("copy from", len(host)); err != nil {
		return err
	}
	if a.mem == nil {
		copy(host, a.slice())
		return nil
	}
	err := a.mem.read(bytesOf(host))
	runtime.KeepAlive(a)
	return err
}

// CopyFrom waits for the launches that were started on the device and sets the
// elements to those of host, which must be as long.
func (a *Array[T]) CopyFrom(host []T) error {
	if err := a.settle("copy to", len(host)); err != nil {
		return err
	}
	if a.mem == nil {
		copy(a.slice(), host)
		return nil
	}
	err := a.mem.write(bytesOf(host))
	runtime.KeepAlive(a)
	return err
}

// settle waits for the launches that were started on the device, unless n elements
// cannot be copied from or to the array anyway.
func (a *arrayBase) settle(op string, n int) error {
	if err := a.usable(op, n); err != nil {
		return err
	}
	return a.dev.Wait()
}

// usable reports why n elements cannot be copied from or to the array.
func (a *arrayBase) usable(op string, n int) error {
	switch {
	case a.dev == nil:
		return &DeviceError{Device: a.dev.String(), Op: op + " an array", Err: errors.New("it was not made by From or Zeros")}
	case a.err != nil:
		return a.err
	case a.freed.Load():
		return &DeviceError{Device: a.dev.name, Op: op + " an array", Err: fmt.Errorf("it has been freed")}
	case a.n != n:
		return &DeviceError{Device: a.dev.name, Op: op + " an array", Err: fmt.Errorf("the array has %d elements, the slice %d", a.n, n)}
	}
	return nil
}

// Free gives the memory back now, after the launches that were started on the
// device; one that runs in another goroutine on "cpu" or "go" keeps the memory until it
// ends. Using the array afterwards is an error. Free may be called again.
func (a *Array[T]) Free() {
	if a.dev == nil || a.freed.Swap(true) {
		return
	}
	_ = a.dev.Wait() // an error there is for whoever launched
	a.mu.Lock()
	a.host = nil
	a.mu.Unlock()
	if a.mem != nil {
		a.mem.free()
	}
}

// slice is the elements, on devices that work on host memory.
func (a *Array[T]) slice() []T {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.host
}

func (a *Array[T]) hold() (uintptr, any) {
	if a.mem != nil {
		return a.mem.address(), a
	}
	host := a.slice()
	if host == nil {
		return 0, nil
	}
	return uintptr(unsafe.Pointer(unsafe.SliceData(host))), host
}

// bytesOf is the memory of a slice.
func bytesOf[T any](s []T) []byte {
	var zero T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(zero)))
}
