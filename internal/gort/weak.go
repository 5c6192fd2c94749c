package gort

import (
	"runtime"
	"unsafe"
	"weak"
)

// A WeakClosure tells whether a closure is still the one that it was made of, and does not keep that alive.
type WeakClosure struct {
	static unsafe.Pointer // a closure that captures nothing, which the linker has made
	at     weak.Pointer[byte]
}

// WeakOf is for the closure at an address. Gone is called with the address some time after the
// closure is no longer used.
func WeakOf(at unsafe.Pointer, gone func(at uintptr)) (c WeakClosure) {
	// AddCleanup panics for what is not on the heap, or makes nothing of it; weak.Make would throw.
	defer func() {
		if recover() != nil {
			c = WeakClosure{static: at}
		}
	}()
	if runtime.AddCleanup((*byte)(at), gone, uintptr(at)) == (runtime.Cleanup{}) {
		return WeakClosure{static: at}
	}
	return WeakClosure{at: weak.Make((*byte)(at))}
}

// Is reports whether the closure at an address is that one, and not another one that has the same
// address after the first is gone.
func (c *WeakClosure) Is(at unsafe.Pointer) bool {
	return c.static == at || c.static == nil && c.at.Value() == (*byte)(at)
}
