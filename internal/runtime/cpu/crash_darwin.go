package cpu

import (
	"sync"
	"syscall"
	"unsafe"

	"github.com/qdgen/qd/internal/dl"
)

// A sigaction is how the system's library takes the handler of a signal.
type sigaction struct {
	handler uintptr
	mask    uint32
	flags   int32
}

// systemSigaction is a function of the system's library, which alone may change handlers.
var systemSigaction = sync.OnceValue(func() uintptr {
	lib, err := dl.Open("/usr/lib/libSystem.B.dylib")
	if err != nil {
		return 0
	}
	addr, err := lib.Symbol("sigaction")
	if err != nil {
		return 0
	}
	return addr
})

func setSignal(sig syscall.Signal, to, from *sigaction) bool {
	fn := systemSigaction()
	return fn != 0 && int32(dl.Call(fn, uintptr(sig), uintptr(unsafe.Pointer(to)), uintptr(unsafe.Pointer(from)))) == 0
}
