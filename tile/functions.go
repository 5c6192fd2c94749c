package tile

import "github.com/qdgen/qd"

// The operations as functions: they take named types of numbers too, as their type parameter is known to be a number.

// Add is [Tile.Add] of numbers.
func Add[T qd.Number](x, y Tile[T]) Tile[T] {
	return Map2(x, y, func(x, y T) T { return x + y })
}

// Sub is [Tile.Sub] of numbers.
func Sub[T qd.Number](x, y Tile[T]) Tile[T] {
	return Map2(x, y, func(x, y T) T { return x - y })
}

// Mul is [Tile.Mul] of numbers.
func Mul[T qd.Number](x, y Tile[T]) Tile[T] {
	return Map2(x, y, func(x, y T) T { return x * y })
}

// Div is [Tile.Div] of numbers.
func Div[T qd.Number](x, y Tile[T]) Tile[T] {
	return Map2(x, y, func(x, y T) T { return x / y })
}

// Minimum is [Tile.Minimum] of numbers.
func Minimum[T qd.Number](x, y Tile[T]) Tile[T] {
	return Map2(x, y, func(x, y T) T { return min(x, y) })
}

// Maximum is [Tile.Maximum] of numbers.
func Maximum[T qd.Number](x, y Tile[T]) Tile[T] {
	return Map2(x, y, func(x, y T) T { return max(x, y) })
}

// Rem is a tile of the remainders of two tiles of integers, as Go's % has them.
func Rem[T qd.Int](x, y Tile[T]) Tile[T] {
	return Map2(x, y, func(x, y T) T { return x % y })
}

// BitAnd is a tile of the bits that the elements of both tiles have.
func BitAnd[T qd.Int](x, y Tile[T]) Tile[T] {
	return Map2(x, y, func(x, y T) T { return x & y })
}

// BitOr is a tile of the bits that the elements of one of two tiles have, or both.
func BitOr[T qd.Int](x, y Tile[T]) Tile[T] {
	return Map2(x, y, func(x, y T) T { return x | y })
}

// BitXor is a tile of the bits that the elements of only one of two tiles have.
func BitXor[T qd.Int](x, y Tile[T]) Tile[T] {
	return Map2(x, y, func(x, y T) T { return x ^ y })
}

// ShiftLeft is a tile of the elements of x shifted to the left by those of y.
func ShiftLeft[T, S qd.Int](x Tile[T], y Tile[S]) Tile[T] {
	return Map2(x, y, func(x T, y S) T { return x << y })
}

// ShiftRight is a tile of the elements of x shifted to the right by those of y.
func ShiftRight[T, S qd.Int](x Tile[T], y Tile[S]) Tile[T] {
	return Map2(x, y, func(x T, y S) T { return x >> y })
}

// Clamp is a tile of the elements that lie between two numbers, and of these numbers for what lies below and above. A
// NaN stays one.
func Clamp[T qd.Number](t Tile[T], low, high T) Tile[T] {
	return Map(t, func(x T) T { return min(max(x, low), high) })
}

// FMA is a tile of x*y + z, each with one rounding.
func FMA[T qd.Float](x, y, z Tile[T]) Tile[T] {
	return Map3(x, y, z, func(x, y, z T) T { return qd.FMA(x, y, z) })
}

// Exp is a tile of e to the power of each element.
func Exp[T qd.Float](t Tile[T]) Tile[T] { return Map(t, func(x T) T { return qd.Exp(x) }) }

// Exp2 is a tile of 2 to the power of each element.
func Exp2[T qd.Float](t Tile[T]) Tile[T] { return Map(t, func(x T) T { return qd.Exp2(x) }) }

// Log is a tile of the natural logarithm of each element.
func Log[T qd.Float](t Tile[T]) Tile[T] { return Map(t, func(x T) T { return qd.Log(x) }) }

// Log2 is a tile of the binary logarithm of each element.
func Log2[T qd.Float](t Tile[T]) Tile[T] { return Map(t, func(x T) T { return qd.Log2(x) }) }

// Sqrt is a tile of the square root of each element.
func Sqrt[T qd.Float](t Tile[T]) Tile[T] { return Map(t, func(x T) T { return qd.Sqrt(x) }) }

// Abs is a tile of the absolute value of each element.
func Abs[T qd.Float](t Tile[T]) Tile[T] { return Map(t, func(x T) T { return qd.Abs(x) }) }

// Sin is a tile of the sine of each element.
func Sin[T qd.Float](t Tile[T]) Tile[T] { return Map(t, func(x T) T { return qd.Sin(x) }) }

// Cos is a tile of the cosine of each element.
func Cos[T qd.Float](t Tile[T]) Tile[T] { return Map(t, func(x T) T { return qd.Cos(x) }) }

// Tanh is a tile of the hyperbolic tangent of each element.
func Tanh[T qd.Float](t Tile[T]) Tile[T] { return Map(t, func(x T) T { return qd.Tanh(x) }) }

// Floor is a tile of the greatest integer not above each element.
func Floor[T qd.Float](t Tile[T]) Tile[T] { return Map(t, func(x T) T { return qd.Floor(x) }) }

// Ceil is a tile of the least integer not below each element.
func Ceil[T qd.Float](t Tile[T]) Tile[T] { return Map(t, func(x T) T { return qd.Ceil(x) }) }

// Erf is a tile of the error function of each element.
func Erf[T qd.Float](t Tile[T]) Tile[T] { return Map(t, func(x T) T { return qd.Erf(x) }) }

// Sigmoid is a tile of 1 / (1 + e to the power of minus each element).
func Sigmoid[T qd.Float](t Tile[T]) Tile[T] {
	return Map(t, func(x T) T { return 1 / (1 + qd.Exp(-x)) })
}

// Convert is a tile of the elements converted to another type of numbers, as Go converts them.
func Convert[U, T qd.Number](t Tile[T]) Tile[U] { return Map(t, func(x T) U { return U(x) }) }

// To32 is a tile of the elements as float32, which holds them exactly.
func To32[T qd.Storage](t Tile[T]) Tile[float32] {
	return Map(t, func(x T) float32 { return qd.To32(x) })
}

// From32 is a tile of the elements rounded to a type of storage: tile.From32[qd.Float16](t).
func From32[T qd.Storage](t Tile[float32]) Tile[T] {
	return Map(t, func(x float32) T { return qd.From32[T](x) })
}
