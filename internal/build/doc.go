// Package build takes a kernel from its source to an artifact that a device can load. It runs units
// of package compile as far as necessary, and keeps their results in the cache.
//
// A build asks the cache twice. The first key is made without parsing, from the kernel's name, the
// target and the toolchain. Its record names the packages from which the kernel was last built. If
// their files are the same, everything is skipped. The second key is made of the emitted code
// without its comments, and skips only the compiler. So a second run of a program parses nothing,
// and editing a comment compiles nothing.
//
// Constants, the receiver and the captures of a literal are part of the first key. Values that only
// the running program knows are not. Lowering asks for them, and the record has a variant for each
// list of answers. Specializations with the same code share one module.
//
// If a concrete kernel has to be compiled, the other kernels of its package that are not in the
// cache are compiled with it, as one text. Each of them gets a record under the key of its own
// code, which names the module that contains it. The same is done with specializations for
// constants, function literals and methods of one package that are wanted at once
// ([Builder.Together]); as several of them may have one name, the record says what each is called
// in the module.
package build
