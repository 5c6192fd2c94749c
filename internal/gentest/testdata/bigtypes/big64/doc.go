// Package big64 has types of float64 that packages f32, f64, i32 and u32 do not have.
package big64

//go:generate go run github.com/qdgen/qd/cmd/qdgen types --elem float64 Vec5 Vec8 Mat5x5 Mat6x6 Mat8x8 Mat12x12 Mat6x3 Mat3x5
