//go:build ((linux && !android) || (darwin && !ios)) && (amd64 || arm64) && !qdgo

package dl

import "unsafe"

// Call3 calls a C function with three numbers. It has no result. Launches use it, as it takes half of the time of
// [Call], which copies 42 numbers for each call. What the numbers point to is on the heap, and the caller keeps it
// alive.
func Call3(call *Direct) { cgocall(call3Address, unsafe.Pointer(call)) }

// cgocall calls a function of C's calling convention, on a stack for C, with one argument. Package purego has it from
// the runtime in the same way, and starts what it needs in programs without cgo.
//
//go:linkname cgocall runtime.cgocall
//go:noescape
func cgocall(fn uintptr, arg unsafe.Pointer) int32

// call3Address is the address of the assembly that takes the numbers apart.
var call3Address uintptr
