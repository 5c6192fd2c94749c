//go:build amd64 || arm64

package cpu

import (
	"syscall"
	"unsafe"
)

// A sigaction is how the system keeps the handler of a signal.
type sigaction struct {
	handler  uintptr
	flags    uint64
	restorer uintptr
	mask     uint64
}

func setSignal(sig syscall.Signal, to, from *sigaction) bool {
	_, _, errno := syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(sig), uintptr(unsafe.Pointer(to)), uintptr(unsafe.Pointer(from)), 8, 0, 0)
	return errno == 0
}
