package tile

import "github.com/qdgen/qd"

// T is the tile of two axes with rows and columns exchanged.
func (t Tile[T]) T() Tile[T] {
	qd.StaticAssert(rank(t) == 2, "T is for tiles of two axes: use Row or Column to give a tile of one axis another")
	return build(2, 1, dim(t, 2), dim(t, 1), func(_, r, c int) T { return at(t, 0, c, r) })
}

// Row is a tile of one axis as a row: with one more axis before it, of length 1.
func (t Tile[T]) Row() Tile[T] {
	qd.StaticAssert(rank(t) == 1, "Row is for tiles of one axis")
	return build(2, 1, 1, dim(t, 2), func(_, _, k int) T { return at(t, 0, 0, k) })
}

// Column is a tile of one axis as a column: with one more axis behind it, of length 1.
func (t Tile[T]) Column() Tile[T] {
	qd.StaticAssert(rank(t) == 1, "Column is for tiles of one axis")
	return build(2, 1, dim(t, 2), 1, func(_, j, _ int) T { return at(t, 0, 0, j) })
}

// Broadcast2 repeats a tile of one axis as rows, or a row or a column of two axes, to m x n elements.
func (t Tile[T]) Broadcast2(m, n int) Tile[T] {
	qd.StaticAssert(rank(t) <= 2 && (dim(t, 1) == m || dim(t, 1) == 1) && (dim(t, 2) == n || dim(t, 2) == 1), "the tile does not repeat to these lengths: each of its own must be the same or 1")
	return build(2, 1, m, n, func(_, r, c int) T { return at(t, 0, r, c) })
}

// Reshape is the elements in their order as a tile of one axis.
func (t Tile[T]) Reshape(n int) Tile[T] {
	qd.StaticAssert(n == t.Len(), "Reshape keeps the number of elements: choose lengths whose product is that")
	return build(1, 1, 1, n, func(_, _, k int) T {
		return at(t, k/(dim(t, 1)*dim(t, 2)), k/dim(t, 2)%dim(t, 1), k%dim(t, 2))
	})
}

// Reshape2 is the elements in their order as a tile of two axes.
func (t Tile[T]) Reshape2(m, n int) Tile[T] {
	qd.StaticAssert(m*n == t.Len(), "Reshape2 keeps the number of elements: choose lengths whose product is that")
	return build(2, 1, m, n, func(_, r, c int) T {
		k := r*n + c
		return at(t, k/(dim(t, 1)*dim(t, 2)), k/dim(t, 2)%dim(t, 1), k%dim(t, 2))
	})
}
