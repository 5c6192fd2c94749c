// Package clang finds a C++17 compiler and builds shared libraries from C++ source with it. It uses
// the compiler that QD_CXX names, or clang, or gcc's g++ if there is no clang.
//
// The compiler is an ordinary program that runs when a module is not in the cache, so its time is
// the time of a first launch. Most of it is the start of processes. clang loads LLVM for 25 ms
// before it reads a character, and its driver starts a second clang whenever it has to do more than
// compile. This package therefore asks clang only for an object file, which takes one process, and
// runs the system's linker itself. On the kernels of the examples this takes 50 ms, while
// `clang++ -shared` takes 80. If the linker cannot be used in this way, the compiler's driver
// links.
//
// Sources include no headers and need no C++ library. A compiler and a linker are enough; the
// development packages of the C library are not needed. A module depends only on the C library and
// its math library.
//
// [Compiler.Identity] names the compiler and its flags for a cache key, without starting the
// compiler.
package clang
