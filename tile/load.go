package tile

import "github.com/qdgen/qd"

// Load reads the n elements of x from an index on. What lies outside of x is zero.
func Load[T any](b qd.Block, x []T, from, n int) Tile[T] {
	var zero T
	return LoadOr(b, x, from, n, zero)
}

// LoadOr reads the n elements of x from an index on. What lies outside of x is other.
func LoadOr[T any](b qd.Block, x []T, from, n int, other T) Tile[T] {
	var t Tile[T]
	if from >= 0 && from <= len(x)-n {
		inside := x[from : from+n]
		t = build(1, 1, 1, n, func(_, _, k int) T { return inside[k] })
	} else {
		t = build(1, 1, 1, n, func(_, _, k int) T {
			v := other
			if p := from + k; p >= 0 && p < len(x) {
				v = x[p]
			}
			return v
		})
	}
	return t
}

// Load2 reads m rows of n elements of x, from row i and column j on. What lies outside of x is zero.
func Load2[T any](b qd.Block, x qd.View2[T], i, j, m, n int) Tile[T] {
	var zero T
	return Load2Or(b, x, i, j, m, n, zero)
}

// Load2Or reads m rows of n elements of x, from row i and column j on. What lies outside of x is other.
func Load2Or[T any](b qd.Block, x qd.View2[T], i, j, m, n int, other T) Tile[T] {
	var t Tile[T]
	if i >= 0 && j >= 0 && i <= x.Dim(0)-m && j <= x.Dim(1)-n && x.Stride(1) == 1 {
		first, pitch, data := i*x.Stride(0)+j, x.Stride(0), x.Data()
		t = build(2, 1, m, n, func(_, r, c int) T { return data[first+r*pitch+c] })
	} else {
		t = build(2, 1, m, n, func(_, r, c int) T {
			v := other
			if p, q := i+r, j+c; p >= 0 && p < x.Dim(0) && q >= 0 && q < x.Dim(1) {
				v = x.At(p, q)
			}
			return v
		})
	}
	return t
}

// Load3 reads l x m x n elements of x, from the indices h, i and j on. What lies outside of x is zero.
func Load3[T any](b qd.Block, x qd.View3[T], h, i, j, l, m, n int) Tile[T] {
	var zero T
	return Load3Or(b, x, h, i, j, l, m, n, zero)
}

// Load3Or reads l x m x n elements of x, from the indices h, i and j on. What lies outside of x is other.
func Load3Or[T any](b qd.Block, x qd.View3[T], h, i, j, l, m, n int, other T) Tile[T] {
	return build(3, l, m, n, func(a, r, c int) T {
		v := other
		if o, p, q := h+a, i+r, j+c; o >= 0 && o < x.Dim(0) && p >= 0 && p < x.Dim(1) && q >= 0 && q < x.Dim(2) {
			v = x.At(o, p, q)
		}
		return v
	})
}

// Gather reads the elements of x at the indices in a tile. What lies outside of x is zero.
func Gather[T any](b qd.Block, x []T, indices Tile[int]) Tile[T] {
	return build(rank(indices), dim(indices, 0), dim(indices, 1), dim(indices, 2), func(i, j, k int) T {
		var v T
		if p := at(indices, i, j, k); p >= 0 && p < len(x) {
			v = x[p]
		}
		return v
	})
}

// GatherOr reads the elements of x at the indices in a tile, where a mask holds. What the mask leaves out, and what
// lies outside of x, is other.
func GatherOr[T any](b qd.Block, x []T, indices Tile[int], mask Tile[bool], other T) Tile[T] {
	match(indices, mask)
	return build(max(rank(indices), rank(mask)), max(dim(indices, 0), dim(mask, 0)), max(dim(indices, 1), dim(mask, 1)), max(dim(indices, 2), dim(mask, 2)), func(i, j, k int) T {
		v := other
		if p := at(indices, i, j, k); at(mask, i, j, k) && p >= 0 && p < len(x) {
			v = x[p]
		}
		return v
	})
}
