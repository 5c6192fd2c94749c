// Package gort is what qdgen knows of how Go's compiler and runtime spell the names of functions,
// lay out closures and interfaces, and count stack frames. None of that is in the Go specification, so it
// stands here, and the test of this package is the first to run with a new release of Go. Two uses of such names are
// elsewhere, beside what they are compared with: package frontend/load finds the syntax of a literal by its name, and
// frontend/comptime knows the names that load gives literals.
package gort
