// Package peers has kernels for the behaviours that the test suites of Warp, Quadrants
// (and Taichi, which it descends from) and Triton check, rebuilt in Go from what those
// tests say; its tests run them on devices go and cpu. docs/peers.md lists the cases
// with their origins.
//
// Kernels that are refused on purpose have no directive: qdgen gen and qdgen vet would
// report them.
package peers

//go:generate go run github.com/qdgen/qd/cmd/qdgen types --elem float32 Vec10 Mat10x3 -o qd_types.go
//go:generate go run github.com/qdgen/qd/cmd/qdgen gen ./...
