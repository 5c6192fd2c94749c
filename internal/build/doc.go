// Package build takes a kernel from its source to an artifact that a device
// can load: it takes units of package compile as far as they have to go, and keeps what they come to in the
// cache.
//
// A build asks the cache twice. The first key is made of what can be had
// without parsing (the kernel's name, the target, the toolchain), and its record
// names the packages that the kernel was last built from: if their files are the
// same, everything is skipped. The second key is made of the emitted code without
// its comments and skips the compiler only. So a second run of a program parses
// nothing, and an edited comment compiles nothing.
//
// Constants, the receiver and what a literal captures are part of the first key. What only
// the running program knows is not: lowering asks for it, and the record has a variant for
// each list of answers that there was. Specializations with the same code are one module.
//
// Where a concrete kernel has to be compiled, those beside it in its package that the
// cache has nothing of are compiled with it, as one text. For each of them there is a record under
// the key of its own code that says in which module it is.
package build
