// Package initial computes the values that package variables have when their package is initialized. It runs the
// expressions that initialize them, and the init functions that fill them, as they stand in the source: with maps,
// slices that grow, closures, and what else a kernel cannot have.
//
// Where Go leaves open whether an operand is read before the calls beside it or after them, it does what Go's compiler
// does. What depends on more than that is refused.
//
// What it runs is deterministic. It reads nothing of the world outside: a function without a body in Go, a channel, a
// goroutine, an order that Go leaves open, and a variable that other code may have assigned, end it with an error. So
// does a computation of more than [MaxSteps] steps.
package initial
