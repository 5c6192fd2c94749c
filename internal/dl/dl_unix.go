//go:build ((linux && !android) || (darwin && !ios)) && (amd64 || arm64) && !qdgo

package dl

import (
	"runtime"
	"sync"

	"github.com/ebitengine/purego"
)

// Supported is nil: libraries can be opened.
func Supported() error { return nil }

// A Lib is an open shared library. Its methods may be called concurrently.
type Lib struct {
	path string

	mu     sync.Mutex
	handle uintptr // 0 once closed
}

// Open opens a library by path, or by name: a name without a slash is searched
// for where the dynamic linker does. All of its symbols are resolved now, so that
// one which cannot be is an error here and not a crash in the middle of a launch;
// none of them becomes visible to libraries opened later, so that two modules
// may export the same names.
func Open(path string) (*Lib, error) {
	// The dynamic linker keeps its last error per OS thread: the call that failed
	// and the one that asks why must come from the same one.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	handle, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return nil, &OpenError{Path: path, Reason: err.Error()}
	}
	return &Lib{path: path, handle: handle}, nil
}

// Path returns what the library was opened by.
func (l *Lib) Path() string { return l.path }

// Symbol returns the address of an exported function or variable.
func (l *Lib) Symbol(name string) (uintptr, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.handle == 0 {
		return 0, &SymbolError{Library: l.path, Name: name, Reason: "the library is closed"}
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	addr, err := purego.Dlsym(l.handle, name)
	if err != nil {
		return 0, &SymbolError{Library: l.path, Name: name, Reason: err.Error()}
	}
	return addr, nil
}

// Bind sets the function variable that fptr points to to call the exported
// function of that name, converting arguments and results between Go's types and
// C's: integers, floats, bool, string (copied, zero-terminated), pointers.
func (l *Lib) Bind(fptr any, name string) error {
	addr, err := l.Symbol(name)
	if err != nil {
		return err
	}
	purego.RegisterFunc(fptr, addr)
	return nil
}

// Close closes the library. Nothing of it may be running or be called any more:
// its code and data are unmapped once the last opening of it is closed. A second
// Close does nothing.
func (l *Lib) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.handle == 0 {
		return nil
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	handle := l.handle
	l.handle = 0
	if err := purego.Dlclose(handle); err != nil {
		return &OpenError{Path: l.path, Reason: err.Error()}
	}
	return nil
}

// Call calls the C function at address fn with integers and addresses as its
// arguments, at most 32, and returns its result, as wide as a register: a
// function that returns a C int has only the lower 32 bits defined. Floats cannot
// be passed.
//
// An argument written uintptr(unsafe.Pointer(p)) in the call itself keeps what p
// points to alive and in its place until the call returns. In a slice passed as
// args... it does not: there the caller sees to it (runtime.KeepAlive, and memory
// on the heap). Passing a slice that is kept from call to call allocates nothing.
//
//go:uintptrescapes
func Call(fn uintptr, args ...uintptr) uintptr {
	r, _, _ := purego.SyscallN(fn, args...)
	return r
}
