// Package bigtypes has vector and matrix types that are larger than those of package qd,
// made by qdgen types as for any user: for tests and benchmarks.
package bigtypes

//go:generate go run github.com/qdgen/qd/cmd/qdgen types Vec5 Vec8 Mat5x5 Mat6x6 Mat8x8 Mat12x12 Mat6x3 Mat3x5
