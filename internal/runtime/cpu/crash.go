package cpu

import (
	"fmt"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/qdgen/qd/internal/dl"
)

// This file says which kernel has crashed. A kernel that is not checked may access memory that is not there. The system
// then sends a signal, and Go's runtime ends the program: it cannot know in whose code that was. So a handler before
// Go's looks whether the instruction is one of a module, and writes a message if it is. Whatever the signal was, Go's
// handler follows.

// A Crashable is a kernel that may crash. The handler reads it.
type Crashable struct {
	from, to uintptr // the instructions of its module
	text     *byte   // what is to be written
	n        uintptr
	shared   *int64 // how many launches of it run, where its module has other kernels; nil elsewhere
}

// crashables are what the handler looks through: a slice, of which it reads the address and the length. It is replaced,
// not changed.
var crashables *[]Crashable

var crashing struct {
	mu   sync.Mutex
	list []Crashable
	seen map[string]*int64 // by module and text
}

// Names notes the name of a kernel of the module, which has been found in it, for the message if it crashes. shared is
// set if there are others in the module. It gives what counts the launches that run, nil if nothing does.
func (m *Module) Names(kernel string, shared bool) *int64 {
	crashing.mu.Lock()
	defer crashing.mu.Unlock()
	text := fmt.Sprintf("qd: kernel %s has crashed on device cpu: it accessed memory that is not its own, such as elements past the end of a slice, or a function called itself too often for the stack. Run the program with QD_CHECK=1 to see where.\n", kernel)
	key := m.Path() + "\x00" + text
	if running, ok := crashing.seen[key]; ok {
		return running
	}
	from, to, ok := dl.Text(m.symbol.Load())
	if !ok || !handleCrashes() {
		return nil
	}
	c := Crashable{from: from, to: to, text: unsafe.StringData(text), n: uintptr(len(text))}
	if shared {
		c.shared = new(int64)
	}
	if crashing.seen == nil {
		crashing.seen = make(map[string]*int64)
	}
	crashing.seen[key] = c.shared
	crashing.list = append(crashing.list[:len(crashing.list):len(crashing.list)], c)
	list := crashing.list
	atomic.StorePointer((*unsafe.Pointer)(unsafe.Pointer(&crashables)), unsafe.Pointer(&list))
	return c.shared
}

// Counted has launches of the kernel counted while they run, by what [Module.Names] has given.
func (k *Kernel) Counted(running *int64) *Kernel {
	k.running = running
	return k
}
