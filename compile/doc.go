// Package compile is the road from a kernel's Go source to an artifact that a device can load. It is the
// conductor, and the only one: each target has one [Pipeline], a list of stages, and whatever changes a
// kernel on its way is one of these.
//
//	Load      find, parse and type-check what the kernel reaches
//	Lower     make SSA of it
//	...       transform the SSA
//	Name      give everything a name in the target's language
//	Print     write the text
//	Build     have a compiler make an artifact of it
//
// A [Stage] says why it is there, what must hold of the module before it and what holds from then on:
// invariants that the verifier knows. A [Unit] is one specialization of a kernel on its way; it goes as far
// as it is told, and on from there. An [Observer] sees the module after each stage: `qdgen emit --after` is one, and
// [Verifying], which tests use, another.
//
// What a device, a cache or a user's program is, the package does not know: package internal/build runs
// units, and keeps what they come to.
package compile
