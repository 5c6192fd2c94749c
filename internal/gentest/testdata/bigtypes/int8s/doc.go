// Package int8s has types of int8 that packages f32, f64, i32 and u32 do not have.
package int8s

//go:generate go run github.com/qdgen/qd/cmd/qdgen types --elem int8 Vec4 Vec5 Vec8 Mat2 Mat3 Mat4 Mat5x5 Mat2x3 Mat4x3 Mat6x3
