package device

import (
	"runtime"
	"unsafe"

	"github.com/qdgen/qd/internal/runtime/kernel"
)

// AddFloats adds the floats of another buffer of the same elements, in other memory, to those of this one. On a device
// with its own memory they go through the host.
func (b *Buffer) AddFloats(from *Buffer) error {
	defer runtime.KeepAlive(b)
	defer runtime.KeepAlive(from)
	if b.mem != nil {
		words, more := make([]uint64, (b.Size()+7)/8), make([]uint64, (from.Size()+7)/8)
		x, y := unsafe.Pointer(unsafe.SliceData(words)), unsafe.Pointer(unsafe.SliceData(more))
		if err := b.Read(x); err != nil {
			return err
		}
		if err := from.Read(y); err != nil {
			return err
		}
		addFloats(kernel.FloatsOf(b.Elem), b.bytesAt(x), from.bytesAt(y))
		return b.Write(x)
	}
	if x, y := b.bytes(), from.bytes(); len(x) == len(y) { // neither has been freed
		addFloats(kernel.FloatsOf(b.Elem), x, y)
	}
	return nil
}

// addFloats adds the floats in elements to those in others.
func addFloats(floats kernel.Floats, to, from []byte) {
	switch {
	case len(to) == 0:
		return
	case floats.All == 32:
		addAll[float32](to, from)
		return
	case floats.All == 64:
		addAll[float64](to, from)
		return
	}
	for at := uintptr(0); at < uintptr(len(to)); at += floats.Size {
		for _, offset := range floats.Singles {
			*(*float32)(unsafe.Pointer(&to[at+offset])) += *(*float32)(unsafe.Pointer(&from[at+offset]))
		}
		for _, offset := range floats.Doubles {
			*(*float64)(unsafe.Pointer(&to[at+offset])) += *(*float64)(unsafe.Pointer(&from[at+offset]))
		}
		for _, h := range floats.Halves {
			p, q := (*uint16)(unsafe.Pointer(&to[at+h.Offset])), *(*uint16)(unsafe.Pointer(&from[at+h.Offset]))
			*p = h.Format.Bits(h.Format.Float(*p) + h.Format.Float(q)) // as kernels add them
		}
	}
}

// addAll adds numbers to others.
func addAll[T float32 | float64](to, from []byte) {
	size := int(unsafe.Sizeof(T(0)))
	x := unsafe.Slice((*T)(unsafe.Pointer(&to[0])), len(to)/size)
	y := unsafe.Slice((*T)(unsafe.Pointer(&from[0])), len(x))
	for i := range x {
		x[i] += y[i]
	}
}
