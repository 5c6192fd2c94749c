package tile

import "github.com/qdgen/qd"

// Arithmetic element by element. Integers wrap, and so on: each operation is Go's for the type of the elements. Those of
// qd.Float16 and qd.BFloat16 are computed in float32 and rounded.

// Add is the sum of two tiles.
func (t Tile[T]) Add(u Tile[T]) Tile[T] {
	return Map2(t, u, func(x, y T) T { return arith(opAdd, x, y) })
}

// Sub is the difference of two tiles.
func (t Tile[T]) Sub(u Tile[T]) Tile[T] {
	return Map2(t, u, func(x, y T) T { return arith(opSub, x, y) })
}

// Mul is the product of two tiles, element by element; [Dot] is the product of matrices.
func (t Tile[T]) Mul(u Tile[T]) Tile[T] {
	return Map2(t, u, func(x, y T) T { return arith(opMul, x, y) })
}

// Div is the quotient of two tiles.
func (t Tile[T]) Div(u Tile[T]) Tile[T] {
	return Map2(t, u, func(x, y T) T { return arith(opDiv, x, y) })
}

// Minimum is a tile of the smaller elements of two tiles, as Go's min has it.
func (t Tile[T]) Minimum(u Tile[T]) Tile[T] {
	return Map2(t, u, func(x, y T) T { return arith(opMin, x, y) })
}

// Maximum is a tile of the larger elements of two tiles, as Go's max has it.
func (t Tile[T]) Maximum(u Tile[T]) Tile[T] {
	return Map2(t, u, func(x, y T) T { return arith(opMax, x, y) })
}

// AddScalar adds a number to each element.
func (t Tile[T]) AddScalar(s T) Tile[T] {
	return Map(t, func(x T) T { return arith(opAdd, x, s) })
}

// SubScalar subtracts a number from each element.
func (t Tile[T]) SubScalar(s T) Tile[T] {
	return Map(t, func(x T) T { return arith(opSub, x, s) })
}

// MulScalar multiplies each element by a number.
func (t Tile[T]) MulScalar(s T) Tile[T] {
	return Map(t, func(x T) T { return arith(opMul, x, s) })
}

// DivScalar divides each element by a number.
func (t Tile[T]) DivScalar(s T) Tile[T] {
	return Map(t, func(x T) T { return arith(opDiv, x, s) })
}

// Neg is 0 minus each element; of floats it has the other sign.
func (t Tile[T]) Neg() Tile[T] {
	return Map(t, func(x T) T {
		switch x := any(x).(type) {
		case float32:
			return any(-x).(T)
		case float64:
			return any(-x).(T)
		case qd.Float16:
			return any(qd.ToFloat16(-x.Float32())).(T)
		case qd.BFloat16:
			return any(qd.ToBFloat16(-x.Float32())).(T)
		}
		var zero T
		return arith(opSub, zero, x)
	})
}
