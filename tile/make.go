package tile

import "github.com/qdgen/qd"

// Arange is a tile of the n numbers from, from+1 and so on.
func Arange(b qd.Block, from, n int) Tile[int] {
	return build(1, 1, 1, n, func(_, _, k int) int { return from + k })
}

// Full is a tile of n elements that are all x.
func Full[T any](b qd.Block, n int, x T) Tile[T] {
	return build(1, 1, 1, n, func(_, _, _ int) T { return x })
}

// Full2 is a tile of m x n elements that are all x.
func Full2[T any](b qd.Block, m, n int, x T) Tile[T] {
	return build(2, 1, m, n, func(_, _, _ int) T { return x })
}

// Full3 is a tile of l x m x n elements that are all x.
func Full3[T any](b qd.Block, l, m, n int, x T) Tile[T] {
	return build(3, l, m, n, func(_, _, _ int) T { return x })
}

// Zeros is a tile of n elements that are all zero.
func Zeros[T any](b qd.Block, n int) Tile[T] {
	var zero T
	return Full(b, n, zero)
}

// Zeros2 is a tile of m x n elements that are all zero.
func Zeros2[T any](b qd.Block, m, n int) Tile[T] {
	var zero T
	return Full2(b, m, n, zero)
}

// Zeros3 is a tile of l x m x n elements that are all zero.
func Zeros3[T any](b qd.Block, l, m, n int) Tile[T] {
	var zero T
	return Full3(b, l, m, n, zero)
}
