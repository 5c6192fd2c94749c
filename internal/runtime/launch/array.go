package launch

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"
	"weak"

	"github.com/qdgen/qd/internal/runtime/device"
	"github.com/qdgen/qd/internal/runtime/dims"
	"github.com/qdgen/qd/internal/runtime/failure"
)

// An Array is memory on a device, of elements of one type in row-major order.
type Array struct {
	*device.Buffer
	dev   *Device
	err   error // why there is no memory
	freed atomic.Bool
	grad  atomic.Pointer[Array] // nil for none, and that of the whole for a part

	whole *Array // of which it is a part, nil for an array with memory of its own
	from  int    // its first element among those of the whole

	watches atomic.Pointer[[]weak.Pointer[Watch]] // nil for none
	copied  atomic.Int64                          // see [Array.IsCopySince]

	adding sync.Mutex // of a gradient: held while a backward pass may add to it
	number int64      // of a gradient: in the order in which several are locked
}

// A Handle leads from a qd.Array to its Array. Its field is an interface, so that Go's compiler does not see the type
// Array: in each package that mentions a field, the compiler reads all types that the field's type leads to, and
// compiles their generic methods.
type Handle struct{ array any } // *Array

// handle makes arrays of all element types implement one interface.
func (h *Handle) handle() *Handle { return h }

// ArrayOf returns the array of a handle. It has no device if the handle is nil, or if the qd.Array was not made by From
// or Zeros.
func ArrayOf(h *Handle) *Array {
	if h != nil {
		if a, ok := h.array.(*Array); ok {
			return a
		}
	}
	return &Array{Buffer: new(device.Buffer)}
}

// arrayOf returns the array of an argument that is a *qd.Array. It is not ok for other arguments.
func arrayOf(arg any) (a *Array, ok bool) {
	h, ok := arg.(interface{ handle() *Handle })
	if !ok {
		return nil, false
	}
	if v := reflect.ValueOf(arg); v.Kind() == reflect.Pointer && v.IsNil() {
		return nil, true
	}
	return ArrayOf(h.handle()), true
}

// From makes an array on a device with a copy of n elements of the host, and sets the handle to it. Without dims the
// array has one dimension.
func From(h *Handle, dev *Device, elem reflect.Type, host unsafe.Pointer, n int, dims []int) {
	if len(dims) == 0 {
		dims = []int{n}
	}
	a := newArray(dev, elem, dims)
	if a.N != n {
		panic(fmt.Sprintf("qd: From: %d elements do not fill the shape %v", n, dims))
	}
	if a.err == nil {
		a.err = a.Write(host)
	}
	h.array = a
}

// Zeros makes an array of zeros on a device, and sets the handle to it.
func Zeros(h *Handle, dev *Device, elem reflect.Type, dims []int) {
	a := newArray(dev, elem, dims)
	if a.err == nil {
		a.err = a.Zero()
	}
	h.array = a
}

// maxElems is the number of elements that fit into the memory of any machine.
const maxElems = min(math.MaxInt, 1<<47)

// newArray makes an array whose elements are not set.
func newArray(dev *Device, elem reflect.Type, shape []int) *Array {
	if dev == nil {
		panic("qd: array on a nil device; open one with Open")
	}
	dev = dev.Whole()
	if !device.ValidElem(elem) || elem.Size() == 0 {
		panic(fmt.Sprintf("qd: arrays of %v are not supported: elements are numbers, bools, and structs and arrays of them", elem))
	}
	if dims.AnyNegative(shape) {
		panic(fmt.Sprintf("qd: array of shape %v: a size is negative", shape))
	}
	total, fits := dims.Product(shape, maxElems)
	switch {
	case !fits:
		panic(fmt.Sprintf("qd: array of shape %v: it has more elements than fit into memory", shape))
	case len(shape) == 0:
		total = 0
	}
	a := &Array{dev: dev}
	if dev.recordsHere() {
		// The memory would be the same in all runs of the graph, and would be set only once.
		a.Buffer, a.err = &device.Buffer{Elem: elem, Shape: slices.Clone(shape), N: total}, dev.recordingError("make an array")
		return a
	}
	a.Buffer, a.err = device.NewBuffer(dev.backend, dev.name, elem, slices.Clone(shape), total)
	return a
}

// IsFreed reports whether the memory has been given back.
func (a *Array) IsFreed() bool { return a.freed.Load() || a.whole != nil && a.whole.freed.Load() }

// ArgArray returns the array of an argument that is a *qd.Array. It is not ok for other arguments.
func ArgArray(arg any) (a *Array, ok bool) { return arrayOf(arg) }

// Device is the device that the array is on.
func (a *Array) Device() *Device { return a.dev }

// Shape is the array's size along each dimension, in elements.
func (a *Array) Shape() []int { return slices.Clone(a.Buffer.Shape) }

// Len is the number of elements.
func (a *Array) Len() int { return a.N }

// Err is why the array has no memory.
func (a *Array) Err() error {
	if a.dev == nil {
		return unusable("use an array", notMade)
	}
	return a.err
}

// notMade is what is wrong with an array without a device.
const notMade = "it was not made by From or Zeros"

// CopyTo waits for the launches that were started on the device and copies the
// elements to the n of the host.
func (a *Array) CopyTo(host unsafe.Pointer, n int) error {
	if err := a.settle("copy from", n); err != nil {
		return err
	}
	return a.Read(host)
}

// CopyFrom waits for the launches that were started on the device and sets the
// elements to the n of the host.
func (a *Array) CopyFrom(host unsafe.Pointer, n int) error {
	if err := a.settle("copy to", n); err != nil {
		return err
	}
	a.announce(Change{By: "CopyFrom", All: true}, nil)
	return a.Write(host)
}

// settle waits for the launches that were started on the device. It does not wait if n elements cannot be copied from
// or to the array.
func (a *Array) settle(op string, n int) error {
	if err := a.usable(op, n); err != nil {
		return err
	}
	return a.dev.Wait()
}

// usable reports why n elements cannot be copied from or to the array.
func (a *Array) usable(op string, n int) error {
	switch {
	case a.dev == nil:
		return unusable(op+" an array", notMade)
	case a.err != nil:
		return a.err
	case a.IsFreed():
		return &failure.DeviceError{Device: a.dev.name, Op: op + " an array", Err: fmt.Errorf("it has been freed")}
	case a.dev.recordsHere():
		return a.dev.recordingError(op + " an array")
	case a.N != n:
		return &failure.DeviceError{Device: a.dev.name, Op: op + " an array", Err: fmt.Errorf("the array has %d elements, but the slice has %d", a.N, n)}
	}
	return nil
}

// Free gives the memory back now, after the launches that were started on the
// device.
func (a *Array) Free() {
	if a.dev == nil || a.freed.Swap(true) || a.whole != nil {
		return // the memory of a part is the whole's to give back
	}
	_ = a.dev.backend.Settle() // an error there is for whoever waits
	a.Buffer.Free()
	if g := a.grad.Load(); g != nil {
		g.Free()
	}
}
