package tile

import "github.com/qdgen/qd"

// Cat is the elements of x and, along an axis behind them, those of y.
func Cat[T any](axis int, x, y Tile[T]) Tile[T] {
	a := axisOf(x, axis)
	qd.StaticAssert(rank(x) == rank(y), "Cat of tiles with different numbers of axes: use Expand")
	qd.StaticAssert((a == 0 || dim(x, 0) == dim(y, 0)) && (a == 1 || dim(x, 1) == dim(y, 1)) && (a == 2 || dim(x, 2) == dim(y, 2)), "Cat of tiles that do not match: along the other axes they are of equal length")
	return build(rank(x), joined(x, y, 0, a), joined(x, y, 1, a), joined(x, y, 2, a), func(i, j, k int) T {
		p := alongAxis(a, i, j, k)
		if p < dim(x, a) {
			return atAlong(x, a, p, i, j, k)
		}
		return atAlong(y, a, p-dim(x, a), i, j, k)
	})
}

// joined is the length of what Cat gives, along one of three axes.
func joined[T any](x, y Tile[T], axis, along int) int {
	if axis == along {
		return dim(x, axis) + dim(y, axis)
	}
	return dim(x, axis)
}

// Join is a tile with one more axis, the last one, along which an element of x is followed by that of y.
func Join[T any](x, y Tile[T]) Tile[T] {
	qd.StaticAssert(rank(x) < 3, "a tile has at most three axes")
	qd.StaticAssert(sameLengths(x, y), "Join is for tiles of equal lengths")
	return build(rank(x)+1, dim(x, 1), dim(x, 2), 2, func(i, j, k int) T {
		if k == 0 {
			return at(x, 0, i, j)
		}
		return at(y, 0, i, j)
	})
}

// Split is the two tiles that a tile with a last axis of length 2 was made of by [Join].
func (t Tile[T]) Split() (x, y Tile[T]) {
	qd.StaticAssert(rank(t) > 1 && dim(t, 2) == 2, "Split is for tiles of several axes whose last one has length 2")
	x = build(rank(t)-1, 1, dim(t, 0), dim(t, 1), func(_, j, k int) T { return at(t, j, k, 0) })
	y = build(rank(t)-1, 1, dim(t, 0), dim(t, 1), func(_, j, k int) T { return at(t, j, k, 1) })
	return x, y
}

// Interleave is the elements of two tiles in turns along the last axis.
func Interleave[T any](x, y Tile[T]) Tile[T] {
	qd.StaticAssert(sameLengths(x, y), "Interleave is for tiles of equal lengths")
	return build(rank(x), dim(x, 0), dim(x, 1), 2*dim(x, 2), func(i, j, k int) T {
		if k%2 == 0 {
			return at(x, i, j, k/2)
		}
		return at(y, i, j, k/2)
	})
}

func sameLengths[T any](x, y Tile[T]) bool {
	return rank(x) == rank(y) && dim(x, 0) == dim(y, 0) && dim(x, 1) == dim(y, 1) && dim(x, 2) == dim(y, 2)
}
