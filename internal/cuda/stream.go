package cuda

import (
	"context"
	"slices"
	"sync"
	"time"
	"unsafe"
)

// A Stream is an ordered queue of copies and launches on a device. It does not
// wait for other streams, nor they for it.
type Stream struct {
	dev    *Device
	handle uintptr

	mu       sync.Mutex
	host     [][]byte   // memory of the host that queued copies may use
	printers []*printer // of the modules of queued launches
	closed   bool
}

// NewStream makes a stream. Close gives it back.
func (d *Device) NewStream() (*Stream, error) {
	s := &Stream{dev: d}
	if err := d.call(&d.drv.streamCreate, uintptr(unsafe.Pointer(&s.handle)), streamNonBlocking); err != nil {
		return nil, err
	}
	return s, nil
}

// Device is the device that the stream is on.
func (s *Stream) Device() *Device { return s.dev }

// keep keeps memory of the host reachable until the stream is waited for.
func (s *Stream) keep(host []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.host = append(s.host, host)
}

// prints notes that a kernel that prints was queued.
func (s *Stream) prints(p *printer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.Contains(s.printers, p) {
		s.printers = append(s.printers, p)
	}
}

// Sync waits until everything queued so far has ended, and hands on what kernels
// printed. The error is that of the first that failed. When ctx ends before, its
// error is returned, and the queue goes on.
func (s *Stream) Sync(ctx context.Context) error {
	if ctx.Done() == nil {
		return s.sync()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- s.sync() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *Stream) sync() error {
	s.mu.Lock()
	printers := s.printers
	s.printers = nil
	s.mu.Unlock()
	if err := s.settle(); err != nil {
		return err
	}
	return drain(printers)
}

// settle waits until everything queued so far has ended.
func (s *Stream) settle() error {
	s.mu.Lock()
	host := s.host
	s.host = nil
	s.mu.Unlock()
	err := s.dev.call(&s.dev.drv.streamSynchronize, s.handle)
	// Not before here may the copies' memory be collected. Where the call failed
	// the context has failed, and the driver copies nothing any more.
	clear(host)
	return err
}

// Close waits for what was queued and gives the stream back. Later calls do
// nothing.
func (s *Stream) Close() error {
	s.mu.Lock()
	closed := s.closed
	s.closed = true
	s.mu.Unlock()
	if closed {
		return nil
	}
	err := s.sync()
	if derr := s.dev.call(&s.dev.drv.streamDestroy, s.handle); err == nil {
		err = derr
	}
	return err
}

// An Event is a mark in a stream, to time what runs between two of them.
type Event struct {
	dev    *Device
	handle uintptr
}

// NewEvent makes an event. Close gives it back.
func (d *Device) NewEvent() (*Event, error) {
	e := &Event{dev: d}
	if err := d.call(&d.drv.eventCreate, uintptr(unsafe.Pointer(&e.handle)), 0); err != nil {
		return nil, err
	}
	return e, nil
}

// Record puts the mark behind everything queued on the stream so far.
func (e *Event) Record(s *Stream) error {
	return e.dev.call(&e.dev.drv.eventRecord, e.handle, s.handle)
}

// Sync waits until the mark is reached.
func (e *Event) Sync() error { return e.dev.call(&e.dev.drv.eventSynchronize, e.handle) }

// Since is the time on the device from another mark to this one. Both must have
// been reached.
func (e *Event) Since(start *Event) (time.Duration, error) {
	var ms float32
	err := e.dev.call(&e.dev.drv.eventElapsedTime, uintptr(unsafe.Pointer(&ms)), start.handle, e.handle)
	return time.Duration(float64(ms) * float64(time.Millisecond)), err
}

// Close gives the event back.
func (e *Event) Close() error { return e.dev.call(&e.dev.drv.eventDestroy, e.handle) }
