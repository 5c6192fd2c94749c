// Package gort has everything that qdgen assumes about Go's compiler and runtime: how they name
// functions, lay out closures and interfaces, count stack frames, and tell goroutines apart. None of this is in the Go
// specification. That is why it is in one package, whose test is the first to run with a new
// release of Go. Two uses of such names are elsewhere, beside the code that they belong to: package
// frontend/load finds the syntax of a function literal by its name, and frontend/comptime knows the
// names that load gives literals.
package gort
