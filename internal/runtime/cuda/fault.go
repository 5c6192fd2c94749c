package cuda

import (
	"fmt"
	"slices"
	"sync"
	"unsafe"

	"github.com/qdgen/qd/internal/runtime/fault"
)

// faults is a record of a module, in which a kernel leaves how it failed.
// Behind each launch its contents are moved to a slot of the launch's own, so that the
// host need not wait before the next one; slots are read when the launch's stream is
// waited for. As there is one record, launches of the kernel on different streams wait for each other.
type faults struct {
	dev    *Device
	order  recordOrder
	record *Memory
	slots  *slots

	mu   sync.Mutex
	turn Turn // to use the record
}

// recordOrder is the order in which several records are locked: by their modules, and in the module.
type recordOrder struct {
	module int64
	record int
}

// slots that a record has: so many launches can be queued without waiting.
const slotCount = 64

// findRecords finds out whether kernels of a module can fail.
func (m *Module) findRecords() error {
	addr, bytes, ok, err := m.global(fault.Symbol)
	if err != nil || !ok {
		return err
	}
	if bytes == 0 || bytes%fault.Size != 0 {
		panic(fmt.Sprintf("BUG: %s has %d bytes", fault.Symbol, bytes))
	}
	m.records, m.faults = &Memory{dev: m.dev, addr: addr, size: bytes}, make(map[int]*faults)
	return nil
}

// faultsOf is for the kernels that have a record.
func (m *Module) faultsOf(record int) (*faults, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if f := m.faults[record]; f != nil {
		return f, nil
	}
	slots, err := newSlots(m.dev, slotCount, 1)
	if err != nil {
		return nil, err
	}
	f := &faults{dev: m.dev, order: recordOrder{m.order, record}, record: m.records.Part(record*fault.Size, fault.Size), slots: slots}
	m.faults[record] = f
	return f, nil
}

// launch queues a launch of a kernel that can fail.
func (f *faults) launch(l *Launch) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := l.stream
	if err := f.turn.Take(s); err != nil {
		return err
	}
	slot, err := f.slots.take()
	if err != nil {
		return err
	}
	if err := l.queue(); err != nil {
		return err
	}
	f.slots.queue(queuedLaunch{recorded: l, stream: s, slot: slot}, f)
	if err := s.Copy(f.slots.at(slot), f.record, fault.Size); err != nil {
		return err
	}
	return s.Fill(f.record, 0)
}

// collect implements [collector].
func (f *faults) collect(s *Stream) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.slots.read(s, f)
}

// A Turn is whose stream may use a place on the device that there is once. Work of different streams that uses
// it waits for each other.
type Turn struct{ stream *Stream }

// Take gives the turn to a stream, after what the stream before has queued so far.
func (t *Turn) Take(s *Stream) error {
	if t.stream != nil && t.stream != s {
		if err := t.stream.settleIfOpen(); err != nil {
			return err
		}
	}
	t.stream = s
	return nil
}

// A collector has records of launches that have been queued on streams.
type collector interface {
	// collect gives a stream, which has been waited for, the faults of its launches.
	collect(s *Stream) error
}

// A recorded is a launch that leaves records, or a graph of some.
type recorded interface {
	// left is the launch that has left the ith record.
	left(i int) *Launch
}

// slots are places in a device's memory for the records of launches, which are read when the launches have ended.
type slots struct {
	dev    *Device
	memory *Memory
	count  int
	size   int            // records in a slot
	queued []queuedLaunch // whose slots have not been read
}

// queuedLaunch is a launch whose slot is to be read.
type queuedLaunch struct {
	recorded
	stream *Stream
	slot   int
	number int64 // of all launches of the device
}

// newSlots makes slots.
func newSlots(d *Device, count, size int) (*slots, error) {
	memory, err := d.Alloc(count * size * fault.Size)
	return &slots{dev: d, memory: memory, count: count, size: size}, err
}

// at is the memory of one slot.
func (t *slots) at(i int) *Memory { return t.memory.Part(i*t.size*fault.Size, t.size*fault.Size) }

// take gives a slot that is free. Where there is none it waits for the launches that are queued.
func (t *slots) take() (slot int, err error) {
	if len(t.queued) == t.count {
		if err := t.read(nil, nil); err != nil {
			return 0, err
		}
	}
	for slices.ContainsFunc(t.queued, func(q queuedLaunch) bool { return q.slot == slot }) {
		slot++
	}
	return slot, nil
}

// queue notes a launch that has been queued; the slots are c's.
func (t *slots) queue(q queuedLaunch, c collector) {
	q.number = t.dev.launches.Add(1)
	t.queued = append(t.queued, q)
	q.stream.mayFail(c)
}

// read gives a stream the faults of its launches, or all streams for nil; the slots are c's. The stream has been waited
// for, but others may have queued launches since.
func (t *slots) read(s *Stream, c collector) error {
	wanted := func(q queuedLaunch) bool { return s == nil || q.stream == s }
	if slices.ContainsFunc(t.queued, wanted) { // else another goroutine was faster
		// All was queued in turn: what stands before a launch of another stream has ended.
		if last := t.queued[len(t.queued)-1]; wanted(last) {
			if err := last.stream.settleIfOpen(); err != nil {
				return err
			}
		}
		records := make([]fault.Record, t.count*t.size)
		if err := t.memory.Read(recordBytes(records)); err != nil {
			return err
		}
		for _, q := range t.queued {
			if !wanted(q) {
				continue
			}
			for i, r := range records[q.slot*t.size : (q.slot+1)*t.size] {
				if r.State == fault.Set {
					q.stream.failed(q.left(i), q.number, r)
				}
			}
		}
		t.queued = slices.DeleteFunc(t.queued, wanted)
	}
	if s != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.faults = slices.DeleteFunc(s.faults, func(other collector) bool { return other == c })
	}
	return nil
}

// recordBytes is the memory of records.
func recordBytes(r []fault.Record) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(r))), len(r)*fault.Size)
}

// mayFail notes that what can fail was queued.
func (s *Stream) mayFail(c collector) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.Contains(s.faults, c) {
		s.faults = append(s.faults, c)
	}
}

// failed notes the fault of a launch that was queued with a number.
func (s *Stream) failed(l *Launch, number int64, r fault.Record) {
	err := fmt.Errorf("a check of thread %d failed", r.Thread)
	if l.faulted != nil {
		err = l.faulted(&r)
	}
	if l.own != nil {
		l.own.add(err)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.untold.Add(fault.Failed{Err: err, Launch: number})
}

// OwnFaults are the faults of some launches, for whoever has made these. The Sync of their streams returns only those of
// other launches.
type OwnFaults struct {
	mu    sync.Mutex
	first error
}

// add notes the fault of a launch.
func (o *OwnFaults) add(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.first == nil {
		o.first = err
	}
}

// Wait waits until everything queued on a stream so far has ended, and hands on what kernels printed. It returns the
// first fault of the launches.
func (o *OwnFaults) Wait(s *Stream) error {
	if err := s.gather(); err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.first
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
	return s.untold.ToStream()
}

// faultForDevice returns the first fault since takeFault or it was called last. Those of the device's own stream are for
// nobody else.
func (s *Stream) faultForDevice() fault.Failed {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s == s.dev.stream {
		return s.untold.ToBoth()
	}
	return s.untold.ToDevice()
}
