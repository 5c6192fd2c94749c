// Package big32 has types of float32 that packages f32, f64, i32 and u32 do not have.
package big32

//go:generate go run github.com/qdgen/qd/cmd/qdgen types --elem float32 Vec5 Vec8 Mat5x5 Mat6x6 Mat8x8 Mat12x12 Mat6x3 Mat3x5
