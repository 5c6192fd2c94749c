// Package plain has a device function, and no generated file of its own.
package plain

func Half(x float32) float32 { return x / 2 }
