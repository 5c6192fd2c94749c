package tile

import "github.com/qdgen/qd"

// Atomic operations, one for each element, on the elements of x at the indices in another tile. What lies outside of x
// is left out, so that an index of -1 masks an element. The results are the old values, and zero for what is left
// out. If an index comes several times, the order of its operations is any.

// AtomicAdd adds the elements of a tile to elements of x.
func AtomicAdd[T qd.Atomic](t Tile[T], x []T, indices Tile[int]) (old Tile[T]) {
	return atomically(t, x, indices, func(p *T, v T) T { return qd.AtomicAdd(p, v) })
}

// AtomicMin sets elements of x to the smaller ones of theirs and those of a tile.
func AtomicMin[T qd.Atomic](t Tile[T], x []T, indices Tile[int]) (old Tile[T]) {
	return atomically(t, x, indices, func(p *T, v T) T { return qd.AtomicMin(p, v) })
}

// AtomicMax sets elements of x to the larger ones of theirs and those of a tile.
func AtomicMax[T qd.Atomic](t Tile[T], x []T, indices Tile[int]) (old Tile[T]) {
	return atomically(t, x, indices, func(p *T, v T) T { return qd.AtomicMax(p, v) })
}

// AtomicAnd keeps the bits of elements of x that those of a tile have too.
func AtomicAnd[T qd.AtomicInt](t Tile[T], x []T, indices Tile[int]) (old Tile[T]) {
	return atomically(t, x, indices, func(p *T, v T) T { return qd.AtomicAnd(p, v) })
}

// AtomicOr sets the bits of elements of x that those of a tile have.
func AtomicOr[T qd.AtomicInt](t Tile[T], x []T, indices Tile[int]) (old Tile[T]) {
	return atomically(t, x, indices, func(p *T, v T) T { return qd.AtomicOr(p, v) })
}

// AtomicXor turns the bits of elements of x that those of a tile have.
func AtomicXor[T qd.AtomicInt](t Tile[T], x []T, indices Tile[int]) (old Tile[T]) {
	return atomically(t, x, indices, func(p *T, v T) T { return qd.AtomicXor(p, v) })
}

// AtomicExch sets elements of x to those of a tile.
func AtomicExch[T qd.Atomic](t Tile[T], x []T, indices Tile[int]) (old Tile[T]) {
	return atomically(t, x, indices, func(p *T, v T) T { return qd.AtomicExch(p, v) })
}

// AtomicCAS sets elements of x to those of a tile where they are what another tile has: see [qd.AtomicCAS].
func AtomicCAS[T qd.Atomic](want, t Tile[T], x []T, indices Tile[int]) (old Tile[T]) {
	match(want, t)
	match(want, indices)
	match(t, indices)
	return build(max(rank(want), rank(t), rank(indices)), max(dim(want, 0), dim(t, 0), dim(indices, 0)), max(dim(want, 1), dim(t, 1), dim(indices, 1)), max(dim(want, 2), dim(t, 2), dim(indices, 2)), func(i, j, k int) T {
		var old T
		if p := at(indices, i, j, k); p >= 0 && p < len(x) {
			old = qd.AtomicCAS(&x[p], at(want, i, j, k), at(t, i, j, k))
		}
		return old
	})
}

// atomically does an operation for each element.
func atomically[T any](t Tile[T], x []T, indices Tile[int], f func(p *T, v T) T) Tile[T] {
	match(t, indices)
	return build(max(rank(t), rank(indices)), max(dim(t, 0), dim(indices, 0)), max(dim(t, 1), dim(indices, 1)), max(dim(t, 2), dim(indices, 2)), func(i, j, k int) T {
		var old T
		if p := at(indices, i, j, k); p >= 0 && p < len(x) {
			old = f(&x[p], at(t, i, j, k))
		}
		return old
	})
}

// AtomicAddAt adds the tile, of one axis, to the elements of x from an index on, each by an atomic operation, so that
// several blocks can add to the same ones. What lies outside of x is left out.
func AtomicAddAt[T qd.Atomic](t Tile[T], x []T, from int) {
	qd.StaticAssert(rank(t) == 1, "AtomicAddAt adds tiles of one axis: use AtomicAddAt2")
	each(1, 1, dim(t, 2), func(_, _, k int) {
		if p := from + k; p >= 0 && p < len(x) {
			qd.AtomicAdd(&x[p], at(t, 0, 0, k))
		}
	})
}

// AtomicAddAt2 adds the tile, of two axes, to the elements of x from row i and column j on, each by an atomic operation:
// blocks that share the work for one tile of the result, as split-K does, add their parts so. What lies outside of x is
// left out.
func AtomicAddAt2[T qd.Atomic](t Tile[T], x qd.View2[T], i, j int) {
	qd.StaticAssert(rank(t) == 2, "AtomicAddAt2 adds tiles of two axes: use AtomicAddAt, or give a tile of one axis another with Row or Column")
	each(1, dim(t, 1), dim(t, 2), func(_, r, c int) {
		if p, q := i+r, j+c; p >= 0 && p < x.Dim(0) && q >= 0 && q < x.Dim(1) {
			qd.AtomicAdd(x.Ptr(p, q), at(t, 0, r, c))
		}
	})
}
