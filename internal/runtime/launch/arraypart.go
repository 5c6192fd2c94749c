package launch

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/qdgen/qd/internal/runtime/device"
	"github.com/qdgen/qd/internal/runtime/dims"
	"github.com/qdgen/qd/internal/runtime/failure"
)

// Whole is the array that owns the memory. If the array is a part of another one, it is that one.
func (a *Array) Whole() *Array {
	if a.whole != nil {
		return a.whole
	}
	return a
}

// Offset is the index of the array's first element in the whole.
func (a *Array) Offset() int { return a.from }

// Sub sets a handle to a part of an array: the elements whose first index is from i to less than j.
func Sub(of, h *Handle, i, j int) {
	a := ArrayOf(of)
	if a.dev == nil {
		return // which the part says when it is used, too
	}
	shape := slices.Clone(a.Buffer.Shape)
	if len(shape) == 0 || i < 0 || j < i || j > shape[0] {
		panic(fmt.Sprintf("qd: Sub(%d, %d) of an array of shape %v: the part is out of range", i, j, shape))
	}
	shape[0] = j - i
	row := 1
	for _, n := range shape[1:] {
		row *= n
	}
	h.array = a.part(i*row, shape, (j-i)*row)
}

// Reshape sets a handle to an array of another shape in the memory of an array.
func Reshape(of, h *Handle, shape []int) {
	a := ArrayOf(of)
	if a.dev == nil {
		return
	}
	fits := len(shape) > 0 && !dims.AnyNegative(shape)
	if fits {
		var n int
		n, fits = dims.Product(shape, a.N)
		fits = fits && n == a.N
	}
	if !fits {
		panic(fmt.Sprintf("qd: Reshape: the %d elements of the array do not fill the shape %v", a.N, shape))
	}
	h.array = a.part(0, slices.Clone(shape), a.N)
}

// part is a part of an array, from one of its elements on.
func (a *Array) part(from int, shape []int, n int) *Array {
	p := &Array{dev: a.dev, err: a.err, whole: a.Whole(), from: a.from + from}
	p.freed.Store(a.freed.Load())
	if a.err != nil {
		p.Buffer = &device.Buffer{Elem: a.Elem, Shape: shape, N: n}
	} else {
		p.Buffer = a.Buffer.Part(from, shape, n)
	}
	return p
}

// Fill waits for the launches that were started on the device and sets every element to one of the host.
func (a *Array) Fill(elem unsafe.Pointer) error {
	if err := a.settle("fill", a.N); err != nil {
		return err
	}
	a.announce(Change{By: "Fill", All: true}, nil)
	return a.Buffer.Fill(elem)
}

// CopyArray waits for the launches that were started on both devices and sets the elements to those of another array.
func (a *Array) CopyArray(b *Array) error {
	if err := b.usable("copy from", b.N); err != nil {
		return err
	}
	if err := a.usable("copy to", a.N); err != nil {
		return err
	}
	if a.N != b.N {
		return &failure.DeviceError{Device: a.dev.name, Op: "copy to an array", Err: fmt.Errorf("the array has %d elements, but the one that is copied has %d", a.N, b.N)}
	}
	err := a.dev.Wait()
	if !a.dev.same(b.dev) {
		err = failure.Join(err, b.dev.Wait())
	}
	if err != nil {
		return err
	}
	a.announce(Change{By: "CopyArray", All: true, Source: b}, nil)
	from := b.Buffer
	if a.Buffer.Overlaps(from) {
		if from, err = from.Duplicate(b.dev.backend); err != nil {
			return err
		}
		defer from.Free()
	}
	if err := a.Buffer.CopyFrom(from); err != nil {
		return err
	}
	a.noteCopy(b)
	return nil
}

// To sets a handle to a new array on a device with a copy of an array.
func To(of, h *Handle, dev *Device) {
	b := ArrayOf(of)
	if b.dev == nil {
		return
	}
	a := newArray(dev, b.Elem, b.Buffer.Shape)
	if a.err == nil {
		a.err = a.CopyArray(b)
	}
	h.array = a
}
