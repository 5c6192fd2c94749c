package cpu

import (
	"sync/atomic"
	"unsafe"

	"github.com/qdgen/qd/internal/printf"
	"github.com/qdgen/qd/internal/runtime/fault"
)

// What a kernel leaves for the host is in variables of its module: what it prints in one that all kernels of the
// module share, how it failed in a record that is its own. Launches that leave something in the same variable run one
// at a time: each finds it empty, and it is not read while it is being written. A launch that is abandoned while it waits
// for its turn starts no threads.

// A turn is had by one launch at a time.
type turn chan struct{}

func newTurn() turn { return make(turn, 1) }

// take waits for the turn. It is false if the launch is abandoned before.
func (t turn) take(l *Launch) bool {
	select {
	case t <- struct{}{}:
		return true
	default:
	}
	select {
	case t <- struct{}{}:
		return true
	case <-l.done: // never of a nil channel
		l.skipped.Store(true)
		return false
	}
}

// end gives the turn to the next launch.
func (t turn) end() { <-t }

// solo is the turn of the launches whose threads record faults in one place.
type solo struct {
	turn  turn
	fault *fault.Record // in the module
}

// run runs a launch in its turn, and returns how it failed, nil if it did not.
func (s *solo) run(l *Launch, r *run, pool *Pool) *fault.Record {
	if !s.turn.take(l) {
		return nil
	}
	defer s.turn.end()
	*s.fault = fault.Record{}
	l.runPrinting(r, pool)
	if s.failed() {
		record := *s.fault
		return &record
	}
	return nil
}

// failed reports whether a thread has failed in the launch that is running.
func (s *solo) failed() bool {
	return s != nil && atomic.LoadInt32(&s.fault.State) == fault.Set
}

// runPrinting runs a launch, and hands on what it printed.
func (l *Launch) runPrinting(r *run, pool *Pool) {
	p := l.kernel.print
	if p == nil {
		l.run(r, pool)
		return
	}
	if !p.turn.take(l) {
		return
	}
	defer p.turn.end()
	l.run(r, pool)
	p.drain()
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
	turn    turn         // of the launches that print
	buffer  *printBuffer // in the module
	words   []uint64     // keeps the memory that buffer points to
	printed printf.Handler
}

func newPrinter(addr uintptr, printed printf.Handler) *printer {
	p := &printer{
		turn:    newTurn(),
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
