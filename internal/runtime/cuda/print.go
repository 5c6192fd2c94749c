package cuda

import (
	"fmt"
	"runtime"
	"sync"
	"unsafe"

	"github.com/qdgen/qd/internal/printf"
)

// printBuffer is the variable qd_printf_buffer of a module, as emitted code
// declares it.
type printBuffer struct {
	words    uint64
	capacity uint64
	used     uint64
}

// printer is the buffer that a module's kernels print to. It is read and emptied
// when a stream that such a kernel was launched on is waited for, and as other
// streams may be running kernels of the module then, these are waited for as well,
// and none is launched meanwhile.
type printer struct {
	dev     *Device
	global  *Memory // the variable
	words   *Memory
	printed printf.Handler

	mu      sync.Mutex
	pending bool // something has been launched since the buffer was emptied
}

// newPrinter gives a module its buffer, if it has the variable.
func newPrinter(m *Module, printed printf.Handler) (*printer, error) {
	addr, bytes, ok, err := m.global("qd_printf_buffer")
	if err != nil || !ok {
		return nil, err
	}
	if bytes != int(unsafe.Sizeof(printBuffer{})) {
		panic(fmt.Sprintf("BUG: qd_printf_buffer has %d bytes", bytes))
	}
	d := m.dev
	p := &printer{dev: d, global: &Memory{dev: d, addr: addr, size: bytes}, printed: printed}
	if p.words, err = d.Alloc(printf.Capacity * 8); err != nil {
		return nil, err
	}
	if err := p.reset(); err != nil {
		_ = p.words.Free() // the first error is the one to tell
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	// A new slice: the old one may be in use.
	d.printers = append(d.printers[:len(d.printers):len(d.printers)], p)
	return p, nil
}

// launch queues a launch of a kernel that prints.
func (p *printer) launch(l *Launch) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := l.stream.call(&p.dev.drv.launchKernel, l.call[:]...); err != nil {
		return err
	}
	runtime.KeepAlive(l)
	p.queued(l.stream)
	return nil
}

// queued notes that a kernel that prints has been queued on a stream.
func (p *printer) queued(s *Stream) {
	p.pending = true
	s.prints(p)
}

// drain hands on what the kernels of modules printed. Their launches have ended,
// as far as they are the caller's.
func drain(printers []*printer) error {
	for _, p := range printers {
		if err := p.drain(); err != nil {
			return err
		}
	}
	return nil
}

func (p *printer) drain() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.pending {
		return nil // another stream was faster
	}
	if err := p.dev.call(&p.dev.drv.ctxSynchronize); err != nil {
		return err
	}
	var b printBuffer
	if err := p.global.Read(unsafe.Slice((*byte)(unsafe.Pointer(&b)), unsafe.Sizeof(b))); err != nil {
		return err
	}
	p.pending = false
	if b.used == 0 {
		return nil
	}
	words := make([]uint64, printf.Capacity)
	written := words[:min(b.used, printf.Capacity)]
	if err := p.words.Read(unsafe.Slice((*byte)(unsafe.Pointer(&written[0])), 8*len(written))); err != nil {
		return err
	}
	if err := p.reset(); err != nil {
		return err
	}
	if p.printed != nil {
		p.printed(printf.Records{Words: words, Used: b.used})
	}
	return nil
}

// reset empties the buffer.
func (p *printer) reset() error {
	s := p.dev.stream
	const unwritten = byte(printf.Unwritten & 0xff) // each byte of it is the same
	if err := s.Fill(p.words, unwritten); err != nil {
		return err
	}
	b := printBuffer{words: uint64(p.words.addr), capacity: printf.Capacity}
	return p.global.Write(unsafe.Slice((*byte)(unsafe.Pointer(&b)), unsafe.Sizeof(b)))
}
