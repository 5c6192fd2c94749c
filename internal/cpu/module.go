package cpu

import (
	"sync"
	"unsafe"

	"github.com/qdgen/qd/internal/dl"
	"github.com/qdgen/qd/internal/printf"
)

// A Module is a loaded shared library of kernels. It stays loaded until the
// process ends: its code may be running on any number of threads, and a module of
// one kernel takes a few pages.
type Module struct {
	lib   *dl.Lib
	print *printer // nil when nothing in the module prints
}

// Load loads the shared library at a path. When the module's kernels print, what
// they recorded is given to printed after each launch; nil discards it.
func Load(path string, printed printf.Handler) (*Module, error) {
	lib, err := dl.Open(path)
	if err != nil {
		return nil, err
	}
	m := &Module{lib: lib}
	// A module that prints defines the buffer; that others do not is no error.
	if addr, err := lib.Symbol("qd_printf_buffer"); err == nil {
		m.print = newPrinter(addr, printed)
	}
	return m, nil
}

// Path is the file that the module was loaded from.
func (m *Module) Path() string { return m.lib.Path() }

// Symbol is the address of a function or variable that the module exports.
func (m *Module) Symbol(name string) (uintptr, error) { return m.lib.Symbol(name) }

// Kernel finds a kernel by the name it is exported with.
func (m *Module) Kernel(symbol string) (*Kernel, error) {
	fn, err := m.lib.Symbol(symbol)
	if err != nil {
		return nil, err
	}
	return &Kernel{module: m, fn: fn}, nil
}

// A Kernel is the entry point of a compiled kernel.
type Kernel struct {
	module *Module
	fn     uintptr
	cost   cost // of a thread in the last launch: where a new launch begins
}

// printBuffer is the variable qd_printf_buffer of a module, as emitted code
// declares it.
type printBuffer struct {
	words    *uint64
	capacity uint64
	used     uint64
}

// printer is the buffer that a module's kernels print to. Launches of such a
// module run one at a time: each finds an empty buffer, and none is read while
// records are being written.
type printer struct {
	mu      sync.Mutex
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

// run runs a launch alone and hands on what it printed.
func (p *printer) run(l *Launch, pool *Pool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	l.run(pool)
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
