package device

import (
	"fmt"
	"reflect"
	"runtime"
	"sync"
	"unsafe"

	"github.com/qdgen/qd/internal/runtime/failure"
)

// A Buffer is the memory of an array, of elements of one type in row-major order.
type Buffer struct {
	Elem  reflect.Type
	Shape []int
	N     int    // elements
	mem   Memory // nil on devices that work on host memory
	mu    sync.Mutex
	host  reflect.Value // the elements, on devices that work on host memory: a slice; not valid when freed
	ghost bool          // there is no memory, and nobody looks for it
	owner *Buffer       // whose memory it is, nil for its own
	from  int           // where in that memory it begins, in bytes
}

// NewBuffer makes a buffer on a device of a name, whose elements are not set. There is one with an error too, without
// memory.
func NewBuffer(b Backend, device string, elem reflect.Type, shape []int, n int) (*Buffer, error) {
	buf := &Buffer{Elem: elem, Shape: shape, N: n}
	mem, err := b.Alloc(n * int(elem.Size()))
	switch {
	case mem != nil:
		buf.setMemory(mem)
	case err == nil:
		err = buf.makeHost(device)
	}
	return buf, err
}

// setMemory gives memory of the device to the buffer, which frees it when it is no longer reachable.
func (b *Buffer) setMemory(mem Memory) {
	b.mem = mem
	runtime.AddCleanup(b, func(m Memory) { m.Free() }, mem)
}

// Ghost is a buffer of the same elements without memory, for a kernel that neither reads nor writes any of them.
func (b *Buffer) Ghost() *Buffer {
	return &Buffer{Elem: b.Elem, Shape: b.Shape, N: b.N, ghost: true}
}

// Like is a buffer of the same elements as another one in the memory of this one, which is as large at least.
func (b *Buffer) Like(other *Buffer) *Buffer {
	c := &Buffer{Elem: other.Elem, Shape: other.Shape, N: other.N, mem: b.mem, owner: b}
	if b.mem == nil {
		c.host = reflect.SliceAt(other.Elem, b.slice().UnsafePointer(), other.N)
	}
	return c
}

// Size is the number of bytes.
func (b *Buffer) Size() int { return b.N * int(b.Elem.Size()) }

// makeHost makes memory of the host; a size that no memory has is an error. (That memory runs out
// is fatal to a Go program, and cannot be.)
func (b *Buffer) makeHost(device string) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &failure.DeviceError{Device: device, Op: fmt.Sprintf("allocate %d elements", b.N), Err: fmt.Errorf("%v", v)}
		}
	}()
	// No kernel's elements have pointers.
	words := make([]uint64, (b.N*int(b.Elem.Size())+7)/8)
	adviseHuge(words)
	b.host = reflect.SliceAt(b.Elem, unsafe.Pointer(unsafe.SliceData(words)), b.N)
	return nil
}

// ValidElem reports whether kernels can take slices of a type.
func ValidElem(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Bool,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr,
		reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		return true
	case reflect.Array:
		return ValidElem(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if !ValidElem(t.Field(i).Type) {
				return false
			}
		}
		return true
	}
	return false
}

// Read copies the elements to as many of the host.
func (b *Buffer) Read(host unsafe.Pointer) error {
	if b.mem == nil {
		copy(b.bytesAt(host), b.bytes())
		return nil
	}
	err := b.mem.Read(b.bytesAt(host))
	runtime.KeepAlive(b)
	return err
}

// Write copies the elements from as many of the host.
func (b *Buffer) Write(host unsafe.Pointer) error {
	if b.mem == nil {
		copy(b.bytes(), b.bytesAt(host))
		return nil
	}
	err := b.mem.Write(b.bytesAt(host))
	runtime.KeepAlive(b)
	return err
}

// Zero sets the elements of a new buffer to zero. Go's memory is.
func (b *Buffer) Zero() error {
	if b.mem == nil {
		return nil
	}
	return b.mem.Zero()
}

// Free gives the memory back now.
func (b *Buffer) Free() {
	b.mu.Lock()
	b.host = reflect.Value{}
	b.mu.Unlock()
	if b.mem != nil {
		b.mem.Free()
	}
}

// slice is the elements, on devices that work on host memory: not valid when they have been freed, which the zero
// Value stands for.
func (b *Buffer) slice() reflect.Value {
	if b.owner != nil && !b.owner.slice().IsValid() {
		return reflect.Value{}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.host
}

// hold gives the address of the elements in the device's memory, and what must
// be kept reachable for as long as it is used: nil when the buffer has been freed. On devices that work on host
// memory that is the slice of them.
func (b *Buffer) hold() (address uintptr, keep any) {
	if b.ghost {
		return 0, b
	}
	if b.mem != nil {
		return b.mem.Address(), b
	}
	host := b.slice()
	if !host.IsValid() {
		return 0, nil
	}
	return host.Pointer(), host.Interface()
}

// bytes is the memory of the elements, on devices that work on host memory: none when they have been freed.
func (b *Buffer) bytes() []byte {
	host := b.slice()
	if !host.IsValid() {
		return nil
	}
	return b.bytesAt(host.UnsafePointer())
}

// bytesAt is the memory of as many elements as the buffer has, from an address of the host.
func (b *Buffer) bytesAt(host unsafe.Pointer) []byte {
	return unsafe.Slice((*byte)(host), b.N*int(b.Elem.Size()))
}

// Over is a buffer of the same type over n elements of the host, which it does not copy: there is one on devices that
// work on host memory, and nil on others.
func (b *Buffer) Over(host unsafe.Pointer, n int) *Buffer {
	if b.mem != nil {
		return nil
	}
	// The slice keeps the elements reachable, and memory that is reachable from there does not move.
	return &Buffer{Elem: b.Elem, Shape: []int{n}, N: n, host: reflect.SliceAt(b.Elem, host, n)}
}
