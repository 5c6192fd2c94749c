package device

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"sync/atomic"
	"unsafe"

	"github.com/qdgen/qd/internal/build"
	"github.com/qdgen/qd/internal/gort"
	"github.com/qdgen/qd/internal/runtime/dims"
	"github.com/qdgen/qd/internal/runtime/kernel"
	"github.com/qdgen/qd/ssa"
)

// packNew is pack into new memory.
func (l *Launch) packNew(abi *build.ABI, how *packing, address func(slice reflect.Value) uintptr) (buf []byte, keep []any, err error) {
	words := make([]uint64, (abi.Size+7)/8) // aligned for any field
	buf = unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), abi.Size)
	keep, err = l.pack(buf, nil, abi, how, address)
	return buf, keep, err
}

// pack writes the argument struct of a compiled kernel to memory that is zero. address is where a plain slice is in
// the device's memory, nil for slices that are used in place; keep is what must stay reachable while the addresses
// in the struct are used: the arguments themselves, in their own slice if none of them is a buffer, else in the
// memory of list if that is long enough.
func (l *Launch) pack(buf []byte, list []any, abi *build.ABI, how *packing, address func(slice reflect.Value) uintptr) (keep []any, err error) {
	putDims(buf, abi, &l.Dim)
	if abi.Blocked {
		binary.NativeEndian.PutUint64(buf[8*4:], uint64(l.Kernel.BlockSize()))
	}
	keep = l.Args
	copied := false
	for i := range l.Args {
		arg, p := &l.Args[i], &how.params[i]
		at := buf[p.offset:]
		if a, ok := (*arg).(*Buffer); ok {
			if !copied {
				keep, copied = append(list[:0], keep...), true
			}
			var addr uintptr
			if addr, keep[i] = a.hold(); keep[i] == nil {
				return nil, l.freed()
			}
			putSlice(at, notNil(addr), a.N)
			if l.Kernel.Args[i].Kind() != reflect.Slice {
				putShape(at[sliceSize:], a.Shape)
			}
			continue
		}
		if !p.put(at, arg, address) {
			putValue(at, reflect.ValueOf(*arg), address)
		}
	}
	return keep, nil
}

// A packing is how the arguments of a function are packed for a compiled kernel.
type packing struct {
	of     *kernel.Func
	params []packedParam
}

// packings keeps the packing of the function that has been launched last. The zero packings keep none.
type packings struct{ last atomic.Pointer[packing] }

// find returns the packing of a function for a kernel, always the same one.
func (c *packings) find(k *kernel.Func, abi *build.ABI) *packing {
	how := c.last.Load()
	if how == nil || how.of != k {
		how = newPacking(k, abi)
		c.last.Store(how)
	}
	return how
}

// A packedParam is where a parameter is in the argument struct, and what makes the most common ones quick.
type packedParam struct {
	offset int
	form   packedForm
}

type packedForm uint8

const (
	anyForm   packedForm = iota // whatever it is
	byteForm                    // a number or a bool that is as in Go's memory: of 1 byte
	halfForm                    // of 4
	wordForm                    // of 8
	sliceForm                   // a slice
)

// newPacking panics if the parameters of the function do not have the sizes that the kernel has been compiled for.
func newPacking(k *kernel.Func, abi *build.ABI) *packing {
	how := &packing{of: k, params: make([]packedParam, len(k.Args))}
	for i, t := range k.Args {
		p := &abi.Params[i]
		size, _ := sizeAndAlign(t)
		if size != p.Size {
			panic(fmt.Sprintf("BUG: parameter %s of type %v has %d bytes here and %d in the kernel", p.Name, t, size, p.Size))
		}
		how.params[i] = packedParam{p.Offset, formOf(t)}
	}
	return how
}

func formOf(t reflect.Type) packedForm {
	switch t.Kind() {
	case reflect.Slice:
		return sliceForm
	case reflect.Bool, reflect.Int8, reflect.Uint8:
		return byteForm
	case reflect.Int32, reflect.Uint32, reflect.Float32:
		return halfForm
	case reflect.Int, reflect.Int64, reflect.Uint, reflect.Uint64, reflect.Uintptr, reflect.Float64:
		if t.Size() == 8 {
			return wordForm
		}
	}
	return anyForm
}

// put writes an argument into the argument struct, unless that takes package reflect.
func (p *packedParam) put(buf []byte, arg *any, address func(slice reflect.Value) uintptr) bool {
	value := gort.In(arg, false) // none of the forms is a pointer
	switch p.form {
	case byteForm:
		buf[0] = *(*byte)(value)
	case halfForm:
		binary.NativeEndian.PutUint32(buf, *(*uint32)(value))
	case wordForm:
		binary.NativeEndian.PutUint64(buf, *(*uint64)(value))
	case sliceForm:
		if address != nil {
			return false
		}
		elems := *(*[]byte)(value) // as long, whatever its elements are
		addr := uintptr(unsafe.Pointer(unsafe.SliceData(elems)))
		if elems != nil {
			addr = notNil(addr)
		}
		putSlice(buf, addr, len(elems))
	default:
		return false
	}
	return true
}

// A slice in a kernel is an address and a length, without Go's capacity.
const sliceSize = 16

// sizeAndAlign is the size and the alignment that a type has in a kernel: Go's own, but
// for slices and what has some in it.
func sizeAndAlign(t reflect.Type) (size, align int) {
	if !kernel.HasSlices(t) {
		return int(t.Size()), t.Align()
	}
	switch t.Kind() {
	case reflect.Slice:
		return sliceSize, 8
	case reflect.Array:
		size, align = sizeAndAlign(t.Elem())
		return size * t.Len(), align
	}
	last := 0
	for i := range t.NumField() {
		n, a := sizeAndAlign(t.Field(i).Type)
		last, size, align = n, ssa.AlignUp(size, a)+n, max(align, a)
	}
	if last == 0 {
		size++ // as Go does, so that the last field's address stays within
	}
	return ssa.AlignUp(size, align), align
}

// eachSlice calls f for the slices in a value.
func eachSlice(v reflect.Value, f func(slice reflect.Value)) {
	if !kernel.HasSlices(v.Type()) {
		return
	}
	switch v.Kind() {
	case reflect.Slice:
		f(v)
	case reflect.Array:
		for i := range v.Len() {
			eachSlice(v.Index(i), f)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			eachSlice(v.Field(i), f)
		}
	}
}

// putValue writes a value into the argument struct as the device reads it:
// little-endian or not, devices share the host's byte order.
func putValue(buf []byte, v reflect.Value, address func(slice reflect.Value) uintptr) {
	ne := binary.NativeEndian
	switch v.Kind() {
	case reflect.Bool:
		buf[0] = 0
		if v.Bool() {
			buf[0] = 1
		}
	case reflect.Int8:
		buf[0] = byte(v.Int())
	case reflect.Int16:
		ne.PutUint16(buf, uint16(v.Int()))
	case reflect.Int32:
		ne.PutUint32(buf, uint32(v.Int()))
	case reflect.Int, reflect.Int64:
		ne.PutUint64(buf, uint64(v.Int()))
	case reflect.Uint8:
		buf[0] = byte(v.Uint())
	case reflect.Uint16:
		ne.PutUint16(buf, uint16(v.Uint()))
	case reflect.Uint32:
		ne.PutUint32(buf, uint32(v.Uint()))
	case reflect.Uint, reflect.Uint64, reflect.Uintptr:
		ne.PutUint64(buf, v.Uint())
	case reflect.Float32:
		ne.PutUint32(buf, math.Float32bits(float32(v.Float())))
	case reflect.Float64:
		ne.PutUint64(buf, math.Float64bits(v.Float()))
	case reflect.Complex64:
		ne.PutUint32(buf, math.Float32bits(real(complex64(v.Complex()))))
		ne.PutUint32(buf[4:], math.Float32bits(imag(complex64(v.Complex()))))
	case reflect.Complex128:
		ne.PutUint64(buf, math.Float64bits(real(v.Complex())))
		ne.PutUint64(buf[8:], math.Float64bits(imag(v.Complex())))
	case reflect.Slice:
		addr := v.Pointer()
		if address != nil {
			addr = address(v)
		}
		if !v.IsNil() {
			addr = notNil(addr)
		}
		putSlice(buf, addr, v.Len())
	case reflect.Array:
		size, _ := sizeAndAlign(v.Type().Elem())
		for i := range v.Len() {
			putValue(buf[i*size:], v.Index(i), address)
		}
	case reflect.Struct:
		at := 0
		for i := range v.NumField() {
			size, align := sizeAndAlign(v.Field(i).Type())
			at = ssa.AlignUp(at, align)
			putValue(buf[at:], v.Field(i), address)
			at += size
		}
	default:
		panic("BUG: parameter of kind " + v.Kind().String() + " got past the front end")
	}
}

// notNil is the address of a slice that is not nil: what has no elements need not be
// anywhere, and a kernel can tell whether a slice is nil.
func notNil(addr uintptr) uintptr {
	if addr == 0 {
		return 16
	}
	return addr
}

// putSlice writes a slice of n elements at an address into the argument struct.
func putSlice(buf []byte, ptr uintptr, n int) {
	binary.NativeEndian.PutUint64(buf, uint64(ptr))
	binary.NativeEndian.PutUint64(buf[8:], uint64(n))
}

// putShape writes what a view of an array of a shape has after its slice: the
// sizes, then the strides.
func putShape(buf []byte, shape []int) {
	stride := 1
	for axis := len(shape) - 1; axis >= 0; axis-- {
		binary.NativeEndian.PutUint64(buf[8*axis:], uint64(shape[axis]))
		binary.NativeEndian.PutUint64(buf[8*(len(shape)+axis):], uint64(stride))
		stride *= shape[axis]
	}
}

// putDims writes the launch's dimensions, which stand first in every argument struct,
// before the number of threads in a block if it has that, and what else the kernel has of them.
func putDims(buf []byte, abi *build.ABI, dim *dims.Dims) {
	sizes := [4]int64{1, 1, 1, 1}
	for axis, n := range dim.N[:dim.Rank] {
		sizes[axis] = int64(n)
	}
	abi.Sizes.Put(buf, sizes)
}
