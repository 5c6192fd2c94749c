//go:build (linux || darwin) && (amd64 || arm64)

package cpu

import (
	"sync"
	"syscall"
)

// The handlers that follow ours, which reads them.
var crashNext, crashNextBus uintptr

// crashSaid is 1 once a thread has written messages.
//
//lint:ignore U1000 the handler uses it
var crashSaid uint32

// crashHandlerAddress is the address of the handler, which is no function of Go's.
func crashHandlerAddress() uintptr

// handleCrashes puts the handler in front of Go's. It is as Go's in all that the system asks.
var handleCrashes = sync.OnceValue(func() bool {
	return handleSignal(syscall.SIGBUS, &crashNextBus) && handleSignal(syscall.SIGSEGV, &crashNext)
})

func handleSignal(sig syscall.Signal, next *uintptr) bool {
	var a sigaction
	if !setSignal(sig, nil, &a) || a.handler <= 1 { // the default, or none
		return false
	}
	*next = a.handler
	a.handler = crashHandlerAddress()
	return setSignal(sig, &a, nil)
}
