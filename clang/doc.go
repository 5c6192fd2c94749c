// Package clang finds a C++17 compiler and makes shared libraries of C++ source
// with it: clang where there is one, else gcc's g++, or whatever QD_CXX names.
//
// The compiler is an ordinary program that is run when a module is not in the
// cache, so what it costs is what a first launch costs. Most of that is the start
// of processes: clang loads LLVM for 25 ms before it reads a character, and its
// driver starts a second clang whenever there is more to do than to compile. This
// package therefore asks it for an object file alone, which it makes within one
// process, and links that with the system's linker itself. On the kernels of the
// examples this takes 50 ms where `clang++ -shared` takes 80. Where the linker
// cannot be used so, the compiler's driver links.
//
// Sources include no headers and need no C++ library: the compiler and a linker
// are enough, no development packages of the C library, and a module depends on
// the C library and its mathematics alone.
//
// [Compiler.Identity] names the compiler and its flags for a cache key without
// starting it.
package clang
