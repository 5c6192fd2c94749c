//go:build ((linux && !android) || (darwin && !ios)) && (amd64 || arm64) && !qdgo

package dl

import (
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"
)

// dladdr is a function of the C library.
var dladdr = sync.OnceValue(func() uintptr {
	addr, err := purego.Dlsym(purego.RTLD_DEFAULT, "dladdr")
	if err != nil {
		return 0
	}
	return addr
})

// libraryOf is where the library begins that has a symbol at an address.
func libraryOf(symbol uintptr) (begin uintptr, ok bool) {
	info := make([]uintptr, 4) // Dl_info: file, where it begins, symbol, where that begins
	if dladdr() == 0 || int32(Call(dladdr(), symbol, Address(info))) == 0 {
		return 0, false
	}
	return info[1], true
}

// at is memory of a library, which is none of Go's.
func at(addr uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&addr)) }
