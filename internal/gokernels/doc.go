// Package gokernels makes kernels from Go files that know nothing of qdgen: the tests of the Go
// compiler, in GOROOT/test. They use most of Go, in ways that no author of kernels would think of,
// so they are good seeds for random tests.
package gokernels
