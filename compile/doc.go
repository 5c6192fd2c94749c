// Package compile takes a kernel from its Go source to an artifact that a device can load. Each
// target has one [Pipeline], a list of stages. Everything that changes a kernel is one of these
// stages, and no other package orders them.
//
//	Load      find, parse and type-check the source that the kernel reaches
//	Lower     translate it to SSA
//	...       transform the SSA
//	Name      choose names in the target's language
//	Print     print the code
//	Build     compile the code to an artifact
//
// A [Stage] states its purpose, what must hold of the module before it, and what holds after it.
// These conditions are invariants that the verifier checks. A [Unit] is one specialization of a
// kernel. It can run a part of a pipeline, and continue from there. An [Observer] sees the module
// after each stage: `qdgen emit --after` is one, and [Verifying], which tests use, is another.
//
// The package does not know devices, the cache or a user's program. Package internal/build runs
// units and keeps their results.
package compile
