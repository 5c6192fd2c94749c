// Package int32s has types of int32 that packages f32, f64, i32 and u32 do not have.
package int32s

//go:generate go run github.com/qdgen/qd/cmd/qdgen types --elem int32 Vec5 Vec10 Mat5x5
