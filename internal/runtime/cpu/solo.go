package cpu

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/qdgen/qd/internal/printf"
	"github.com/qdgen/qd/internal/runtime/fault"
)

// solo is what the kernels of a module leave for the host in variables of the
// module: what they print, and how they failed. Launches of such a module run one at a
// time: each finds the variables empty, and none is read while it is being written.
type solo struct {
	mu    sync.Mutex
	print *printer      // nil when nothing prints
	fault *fault.Record // in the module; nil when nothing can fail
}

// run runs a launch alone, hands on what it printed, and returns how it failed, nil
// if it did not.
func (s *solo) run(l *Launch, r *run, pool *Pool) *fault.Record {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fault != nil {
		*s.fault = fault.Record{}
	}
	l.run(r, pool)
	if s.print != nil {
		s.print.drain()
	}
	if s.failed() {
		record := *s.fault
		return &record
	}
	return nil
}

// failed reports whether a thread has failed in the launch that is running.
func (s *solo) failed() bool {
	return s != nil && s.fault != nil && atomic.LoadInt32(&s.fault.State) == fault.Set
}

// printBuffer is the variable qd_printf_buffer of a module, as emitted code
// declares it.
type printBuffer struct {
	words    *uint64
	capacity uint64
	used     uint64
}

// printer is the buffer that a module's kernels print to.
type printer struct {
	buffer  *printBuffer // in the module
	words   []uint64     // keeps the memory that buffer points to
	printed printf.Handler
}

func newPrinter(addr uintptr, printed printf.Handler) *printer {
	p := &printer{
		words:   make([]uint64, printf.Capacity),
		printed: printed,
	}
	// The address comes from the dynamic linker and is none of Go's memory.
	p.buffer = *(**printBuffer)(unsafe.Pointer(&addr))
	printf.Reset(p.words)
	p.buffer.words = unsafe.SliceData(p.words)
	p.buffer.capacity = uint64(len(p.words))
	return p
}

// drain hands on what has been printed and empties the buffer.
func (p *printer) drain() {
	used := p.buffer.used
	if used == 0 {
		return
	}
	if p.printed != nil {
		p.printed(printf.Records{Words: p.words, Used: used})
	}
	printf.Reset(p.words[:min(used, uint64(len(p.words)))])
	p.buffer.used = 0
}
