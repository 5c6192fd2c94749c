package tile

import "github.com/qdgen/qd"

// Sort sorts the elements along an axis, the smallest first. A NaN is before all numbers, as slices.Sort has it.
func (t Tile[T]) Sort(axis int) Tile[T] {
	return t.SortFunc(axis, func(x, y T) bool { return before(x, y) })
}

// SortDescending sorts the elements along an axis, the largest first, and NaNs last.
func (t Tile[T]) SortDescending(axis int) Tile[T] {
	return t.SortFunc(axis, func(x, y T) bool { return before(y, x) })
}

// TopK is the n largest elements along an axis, the largest first. A NaN is smaller than all numbers.
func (t Tile[T]) TopK(axis, n int) Tile[T] {
	a := axisOf(t, axis)
	qd.StaticAssert(n >= 1, "TopK is of at least 1 element")
	qd.StaticAssert(n <= dim(t, a), "TopK of more elements than there are along the axis")
	s := t.SortDescending(axis)
	if a == 0 {
		return build(rank(t), n, dim(t, 1), dim(t, 2), func(i, j, k int) T { return at(s, i, j, k) })
	}
	if a == 1 {
		return build(rank(t), dim(t, 0), n, dim(t, 2), func(i, j, k int) T { return at(s, i, j, k) })
	}
	return build(rank(t), dim(t, 0), dim(t, 1), n, func(i, j, k int) T { return at(s, i, j, k) })
}

// SortFunc sorts the elements along an axis so that less holds of no element and one before it. less is a strict
// order. Elements of which it holds neither way come in any order, which is the same on every device.
func (t Tile[T]) SortFunc(axis int, less func(x, y T) bool) Tile[T] {
	a := axisOf(t, axis)
	n := dim(t, a)
	for size := 2; size < 2*n; size *= 2 {
		t = exchange(t, a, size-1, less)
		for step := size / 4; step > 0; step /= 2 {
			t = exchange(t, a, step, less)
		}
	}
	return t
}

// ArgSort is the indices along an axis in the order that sorts the elements: [Tile.Take] with them is [Tile.Sort].
// Of equal elements the one with the smaller index is first.
func (t Tile[T]) ArgSort(axis int) Tile[int] {
	a := axisOf(t, axis)
	n := dim(t, a)
	p := indicesAlong(t, a)
	for size := 2; size < 2*n; size *= 2 {
		t, p = exchangeIndices(t, p, a, size-1)
		for step := size / 4; step > 0; step /= 2 {
			t, p = exchangeIndices(t, p, a, step)
		}
	}
	return p
}

// The network is Batcher's bitonic sort in the form in which the smaller of two elements always goes to the lower index:
// the merge begins with the elements that mirror each other. So a length that is no power of two needs nothing more
// than to leave out what would lie behind the end.

// exchange compares elements with those whose index differs in the bits of a mask, and puts the smaller one first.
func exchange[T any](t Tile[T], axis, mask int, less func(x, y T) bool) Tile[T] {
	return build(rank(t), dim(t, 0), dim(t, 1), dim(t, 2), func(i, j, k int) T {
		own := alongAxis(axis, i, j, k)
		other := own ^ mask
		x := at(t, i, j, k)
		if other < dim(t, axis) {
			y := atAlong(t, axis, other, i, j, k)
			if own < other && less(y, x) || own > other && less(x, y) {
				x = y
			}
		}
		return x
	})
}

// exchangeIndices is exchange of elements together with their indices, by which equal ones are ordered.
func exchangeIndices[T any](t Tile[T], p Tile[int], axis, mask int) (Tile[T], Tile[int]) {
	moves := build(rank(t), dim(t, 0), dim(t, 1), dim(t, 2), func(i, j, k int) bool {
		own := alongAxis(axis, i, j, k)
		other := own ^ mask
		if other >= dim(t, axis) {
			return false
		}
		x, a := at(t, i, j, k), at(p, i, j, k)
		y, b := atAlong(t, axis, other, i, j, k), atAlong(p, axis, other, i, j, k)
		yFirst := before(y, x) || !before(x, y) && b < a
		return yFirst == (own < other)
	})
	u := build(rank(t), dim(t, 0), dim(t, 1), dim(t, 2), func(i, j, k int) T {
		v := at(t, i, j, k)
		if at(moves, i, j, k) {
			v = atAlong(t, axis, alongAxis(axis, i, j, k)^mask, i, j, k)
		}
		return v
	})
	q := build(rank(t), dim(t, 0), dim(t, 1), dim(t, 2), func(i, j, k int) int {
		v := at(p, i, j, k)
		if at(moves, i, j, k) {
			v = atAlong(p, axis, alongAxis(axis, i, j, k)^mask, i, j, k)
		}
		return v
	})
	return u, q
}

// before is the order of cmp.Less.
func before[T any](x, y T) bool {
	return compare(less, x, y) || !compare(equal, x, x) && compare(equal, y, y)
}

// alongAxis is the index along one of three axes.
func alongAxis(axis, i, j, k int) int {
	if axis == 0 {
		return i
	}
	if axis == 1 {
		return j
	}
	return k
}

// atAlong is an element with another index along one of three axes.
func atAlong[T any](t Tile[T], axis, p, i, j, k int) T {
	if axis == 0 {
		return at(t, p, j, k)
	}
	if axis == 1 {
		return at(t, i, p, k)
	}
	return at(t, i, j, p)
}
