//go:build amd64 || arm64

package gort

// goroutine is the address of what the runtime has on the goroutine, its g, which a register or the thread's memory
// holds.
func goroutine() uintptr
