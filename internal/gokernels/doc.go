// Package gokernels makes kernels of Go files that know nothing of qdgen: of the Go project's own
// tests of its compiler, which lie in GOROOT/test. They say most of what can be said in Go, in ways
// that nobody who thinks of kernels would, so that they are good seeds for random tests.
package gokernels
