package cuda

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/qdgen/qd/internal/runtime/fault"
)

// A Stream is an ordered queue of copies and launches on a device. It does not
// wait for other streams, nor they for it.
type Stream struct {
	dev    *Device
	handle uintptr

	mu       sync.Mutex
	host     [][]byte    // memory of the host that queued copies may use
	printers []*printer  // of the modules of queued launches
	faults   []collector // of the modules and graphs that may have failed
	untold   fault.Untold

	closed atomic.Bool
	ending sync.RWMutex // held to give the stream back, and by those who wait for a stream that is not theirs
}

// NewStream makes a stream. Close gives it back.
func (d *Device) NewStream() (*Stream, error) {
	s := &Stream{dev: d}
	if err := d.call(&d.drv.streamCreate, uintptr(unsafe.Pointer(&s.handle)), streamNonBlocking); err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.streams[s] = struct{}{}
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

// release gives up the memory that was kept, and returns it: the caller keeps it
// reachable until it has waited.
func (s *Stream) release() [][]byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	host := s.host
	s.host = nil
	return host
}

// prints notes that a kernel that prints was queued.
func (s *Stream) prints(p *printer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.Contains(s.printers, p) {
		s.printers = append(s.printers, p)
	}
}

// Closed reports whether the stream has been closed.
func (s *Stream) Closed() bool { return s.closed.Load() }

// call calls a function of the driver that uses the stream, which must not have
// been given back: to the driver a stream is a pointer.
//
//go:uintptrescapes
func (s *Stream) call(f *function, args ...uintptr) error {
	if s.closed.Load() {
		return errors.New("the stream has been closed")
	}
	return s.dev.call(f, args...)
}

// Sync waits until everything queued so far has ended, and hands on what kernels
// printed. The error is that of the first that failed, or what [Launch.OnFault] made of
// the first fault since the last Sync. When ctx ends before, its
// error is returned, and the queue goes on.
func (s *Stream) Sync(ctx context.Context) error {
	if ctx.Done() == nil {
		return s.sync()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- s.gather() }()
	select {
	case err := <-done:
		if err != nil {
			return err
		}
		return s.takeFault()
	case <-ctx.Done():
		return ctx.Err() // a fault is left to the next Sync
	}
}

func (s *Stream) sync() error {
	if err := s.gather(); err != nil {
		return err
	}
	return s.takeFault()
}

// gather waits, hands on what kernels printed, and reads how they failed.
func (s *Stream) gather() error {
	s.mu.Lock()
	printers := s.printers
	s.printers = nil
	s.mu.Unlock()
	if err := s.Settle(); err != nil {
		return err
	}
	if err := drain(printers); err != nil {
		return err
	}
	return s.collect()
}

// Settle waits until everything queued so far has ended. What kernels printed, and how they failed, is left to the next
// Sync.
func (s *Stream) Settle() error {
	host := s.release()
	err := s.call(&s.dev.drv.streamSynchronize, s.handle)
	// Where the call failed the context has, and the driver copies nothing any more.
	runtime.KeepAlive(host)
	return err
}

// settleIfOpen is Settle for a stream that its owner may close meanwhile, who waits for it.
func (s *Stream) settleIfOpen() error {
	s.ending.RLock()
	defer s.ending.RUnlock()
	if s.closed.Load() {
		return nil
	}
	return s.Settle()
}

// Close waits for what was queued and gives the stream back. Later calls do
// nothing.
func (s *Stream) Close() error {
	d := s.dev
	d.mu.Lock()
	_, open := d.streams[s]
	delete(d.streams, s)
	d.mu.Unlock()
	if !open {
		return nil
	}
	err := s.sync()
	s.ending.Lock()
	defer s.ending.Unlock()
	s.closed.Store(true)
	if derr := d.call(&d.drv.streamDestroy, s.handle); err == nil {
		err = derr
	}
	return err
}

// An Event is a mark in a stream, to time what runs between two of them. It is
// for one goroutine at a time.
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
	return s.call(&e.dev.drv.eventRecord, e.handle, s.handle)
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

// Close gives the event back. Later calls do nothing.
func (e *Event) Close() error {
	handle := e.handle
	if e.handle = 0; handle == 0 {
		return nil
	}
	return e.dev.call(&e.dev.drv.eventDestroy, handle)
}
