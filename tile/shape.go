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

// Broadcast3 repeats a tile along the axes where it has length 1, to l x m x n elements.
func (t Tile[T]) Broadcast3(l, m, n int) Tile[T] {
	qd.StaticAssert((dim(t, 0) == l || dim(t, 0) == 1) && (dim(t, 1) == m || dim(t, 1) == 1) && (dim(t, 2) == n || dim(t, 2) == 1), "the tile does not repeat to these lengths: each of its own must be the same or 1")
	return build(3, l, m, n, func(i, j, k int) T { return at(t, i, j, k) })
}

// Reshape3 is the elements in their order as a tile of three axes.
func (t Tile[T]) Reshape3(l, m, n int) Tile[T] {
	qd.StaticAssert(l*m*n == t.Len(), "Reshape3 keeps the number of elements: choose lengths whose product is that")
	return build(3, l, m, n, func(i, j, c int) T {
		k := (i*m+j)*n + c
		return at(t, k/(dim(t, 1)*dim(t, 2)), k/dim(t, 2)%dim(t, 1), k%dim(t, 2))
	})
}

// Expand is the tile with one more axis, of length 1, before the given one: of a tile of one axis, Expand(0) is a row and
// Expand(1) a column.
func (t Tile[T]) Expand(axis int) Tile[T] {
	qd.StaticAssert(rank(t) < 3, "a tile has at most three axes")
	qd.StaticAssert(axis >= 0 && axis <= rank(t), "Expand with an axis that the result does not have: the axes are counted from 0")
	if axis == rank(t) {
		return build(rank(t)+1, dim(t, 1), dim(t, 2), 1, func(i, j, _ int) T { return at(t, 0, i, j) })
	}
	if axis == rank(t)-1 {
		return build(rank(t)+1, dim(t, 1), 1, dim(t, 2), func(i, _, k int) T { return at(t, 0, i, k) })
	}
	return build(rank(t)+1, 1, dim(t, 1), dim(t, 2), func(_, j, k int) T { return at(t, 0, j, k) })
}

// Permute is the tile of three axes in another order: axis 0 of the result is axis a of t, and so on.
func (t Tile[T]) Permute(a, b, c int) Tile[T] {
	qd.StaticAssert(rank(t) == 3, "Permute is for tiles of three axes: use T for those of two")
	qd.StaticAssert(a >= 0 && b >= 0 && c >= 0 && a+b+c == 3 && a*b*c == 0 && a*a+b*b+c*c == 5, "Permute takes each axis once: 0, 1 and 2 in some order")
	return build(3, dim(t, a), dim(t, b), dim(t, c), func(i, j, k int) T {
		return at(t, axisFrom(0, a, b, i, j, k), axisFrom(1, a, b, i, j, k), axisFrom(2, a, b, i, j, k))
	})
}

// axisFrom is the index of a permuted tile that goes along an axis of the other one.
func axisFrom(axis, a, b, i, j, k int) int {
	if axis == a {
		return i
	}
	if axis == b {
		return j
	}
	return k
}

// Flip is the tile with the elements along an axis in reverse order. So t.Flip(0).CumSum(0).Flip(0) adds from the end.
func (t Tile[T]) Flip(axis int) Tile[T] {
	a := axisOf(t, axis)
	return build(rank(t), dim(t, 0), dim(t, 1), dim(t, 2), func(i, j, k int) T {
		return atAlong(t, a, dim(t, a)-1-alongAxis(a, i, j, k), i, j, k)
	})
}

// Take is the elements of t at the indices along an axis that another tile has: with axis 0 of two, element i, j is that
// of row indices i, j and of column j. The other axes of the indices are as long as those of t, or one of the two has
// length 1. What lies outside of t is zero.
func (t Tile[T]) Take(axis int, indices Tile[int]) Tile[T] {
	a := axisOf(t, axis)
	qd.StaticAssert(rank(t) == rank(indices), "Take with indices of another number of axes: use Row, Column or Expand")
	qd.StaticAssert((a == 0 || dim(t, 0) == 1 || dim(indices, 0) == 1 || dim(t, 0) == dim(indices, 0)) &&
		(a == 1 || dim(t, 1) == 1 || dim(indices, 1) == 1 || dim(t, 1) == dim(indices, 1)) &&
		(a == 2 || dim(t, 2) == 1 || dim(indices, 2) == 1 || dim(t, 2) == dim(indices, 2)), "Take with indices that do not match: along the other axes they are as long as the tile")
	return build(rank(t), taken(t, indices, 0, a), taken(t, indices, 1, a), taken(t, indices, 2, a), func(i, j, k int) T {
		var v T
		if p := at(indices, i, j, k); p >= 0 && p < dim(t, a) {
			v = atAlong(t, a, p, i, j, k)
		}
		return v
	})
}

// taken is the length of what Take gives, along one of three axes.
func taken[T any](t Tile[T], indices Tile[int], axis, along int) int {
	if axis == along {
		return dim(indices, axis)
	}
	return max(dim(t, axis), dim(indices, axis))
}
