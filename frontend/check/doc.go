// Package check has the rules of the subset of Go that kernels can contain: which types they can
// have, questions about syntax that must be answered before lowering, and the messages for code
// outside the subset.
//
// Everything in it depends on typed syntax alone, not on known values. A [Report] receives the
// messages. [Types] maps Go types to SSA types, including unpacked fields, or says why a type has
// none. [Syntax] answers questions about declared functions. A [Scope] answers questions about
// syntax in the [Instance] that is being lowered: which variables need an address, what a statement
// assigns to, whether pointers outlive what they point to.
package check
