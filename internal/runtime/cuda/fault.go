package cuda

import (
	"fmt"
	"slices"
	"sync"
	"unsafe"

	"github.com/qdgen/qd/internal/runtime/fault"
)

// faults is the variable in which the kernels of a module leave how they failed.
// Behind each launch its contents are moved to a slot of the launch's own, so that the
// host need not wait before the next one; slots are read when the launch's stream is
// waited for. As the variable is one, launches on different streams wait for each other.
type faults struct {
	dev    *Device
	record *Memory // the variable
	slots  *Memory

	mu     sync.Mutex
	queued []queuedLaunch // whose slots have not been read
	last   *Stream        // that the last of them is on: those of other streams have ended
}

// queuedLaunch is a launch whose slot is to be read.
type queuedLaunch struct {
	*Launch
	slot int
}

// slots that a module has: so many launches can be queued without waiting.
const slotCount = 64

// newFaults finds out whether the kernels of a module can fail; nil if not.
func newFaults(m *Module) (*faults, error) {
	addr, bytes, ok, err := m.global(fault.Symbol)
	if err != nil || !ok {
		return nil, err
	}
	if bytes != fault.Size {
		panic(fmt.Sprintf("BUG: %s has %d bytes", fault.Symbol, bytes))
	}
	d := m.dev
	f := &faults{dev: d, record: &Memory{dev: d, addr: addr, size: bytes}}
	if f.slots, err = d.Alloc(slotCount * fault.Size); err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	// A new slice: the old one may be in use.
	d.faults = append(d.faults[:len(d.faults):len(d.faults)], f)
	return f, nil
}

// slot is the memory of one slot.
func (f *faults) slot(i int) *Memory {
	return &Memory{dev: f.dev, addr: f.slots.addr + uintptr(i*fault.Size), size: fault.Size}
}

// launch queues a launch of a kernel that can fail.
func (f *faults) launch(l *Launch) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := l.stream
	if f.last != nil && f.last != s && len(f.queued) > 0 && !f.last.closed.Load() {
		if err := f.last.settle(); err != nil {
			return err
		}
	}
	if len(f.queued) == slotCount {
		if err := f.read(nil); err != nil {
			return err
		}
	}
	slot := 0
	for slices.ContainsFunc(f.queued, func(q queuedLaunch) bool { return q.slot == slot }) {
		slot++
	}
	if err := l.queue(); err != nil {
		return err
	}
	f.last = s
	f.queued = append(f.queued, queuedLaunch{l, slot})
	s.mayFail(f)
	if err := s.Copy(f.slot(slot), f.record, fault.Size); err != nil {
		return err
	}
	return s.Fill(f.record, 0)
}

// collect gives the streams of launches that have ended the faults of those: of
// one stream, or of all for nil.
func (f *faults) collect(s *Stream) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.read(s)
}

// read is collect with the lock held.
func (f *faults) read(s *Stream) error {
	wanted := func(q queuedLaunch) bool { return s == nil || q.stream == s }
	if !slices.ContainsFunc(f.queued, wanted) {
		return nil // another goroutine was faster
	}
	if (s == nil || f.last == s) && !f.last.closed.Load() {
		// Others may have queued launches since it was waited for.
		if err := f.last.settle(); err != nil {
			return err
		}
	}
	records := make([]fault.Record, slotCount)
	if err := f.slots.Read(unsafe.Slice((*byte)(unsafe.Pointer(&records[0])), slotCount*fault.Size)); err != nil {
		return err
	}
	for _, q := range f.queued {
		if r := records[q.slot]; wanted(q) && r.State == fault.Set {
			q.stream.failed(q.Launch, r)
		}
	}
	f.queued = slices.DeleteFunc(f.queued, wanted)
	if s != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.faults = slices.DeleteFunc(s.faults, func(other *faults) bool { return other == f })
	}
	return nil
}

// mayFail notes that a kernel that can fail was queued.
func (s *Stream) mayFail(f *faults) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.Contains(s.faults, f) {
		s.faults = append(s.faults, f)
	}
}

// failed notes the fault of a launch, if it is the first since the last Sync.
func (s *Stream) failed(l *Launch, r fault.Record) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fault != nil {
		return
	}
	if s.fault = fmt.Errorf("a check of thread %d failed", r.Thread); l.faulted != nil {
		s.fault = l.faulted(&r)
	}
}

// collect reads how the launches on the stream failed, which has been waited for.
func (s *Stream) collect() error {
	s.mu.Lock()
	faults := slices.Clone(s.faults)
	s.mu.Unlock()
	for _, f := range faults {
		if err := f.collect(s); err != nil {
			return err
		}
	}
	return nil
}

// takeFault returns the first fault since it was called last.
func (s *Stream) takeFault() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.fault
	s.fault = nil
	return err
}

// firstFault is the first fault since the last Sync.
func (s *Stream) firstFault() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fault
}
