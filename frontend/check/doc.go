// Package check is what a kernel may say: the types that it can have, what may be asked of its
// syntax before anything of it is lowered, and the messages where it says something else.
//
// All of it depends on typed syntax alone, and on nothing that is known of values. A [Report]
// takes the messages. [Types] are the SSA types of Go types, with what becomes of unpacked
// fields, and why a type has none. [Syntax] answers questions about declared functions, a
// [Scope] those about syntax in the [Instance] that is being lowered: which variables need an
// address, what a statement assigns to, whether pointers outlive what they point to.
package check
