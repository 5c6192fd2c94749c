package cpu

import (
	"sync"
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
	lib    *dl.Lib
	print  *printer      // nil when nothing in the module prints
	faults *fault.Record // the first record of the module; nil when nothing in it can fail

	mu    sync.Mutex
	solos map[int]*solo // of the kernels that can fail, by their records

	symbol atomic.Uintptr // a kernel of the module
}

// Load loads the shared library at a path. When the module's kernels print, what
// they recorded is given to printed after each launch; nil discards it.
func Load(path string, printed printf.Handler) (*Module, error) {
	lib, err := dl.Open(path)
	if err != nil {
		return nil, err
	}
	m := &Module{lib: lib, solos: make(map[int]*solo)}
	// A module that prints, or that can fail, exports a variable for it; that others
	// do not is no error.
	if addr, err := lib.Symbol("qd_printf_buffer"); err == nil {
		m.print = newPrinter(addr, printed)
	}
	if addr, err := lib.Symbol(fault.Symbol); err == nil {
		// The address comes from the dynamic linker and is none of Go's memory.
		m.faults = *(**fault.Record)(unsafe.Pointer(&addr))
	}
	return m, nil
}

// Path is the file that the module was loaded from.
func (m *Module) Path() string { return m.lib.Path() }

// Symbol is the address of a function or variable that the module exports.
func (m *Module) Symbol(name string) (uintptr, error) { return m.lib.Symbol(name) }

// Kernel finds the kernel of a module with one, by the name it is exported with.
func (m *Module) Kernel(symbol string) (*Kernel, error) {
	return m.Find(symbol, fault.Leaves{Prints: m.print != nil, Fails: m.faults != nil})
}

// Find finds a kernel by the name it is exported with. The launches of one that leaves nothing wait for no others.
func (m *Module) Find(symbol string, leaves fault.Leaves) (*Kernel, error) {
	fn, err := m.lib.Symbol(symbol)
	if err != nil {
		return nil, err
	}
	m.symbol.Store(fn)
	k := &Kernel{fn: fn}
	if leaves.Fails && m.faults != nil { // the last stages may have left none of its checks
		k.solo = m.soloOf(leaves.Record)
	}
	if leaves.Prints {
		k.print = m.print
	}
	return k, nil
}

// soloOf is the turn of the kernels that have a record.
func (m *Module) soloOf(record int) *solo {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.solos[record]
	if s == nil {
		s = &solo{turn: newTurn(), fault: (*fault.Record)(unsafe.Add(unsafe.Pointer(m.faults), record*fault.Size))}
		m.solos[record] = s
	}
	return s
}

// A Kernel is the entry point of a compiled kernel.
type Kernel struct {
	fn    uintptr
	solo  *solo    // nil when it cannot fail
	print *printer // nil when it does not print
	cost  cost     // of a thread in the last launch: where a new launch begins

	lanes int // see Lanes

	running *int64 // how many launches run, where that is counted; see [Module.Names]
}

// Widened says that so many threads of the kernel run at once, in the lanes of vectors, where as many follow each
// other. It is called before the kernel is launched.
func (k *Kernel) Widened(lanes int) { k.lanes = lanes }

// Cost is how many nanoseconds a thread took when it was measured last, 0 if it has not been measured.
func (k *Kernel) Cost() float64 { return k.cost.get() }

// Lanes is how many threads run at once, at least 1.
func (k *Kernel) Lanes() int64 { return int64(max(1, k.lanes)) }
