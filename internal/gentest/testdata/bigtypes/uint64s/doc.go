// Package uint64s has types of uint64 that packages f32, f64, i32 and u32 do not have.
package uint64s

//go:generate go run github.com/qdgen/qd/cmd/qdgen types --elem uint64 Vec4 Vec5 Vec8 Mat2 Mat3 Mat4 Mat5x5 Mat2x3 Mat4x3 Mat6x3
