package tile

import "github.com/qdgen/qd"

// Random tiles. Each element depends only on the seed and on its number in a tile, such as [Arange] makes: see [qd.Rand].

// Rand is a tile of random numbers of 64 bits.
func Rand[S qd.Int](seed S, numbers Tile[int]) Tile[uint64] {
	return Map(numbers, func(n int) uint64 { return qd.Rand(seed, n) })
}

// RandFloat32 is a tile of random floats that are at least 0 and less than 1.
func RandFloat32[S qd.Int](seed S, numbers Tile[int]) Tile[float32] {
	return Map(numbers, func(n int) float32 { return qd.RandFloat32(seed, n) })
}

// RandFloat64 is a tile of random floats that are at least 0 and less than 1.
func RandFloat64[S qd.Int](seed S, numbers Tile[int]) Tile[float64] {
	return Map(numbers, func(n int) float64 { return qd.RandFloat64(seed, n) })
}

// RandNormal is a tile of normally distributed random numbers: tile.RandNormal[float32](seed, numbers).
func RandNormal[T qd.Float, S qd.Int](seed S, numbers Tile[int]) Tile[T] {
	return Map(numbers, func(n int) T { return qd.RandNormal[T](seed, n) })
}
