// Package gort has everything that qdgen assumes about Go's compiler and runtime: how they name
// functions, lay out closures and interfaces, count stack frames, and tell goroutines apart. None of this is in the Go
// specification. That is why it is in one package, whose tests are the first to run with a new
// release of Go. TestNowhereElse finds such assumptions in other packages.
package gort
