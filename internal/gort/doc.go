// Package gort is what qdgen knows of how Go's compiler and runtime spell the names of functions,
// lay out closures and interfaces, and count stack frames. None of that is in the Go specification, so all of it
// stands here, and the test of this package is the first to run with a new release of Go.
package gort
