package tile

// Comparisons, element by element, give masks: tiles of bools. Those of floats with a NaN are false, but for NotEqual.

// Less reports of each element whether it is less than that of u.
func (t Tile[T]) Less(u Tile[T]) Tile[bool] {
	return Map2(t, u, func(x, y T) bool { return compare(less, x, y) })
}

// LessScalar reports of each element whether it is less than a number.
func (t Tile[T]) LessScalar(s T) Tile[bool] {
	return Map(t, func(x T) bool { return compare(less, x, s) })
}

// LessEqual reports of each element whether it is at most that of u.
func (t Tile[T]) LessEqual(u Tile[T]) Tile[bool] {
	return Map2(t, u, func(x, y T) bool { return compare(lessEqual, x, y) })
}

// LessEqualScalar reports of each element whether it is at most a number.
func (t Tile[T]) LessEqualScalar(s T) Tile[bool] {
	return Map(t, func(x T) bool { return compare(lessEqual, x, s) })
}

// Greater reports of each element whether it is greater than that of u.
func (t Tile[T]) Greater(u Tile[T]) Tile[bool] {
	return Map2(t, u, func(x, y T) bool { return compare(less, y, x) })
}

// GreaterScalar reports of each element whether it is greater than a number.
func (t Tile[T]) GreaterScalar(s T) Tile[bool] {
	return Map(t, func(x T) bool { return compare(less, s, x) })
}

// GreaterEqual reports of each element whether it is at least that of u.
func (t Tile[T]) GreaterEqual(u Tile[T]) Tile[bool] {
	return Map2(t, u, func(x, y T) bool { return compare(lessEqual, y, x) })
}

// GreaterEqualScalar reports of each element whether it is at least a number.
func (t Tile[T]) GreaterEqualScalar(s T) Tile[bool] {
	return Map(t, func(x T) bool { return compare(lessEqual, s, x) })
}

// Equal reports of each element whether it is equal to that of u.
func (t Tile[T]) Equal(u Tile[T]) Tile[bool] {
	return Map2(t, u, func(x, y T) bool { return compare(equal, x, y) })
}

// EqualScalar reports of each element whether it is equal to a number.
func (t Tile[T]) EqualScalar(s T) Tile[bool] {
	return Map(t, func(x T) bool { return compare(equal, x, s) })
}

// NotEqual reports of each element whether it is not equal to that of u.
func (t Tile[T]) NotEqual(u Tile[T]) Tile[bool] {
	return Map2(t, u, func(x, y T) bool { return !compare(equal, x, y) })
}

// NotEqualScalar reports of each element whether it is not equal to a number.
func (t Tile[T]) NotEqualScalar(s T) Tile[bool] {
	return Map(t, func(x T) bool { return !compare(equal, x, s) })
}

// And is a mask of where two masks hold.
func And(x, y Tile[bool]) Tile[bool] {
	return Map2(x, y, func(x, y bool) bool { return x && y })
}

// Or is a mask of where one of two masks holds, or both.
func Or(x, y Tile[bool]) Tile[bool] {
	return Map2(x, y, func(x, y bool) bool { return x || y })
}

// Not is a mask of where another one does not hold.
func Not(x Tile[bool]) Tile[bool] {
	return Map(x, func(x bool) bool { return !x })
}
