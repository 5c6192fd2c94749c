// Package dl opens shared libraries and calls their functions, without cgo.
//
// qdgen uses it for all native code at run time: the modules that clang builds, NVRTC, and the CUDA
// driver. None of them is needed to build or to start a program. Each is opened by name or path
// when it is first needed. A missing one is an ordinary error with the dynamic linker's own
// message.
//
// There are two ways to call a function. They differ in their cost:
//
//   - [Call] passes integers and addresses unchanged, and takes about 100 ns without an allocation.
//     It is for frequent calls: launches.
//   - [Lib.Bind] makes a Go function with Go types from a symbol. The function converts strings,
//     small integers and floats. It takes up to a microsecond and may allocate. It is for rare
//     calls: the compilers' interfaces.
//
// It works on Linux and macOS on 64-bit processors. Elsewhere it compiles, and every Open fails
// with [ErrUnsupported].
package dl
