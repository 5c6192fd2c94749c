package tile

// Map is a tile of what f gives for each element.
func (t Tile[T]) Map(f func(x T) T) Tile[T] { return Map(t, f) }

// Map is a tile of what f gives for each element of t, of any type.
func Map[T, U any](t Tile[T], f func(x T) U) Tile[U] {
	return build(rank(t), dim(t, 0), dim(t, 1), dim(t, 2), func(i, j, k int) U { return f(at(t, i, j, k)) })
}

// Map2 is a tile of what f gives for the elements of two tiles.
func Map2[T, U, V any](x Tile[T], y Tile[U], f func(x T, y U) V) Tile[V] {
	match(x, y)
	return build(max(rank(x), rank(y)), max(dim(x, 0), dim(y, 0)), max(dim(x, 1), dim(y, 1)), max(dim(x, 2), dim(y, 2)), func(i, j, k int) V {
		return f(at(x, i, j, k), at(y, i, j, k))
	})
}

// Map3 is a tile of what f gives for the elements of three tiles.
func Map3[T, U, V, W any](x Tile[T], y Tile[U], z Tile[V], f func(x T, y U, z V) W) Tile[W] {
	match(x, y)
	match(x, z)
	match(y, z)
	return build(max(rank(x), rank(y), rank(z)), max(dim(x, 0), dim(y, 0), dim(z, 0)), max(dim(x, 1), dim(y, 1), dim(z, 1)), max(dim(x, 2), dim(y, 2), dim(z, 2)), func(i, j, k int) W {
		return f(at(x, i, j, k), at(y, i, j, k), at(z, i, j, k))
	})
}

// Where is a tile of the elements of x where a mask holds, and of those of y elsewhere.
func Where[T any](mask Tile[bool], x, y Tile[T]) Tile[T] {
	return Map3(mask, x, y, func(m bool, x, y T) T {
		if m {
			return x
		}
		return y
	})
}
