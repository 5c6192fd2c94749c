package cpu

import (
	"sync/atomic"
	"unsafe"

	"github.com/qdgen/qd/internal/dl"
	"github.com/qdgen/qd/internal/printf"
	"github.com/qdgen/qd/internal/runtime/fault"
)

// A Module is a loaded shared library of kernels. It stays loaded until the
// process ends: its code may be running on any number of threads, and a module of
// one kernel takes a few pages.
type Module struct {
	lib  *dl.Lib
	solo *solo // nil when nothing in the module prints or can fail

	symbol atomic.Uintptr // a kernel of the module
}

// Load loads the shared library at a path. When the module's kernels print, what
// they recorded is given to printed after each launch; nil discards it.
func Load(path string, printed printf.Handler) (*Module, error) {
	lib, err := dl.Open(path)
	if err != nil {
		return nil, err
	}
	m := &Module{lib: lib}
	// A module that prints, or that can fail, exports a variable for it; that others
	// do not is no error.
	if addr, err := lib.Symbol("qd_printf_buffer"); err == nil {
		m.solo = &solo{print: newPrinter(addr, printed)}
	}
	if addr, err := lib.Symbol(fault.Symbol); err == nil {
		if m.solo == nil {
			m.solo = &solo{}
		}
		// The address comes from the dynamic linker and is none of Go's memory.
		m.solo.fault = *(**fault.Record)(unsafe.Pointer(&addr))
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
	m.symbol.Store(fn)
	return &Kernel{fn: fn, solo: m.solo}, nil
}

// Quiet is Kernel of one that neither prints nor can fail: its launches wait for no others.
func (m *Module) Quiet(symbol string) (*Kernel, error) {
	k, err := m.Kernel(symbol)
	if err == nil {
		k.solo = nil
	}
	return k, err
}

// A Kernel is the entry point of a compiled kernel.
type Kernel struct {
	fn   uintptr
	solo *solo // of its module; nil when it is quiet
	cost cost  // of a thread in the last launch: where a new launch begins

	lanes int // see Lanes

	running *int64 // how many launches run, where that is counted; see [Module.Names]
}

// Widened says that so many threads of the kernel run at once, in the lanes of vectors, where as many follow each
// other. It is called before the kernel is launched.
func (k *Kernel) Widened(lanes int) { k.lanes = lanes }

// Lanes is how many threads run at once, at least 1.
func (k *Kernel) Lanes() int64 { return int64(max(1, k.lanes)) }
