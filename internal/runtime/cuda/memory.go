package cuda

import (
	"errors"
	"fmt"
	"sync/atomic"
	"unsafe"

	"github.com/qdgen/qd/internal/dl"
)

// Memory is a piece of a device's memory.
type Memory struct {
	dev   *Device
	addr  uintptr
	size  int
	freed atomic.Bool
	whole *Memory // of which it is a part, nil for one of its own
}

// Alloc allocates memory, whose contents are not set. No bytes are no memory, with
// the address 0.
func (d *Device) Alloc(bytes int) (*Memory, error) {
	if bytes < 0 {
		return nil, fmt.Errorf("%d bytes of memory asked for", bytes)
	}
	m := &Memory{dev: d, size: bytes}
	if bytes == 0 {
		return m, nil // the driver refuses it
	}
	err := d.call(&d.drv.memAlloc, uintptr(unsafe.Pointer(&m.addr)), uintptr(bytes))
	if err == nil {
		return m, nil
	}
	if is(err, ErrorOutOfMemory) {
		detail := size(uint64(bytes)) + " asked for"
		if free, total, err := d.Free(); err == nil {
			detail += fmt.Sprintf(", %s free of %s", size(free), size(total))
		}
		err = withDetail(err, detail)
	}
	return nil, err
}

// Address is the memory's address on the device.
func (m *Memory) Address() uintptr { return m.addr }

// Size is the memory's size in bytes.
func (m *Memory) Size() int { return m.size }

// Part is a part of the memory, in bytes. It is there as long as the whole is.
func (m *Memory) Part(from, size int) *Memory {
	p := &Memory{dev: m.dev, addr: m.addr + uintptr(from), size: size, whole: m}
	if m.whole != nil {
		p.whole = m.whole
	}
	return p
}

// Free gives the memory back once the work that was started on the device has
// ended. Later calls do nothing. That of a part gives nothing back.
func (m *Memory) Free() error {
	if m.freed.Swap(true) || m.addr == 0 || m.whole != nil {
		return nil
	}
	return m.dev.call(&m.dev.drv.memFree, m.addr)
}

// Write copies host to the beginning of the memory, in the order of the device's
// own stream, and waits for it: host may be used again, and kernels of any stream
// launched from now on see the data.
func (m *Memory) Write(host []byte) error {
	if err := m.dev.stream.CopyIn(m, host); err != nil {
		return err
	}
	return m.dev.stream.Settle()
}

// Read copies the beginning of the memory to host, in the order of the device's
// own stream, and waits for it.
func (m *Memory) Read(host []byte) error {
	if err := m.dev.stream.CopyOut(host, m); err != nil {
		return err
	}
	return m.dev.stream.Settle()
}

// ReadAt copies memory at an address to host, after what is queued so far, and
// waits for it. The memory is the caller's to know.
func (s *Stream) ReadAt(host []byte, addr uintptr) error {
	s.keep(host)
	if err := s.call(&s.dev.drv.memcpyDtoHAsync, dl.Address(host), addr, uintptr(len(host)), s.handle); err != nil {
		return err
	}
	return s.Settle()
}

// WriteAt copies host to memory at an address, after what is queued so far, and
// waits for it.
func (s *Stream) WriteAt(addr uintptr, host []byte) error {
	s.keep(host)
	if err := s.call(&s.dev.drv.memcpyHtoDAsync, addr, dl.Address(host), uintptr(len(host)), s.handle); err != nil {
		return err
	}
	return s.Settle()
}

// CopyIn queues a copy of host to the beginning of the memory. The slice must not
// be changed until the stream has been waited for.
func (s *Stream) CopyIn(to *Memory, host []byte) error {
	if err := to.usable(s, len(host)); err != nil || len(host) == 0 {
		return err
	}
	s.keep(host)
	return s.call(&s.dev.drv.memcpyHtoDAsync, to.addr, dl.Address(host), uintptr(len(host)), s.handle)
}

// CopyOut queues a copy of the beginning of the memory to host. The slice must
// not be used until the stream has been waited for.
func (s *Stream) CopyOut(host []byte, from *Memory) error {
	if err := from.usable(s, len(host)); err != nil || len(host) == 0 {
		return err
	}
	s.keep(host)
	return s.call(&s.dev.drv.memcpyDtoHAsync, dl.Address(host), from.addr, uintptr(len(host)), s.handle)
}

// Copy queues a copy of the first bytes of one memory to another's.
func (s *Stream) Copy(to, from *Memory, bytes int) error {
	if err := errors.Join(to.usable(s, bytes), from.usable(s, bytes)); err != nil || bytes == 0 {
		return err
	}
	return s.call(&s.dev.drv.memcpyDtoDAsync, to.addr, from.addr, uintptr(bytes), s.handle)
}

// CopyAt queues a copy of memory at an address to another address. The memory is the caller's to know.
func (s *Stream) CopyAt(to, from uintptr, bytes int) error {
	if bytes == 0 {
		return nil
	}
	return s.call(&s.dev.drv.memcpyDtoDAsync, to, from, uintptr(bytes), s.handle)
}

// Fill queues the setting of every byte of the memory.
func (s *Stream) Fill(m *Memory, value byte) error {
	if err := m.usable(s, m.size); err != nil || m.size == 0 {
		return err
	}
	return s.call(&s.dev.drv.memsetD8Async, m.addr, uintptr(value), uintptr(m.size), s.handle)
}

// usable says why so many bytes of the memory cannot be used on a stream.
func (m *Memory) usable(s *Stream, bytes int) error {
	switch {
	case m.freed.Load() || m.whole != nil && m.whole.freed.Load():
		return errors.New("the memory has been freed")
	case m.dev != s.dev:
		return fmt.Errorf("the memory is on GPU %d, but the stream is on GPU %d", m.dev.info.Ordinal, s.dev.info.Ordinal)
	case bytes < 0 || bytes > m.size:
		return fmt.Errorf("%d bytes of a memory of %d", bytes, m.size)
	}
	return nil
}
