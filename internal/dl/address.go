package dl

import "unsafe"

// Address returns the address of a slice's first element, to be passed to [Call], alone or in an
// argument struct. It makes the compiler put the elements on the heap: it may put those of a small
// slice on the goroutine's stack otherwise, which moves when it grows, and the called function then
// writes to whatever is there by now. The caller keeps the slice alive (runtime.KeepAlive) for as
// long as the address is in use.
func Address[T any](s []T) uintptr {
	at := unsafe.Pointer(unsafe.SliceData(s))
	if keeps {
		kept = at
	}
	return uintptr(at)
}

// What Address returns could be kept in a variable, as far as the compiler can tell. That is what
// sends it to the heap. Nothing ever is kept.
var (
	keeps bool
	//lint:ignore U1000 that it is assigned is what it is for
	kept unsafe.Pointer
)
