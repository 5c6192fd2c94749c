// Package dl opens shared libraries and calls what they export, without cgo.
//
// Everything native that qdgen meets at run time goes through it: the modules
// that clang builds, NVRTC, and the CUDA driver. None of them is needed to build
// or to start a program; each is opened by name or path when it is first wanted,
// and a missing one is an ordinary error that carries the dynamic linker's own
// words.
//
// Two ways to call, by what a call costs:
//
//   - [Call] passes integers and addresses as they are and takes about 100 ns
//     without an allocation. It is for what is called often: launches.
//   - [Lib.Bind] makes a Go function with Go types of a symbol, which converts
//     strings, small integers and floats. It takes up to a microsecond and may
//     allocate. It is for what is called rarely: the compilers' interfaces.
//
// It works on Linux and macOS on 64-bit processors. Elsewhere it compiles, and
// every Open fails with [ErrUnsupported].
package dl
