package device

import (
	"runtime"
	"unsafe"
)

// Part is a buffer of n elements of this one, from one on, in the same memory.
func (b *Buffer) Part(from int, shape []int, n int) *Buffer {
	size := int(b.Elem.Size())
	p := &Buffer{Elem: b.Elem, Shape: shape, N: n, ghost: b.ghost, owner: b.whole(), from: b.from + from*size}
	switch {
	case b.mem != nil:
		p.mem = b.mem.Part(from*size, n*size)
	case b.slice().IsValid():
		p.host = b.slice().Slice3(from, from+n, from+n)
	}
	return p
}

// whole is the buffer that the memory is of.
func (b *Buffer) whole() *Buffer {
	if b.owner != nil {
		return b.owner
	}
	return b
}

// Overlaps reports whether two buffers have memory in common.
func (b *Buffer) Overlaps(c *Buffer) bool {
	return b.whole() == c.whole() && b.from < c.from+c.Size() && c.from < b.from+b.Size()
}

// From is the place of the first element in the memory of the whole, in bytes.
func (b *Buffer) From() int { return b.from }

// CopyFrom sets the elements to those of another buffer of the same size, which may be of another device.
func (b *Buffer) CopyFrom(from *Buffer) error {
	defer runtime.KeepAlive(b)
	defer runtime.KeepAlive(from)
	switch {
	case b.mem == nil && from.mem == nil:
		copy(b.bytes(), from.bytes())
		return nil
	case b.mem == nil:
		return from.mem.Read(b.bytes())
	case from.mem == nil:
		return b.mem.Write(from.bytes())
	}
	return b.mem.CopyFrom(from.mem)
}

// Duplicate is another buffer with the same elements.
func (b *Buffer) Duplicate(backend Backend) (*Buffer, error) {
	d := &Buffer{Elem: b.Elem, Shape: b.Shape, N: b.N}
	if b.mem == nil {
		if err := d.makeHost(nameOf(backend)); err != nil {
			return nil, err
		}
		copy(d.bytes(), b.bytes())
		return d, nil
	}
	mem, err := b.mem.Duplicate()
	runtime.KeepAlive(b)
	if err != nil {
		return nil, err
	}
	d.setMemory(mem)
	return d, nil
}

// Clear sets the elements to zero.
func (b *Buffer) Clear() error {
	if b.mem == nil {
		clear(b.bytes())
		return nil
	}
	err := b.mem.Zero()
	runtime.KeepAlive(b)
	return err
}

// Fill sets every element to one of the host.
func (b *Buffer) Fill(elem unsafe.Pointer) error {
	one := unsafe.Slice((*byte)(elem), b.Elem.Size())
	if b.mem == nil {
		repeat(b.bytes(), one)
		return nil
	}
	err := b.mem.Fill(one)
	runtime.KeepAlive(b)
	return err
}

// repeat fills memory with copies of some bytes: each step doubles what there is.
func repeat(all, one []byte) {
	for n := copy(all, one); n < len(all); {
		n += copy(all[n:], all[:n])
	}
}
