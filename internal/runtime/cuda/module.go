package cuda

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/qdgen/qd/internal/printf"
	"github.com/qdgen/qd/internal/runtime/fault"
)

// A Module is compiled code on a device. It stays loaded as long as the process
// runs: launches of its kernels may be queued anywhere.
type Module struct {
	dev    *Device
	order  int64 // in which several are locked
	handle uintptr
	log    string
	print  *printer // nil when nothing in the module prints
	stack  int      // bytes that recursion needs for each thread, 0 if there is none

	mu      sync.Mutex
	records *Memory         // nil when nothing in the module can fail
	faults  map[int]*faults // of the kernels that can fail, by their records
}

// moduleCount counts the modules of the process.
var moduleCount atomic.Int64

// stackSymbol is the variable of a module with recursion, as many bytes long as recursion needs of stack.
const stackSymbol = "qd_stack"

// memorySymbol with a kernel's symbol behind it is the variable of a module that is as large as the memory that a block
// of the kernel needs, where that is more than a kernel can declare.
const memorySymbol = "qd_block_memory_"

// jitLogSize is how much is kept of what the driver's compiler says.
const jitLogSize = 16 << 10

// Load loads a cubin, or PTX, which the driver compiles. When the module's
// kernels print, what they recorded is given to printed when launches are waited for;
// printed must not use the device. nil discards it.
func (d *Device) Load(image []byte, printed printf.Handler) (*Module, error) {
	// PTX is a C string for the driver; a cubin does not mind a zero more.
	image = append(bytes.Clone(image), 0)
	info, errs := make([]byte, jitLogSize), make([]byte, jitLogSize)
	options := [...]int32{jitInfoLog, jitInfoLogSize, jitErrorLog, jitErrorLogSize}
	// For the driver an array of void pointers, where numbers stand in their place.
	values := struct {
		info     *byte
		infoSize uintptr
		errs     *byte
		errsSize uintptr
	}{&info[0], jitLogSize, &errs[0], jitLogSize}
	m := &Module{dev: d, order: moduleCount.Add(1)}
	err := d.call(&d.drv.moduleLoadDataEx, uintptr(unsafe.Pointer(&m.handle)), uintptr(unsafe.Pointer(&image[0])),
		uintptr(len(options)), uintptr(unsafe.Pointer(&options[0])), uintptr(unsafe.Pointer(&values)))
	if err != nil {
		return nil, d.loadError(err, zeroTerminated(errs))
	}
	m.log = strings.TrimSpace(zeroTerminated(info))
	if _, m.stack, _, err = m.global(stackSymbol); err == nil {
		err = m.findRecords()
	}
	if err == nil {
		m.print, err = newPrinter(m, printed)
	}
	if err != nil {
		_ = d.call(&d.drv.moduleUnload, m.handle)
		return nil, err
	}
	return m, nil
}

// loadError adds to an error what the driver's compiler said and what to do.
func (d *Device) loadError(err error, log string) error {
	var help string
	switch {
	case is(err, ErrorUnsupportedPTXVersion):
		help = fmt.Sprintf("the compiler is newer than the driver, which supports CUDA %s: update the driver, or use an NVRTC of that version or older", d.drv.Version())
	case is(err, ErrorNoBinaryForGPU):
		help = fmt.Sprintf("the module is not for this GPU, which is %s", d.info.Arch())
	}
	return withDetail(err, strings.TrimSpace(help+"\n"+strings.TrimSpace(log)))
}

// Log is what the driver's compiler said while it compiled the module, usually
// nothing.
func (m *Module) Log() string { return m.log }

// global finds a variable of the module; ok is false when there is none.
func (m *Module) global(name string) (addr uintptr, bytes int, ok bool, err error) {
	var n uintptr
	cname := append([]byte(name), 0)
	err = m.dev.call(&m.dev.drv.moduleGetGlobal, uintptr(unsafe.Pointer(&addr)), uintptr(unsafe.Pointer(&n)), m.handle, uintptr(unsafe.Pointer(&cname[0])))
	if is(err, ErrorNotFound) {
		return 0, 0, false, nil
	}
	return addr, int(n), err == nil, err
}

// A Kernel is the entry point of a compiled kernel.
type Kernel struct {
	mod    *Module
	handle uintptr
	attrs  Attributes
	print  *printer // nil when it does not print
	faults *faults  // where it leaves how it failed; nil when it cannot fail
	asked  int      // bytes of memory for a block that its launches ask for
}

// Attributes are what the compiler made of a kernel.
type Attributes struct {
	Registers   int // for each thread
	LocalBytes  int // of local memory for each thread: spilled registers, and arrays
	SharedBytes int // of shared memory for each block, with what a launch asks for
	MaxThreads  int // that a block can have
}

// Kernel finds the kernel of a module with one, by the name it is exported with.
func (m *Module) Kernel(symbol string) (*Kernel, error) {
	return m.Find(symbol, fault.Leaves{Prints: m.print != nil, Fails: m.records != nil})
}

// Find finds a kernel by the name it is exported with.
func (m *Module) Find(symbol string, leaves fault.Leaves) (*Kernel, error) {
	k := &Kernel{mod: m}
	cname := append([]byte(symbol), 0)
	d := m.dev
	if err := d.call(&d.drv.moduleGetFunction, uintptr(unsafe.Pointer(&k.handle)), m.handle, uintptr(unsafe.Pointer(&cname[0]))); err != nil {
		if is(err, ErrorNotFound) {
			err = withDetail(err, "the module has no kernel "+symbol)
		}
		return nil, err
	}
	for _, a := range []struct {
		v         *int
		attribute uintptr
	}{
		{&k.attrs.Registers, attributeRegisters},
		{&k.attrs.LocalBytes, attributeLocalBytes},
		{&k.attrs.SharedBytes, attributeSharedBytes},
		{&k.attrs.MaxThreads, attributeMaxThreads},
	} {
		var v int32
		if err := d.call(&d.drv.funcGetAttribute, uintptr(unsafe.Pointer(&v)), a.attribute, k.handle); err != nil {
			return nil, err
		}
		*a.v = int(v)
	}
	if err := k.askForMemory(symbol); err != nil {
		return nil, err
	}
	if m.stack > 0 {
		// What the compiler knows of local memory is that of the kernel, without what calls itself.
		if err := d.needStack(m.stack + k.attrs.LocalBytes); err != nil {
			return nil, err
		}
	}
	if leaves.Prints {
		k.print = m.print
	}
	var err error
	if leaves.Fails && m.records != nil { // the last stages may have left none of its checks
		k.faults, err = m.faultsOf(leaves.Record)
	}
	return k, err
}

// askForMemory tells the driver how much memory the blocks of the kernel need, if that is more than a kernel may
// declare.
func (k *Kernel) askForMemory(symbol string) error {
	d := k.mod.dev
	var err error
	if _, k.asked, _, err = k.mod.global(memorySymbol + symbol); err != nil || k.asked == 0 {
		return err
	}
	k.attrs.SharedBytes += k.asked
	// What the driver adds for its own use is not counted here, nor in what a block has at most.
	if most := d.info.BlockMemory; k.attrs.SharedBytes > most {
		return fmt.Errorf("the blocks of kernel %s need %d bytes of memory that their threads share, for tiles and qd.Shared; a block of this GPU has at most %d: use shorter tiles, fewer at the same time, or fewer stages", symbol, k.attrs.SharedBytes, most)
	}
	return d.call(&d.drv.funcSetAttribute, k.handle, attributeAskedMemory, uintptr(k.asked))
}

// Attributes are what the compiler made of the kernel.
func (k *Kernel) Attributes() Attributes { return k.attrs }
