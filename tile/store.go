package tile

import "github.com/qdgen/qd"

// Store writes the tile, of one axis, to the elements of x from an index on. What lies outside of x is left
// out.
func (t Tile[T]) Store(x []T, from int) {
	qd.StaticAssert(rank(t) == 1, "Store writes tiles of one axis: use Store2 or Store3")
	n := dim(t, 2)
	if from >= 0 && from <= len(x)-n {
		inside := x[from : from+n]
		each(1, 1, n, func(_, _, k int) { inside[k] = at(t, 0, 0, k) })
	} else {
		each(1, 1, n, func(_, _, k int) {
			if p := from + k; p >= 0 && p < len(x) {
				x[p] = at(t, 0, 0, k)
			}
		})
	}
}

// Store2 writes the tile, of two axes, to the elements of x from row i and column j on. What lies outside of x is
// left out.
func (t Tile[T]) Store2(x qd.View2[T], i, j int) {
	qd.StaticAssert(rank(t) == 2, "Store2 writes tiles of two axes: use Store or Store3, or give a tile of one axis another with Row or Column")
	m, n := dim(t, 1), dim(t, 2)
	if i >= 0 && j >= 0 && i <= x.Dim(0)-m && j <= x.Dim(1)-n && x.Stride(1) == 1 {
		first, pitch, data := i*x.Stride(0)+j, x.Stride(0), x.Data()
		each(1, m, n, func(_, r, c int) { data[first+r*pitch+c] = at(t, 0, r, c) })
	} else {
		each(1, m, n, func(_, r, c int) {
			if p, q := i+r, j+c; p >= 0 && p < x.Dim(0) && q >= 0 && q < x.Dim(1) {
				x.Set(p, q, at(t, 0, r, c))
			}
		})
	}
}

// Store3 writes the tile, of three axes, to the elements of x from the indices h, i and j on. What lies outside of x
// is left out.
func (t Tile[T]) Store3(x qd.View3[T], h, i, j int) {
	qd.StaticAssert(rank(t) == 3, "Store3 writes tiles of three axes: use Store or Store2")
	each(dim(t, 0), dim(t, 1), dim(t, 2), func(a, r, c int) {
		if o, p, q := h+a, i+r, j+c; o >= 0 && o < x.Dim(0) && p >= 0 && p < x.Dim(1) && q >= 0 && q < x.Dim(2) {
			x.Set(o, p, q, at(t, a, r, c))
		}
	})
}

// Scatter writes the tile to the elements of x at the indices in another tile. What lies outside of x is left out.
// If two indices are equal, one of their elements is written.
func (t Tile[T]) Scatter(x []T, indices Tile[int]) {
	match(t, indices)
	each(max(dim(t, 0), dim(indices, 0)), max(dim(t, 1), dim(indices, 1)), max(dim(t, 2), dim(indices, 2)), func(i, j, k int) {
		if p := at(indices, i, j, k); p >= 0 && p < len(x) {
			x[p] = at(t, i, j, k)
		}
	})
}

// ScatterWhere is [Tile.Scatter] of the elements where a mask holds.
func (t Tile[T]) ScatterWhere(x []T, indices Tile[int], mask Tile[bool]) {
	match(t, indices)
	match(t, mask)
	match(indices, mask)
	each(max(dim(t, 0), dim(indices, 0), dim(mask, 0)), max(dim(t, 1), dim(indices, 1), dim(mask, 1)), max(dim(t, 2), dim(indices, 2), dim(mask, 2)), func(i, j, k int) {
		if p := at(indices, i, j, k); at(mask, i, j, k) && p >= 0 && p < len(x) {
			x[p] = at(t, i, j, k)
		}
	})
}
