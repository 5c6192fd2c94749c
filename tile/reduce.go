package tile

import "github.com/qdgen/qd"

// Reduce joins all elements by a function, which should not care for their order: see the package's documentation for that.
func (t Tile[T]) Reduce(f func(x, y T) T) T {
	var r Tile[T]
	if rank(t) == 3 {
		r = reduce(reduce(reduce(t, 2, f), 2, f), 2, f)
	} else if rank(t) == 2 {
		r = reduce(reduce(t, 2, f), 2, f)
	} else {
		r = reduce(t, 2, f)
	}
	return at(r, 0, 0, 0)
}

// ReduceAxis joins the elements along an axis, which the result lacks.
func (t Tile[T]) ReduceAxis(axis int, f func(x, y T) T) Tile[T] {
	a := axisOf(t, axis)
	qd.StaticAssert(rank(t) > 1, "a tile of one axis has no other: use Reduce, Sum and their like, which give a number")
	return reduce(t, a, f)
}

// Sum is the sum of all elements.
func (t Tile[T]) Sum() T { return t.Reduce(func(x, y T) T { return arith(opAdd, x, y) }) }

// Prod is the product of all elements.
func (t Tile[T]) Prod() T { return t.Reduce(func(x, y T) T { return arith(opMul, x, y) }) }

// Max is the largest element. A NaN is larger than all numbers.
func (t Tile[T]) Max() T { return t.Reduce(func(x, y T) T { return arith(opMax, x, y) }) }

// Min is the smallest element. A NaN is smaller than all numbers.
func (t Tile[T]) Min() T { return t.Reduce(func(x, y T) T { return arith(opMin, x, y) }) }

// SumAxis is the sums along an axis: of a tile of two axes, SumAxis(0) has that of each column, SumAxis(1) that of
// each row.
func (t Tile[T]) SumAxis(axis int) Tile[T] {
	return t.ReduceAxis(axis, func(x, y T) T { return arith(opAdd, x, y) })
}

// ProdAxis is the products along an axis.
func (t Tile[T]) ProdAxis(axis int) Tile[T] {
	return t.ReduceAxis(axis, func(x, y T) T { return arith(opMul, x, y) })
}

// MaxAxis is the largest elements along an axis.
func (t Tile[T]) MaxAxis(axis int) Tile[T] {
	return t.ReduceAxis(axis, func(x, y T) T { return arith(opMax, x, y) })
}

// MinAxis is the smallest elements along an axis.
func (t Tile[T]) MinAxis(axis int) Tile[T] {
	return t.ReduceAxis(axis, func(x, y T) T { return arith(opMin, x, y) })
}

// ArgMax is the index of the largest element of a tile of one axis: the first one of several. A NaN is larger than
// all numbers.
func (t Tile[T]) ArgMax() int {
	qd.StaticAssert(rank(t) == 1, "ArgMax is for tiles of one axis: use ArgMaxAxis")
	_, p := reduce2(t, indicesAlong(t, 2), 2, func(x T, a int, y T, b int) (T, int) { return largest(x, a, y, b) })
	return at(p, 0, 0, 0)
}

// ArgMin is the index of the smallest element of a tile of one axis: the first one of several. A NaN is smaller than
// all numbers.
func (t Tile[T]) ArgMin() int {
	qd.StaticAssert(rank(t) == 1, "ArgMin is for tiles of one axis: use ArgMinAxis")
	_, p := reduce2(t, indicesAlong(t, 2), 2, func(x T, a int, y T, b int) (T, int) { return smallest(x, a, y, b) })
	return at(p, 0, 0, 0)
}

// ArgMaxAxis is the indices, along an axis, of the largest elements there.
func (t Tile[T]) ArgMaxAxis(axis int) Tile[int] {
	a := axisOf(t, axis)
	qd.StaticAssert(rank(t) > 1, "a tile of one axis has no other: use ArgMax and ArgMin, which give a number")
	_, p := reduce2(t, indicesAlong(t, a), a, func(x T, a int, y T, b int) (T, int) { return largest(x, a, y, b) })
	return p
}

// ArgMinAxis is the indices, along an axis, of the smallest elements there.
func (t Tile[T]) ArgMinAxis(axis int) Tile[int] {
	a := axisOf(t, axis)
	qd.StaticAssert(rank(t) > 1, "a tile of one axis has no other: use ArgMax and ArgMin, which give a number")
	_, p := reduce2(t, indicesAlong(t, a), a, func(x T, a int, y T, b int) (T, int) { return smallest(x, a, y, b) })
	return p
}

// indicesAlong is a tile with the lengths of another, of the index of each element along one of three axes.
func indicesAlong[T any](t Tile[T], axis int) Tile[int] {
	return build(rank(t), dim(t, 0), dim(t, 1), dim(t, 2), func(i, j, k int) int {
		if axis == 0 {
			return i
		}
		if axis == 1 {
			return j
		}
		return k
	})
}

// largest is the larger one of two elements, with its index: the one with the smaller index if they are equal.
func largest[T any](x T, a int, y T, b int) (T, int) {
	xNaN, yNaN := !compare(equal, x, x), !compare(equal, y, y)
	switch {
	case compare(less, x, y) || yNaN && !xNaN:
		return y, b
	case compare(less, y, x) || xNaN && !yNaN || a < b:
		return x, a
	}
	return y, b
}

// smallest is the smaller one of two elements, with its index: the one with the smaller index if they are equal.
func smallest[T any](x T, a int, y T, b int) (T, int) {
	xNaN, yNaN := !compare(equal, x, x), !compare(equal, y, y)
	switch {
	case compare(less, y, x) || yNaN && !xNaN:
		return y, b
	case compare(less, x, y) || xNaN && !yNaN || a < b:
		return x, a
	}
	return y, b
}

// Scan joins each element of a tile of one axis to what the elements before it came to: element k of the result is
// f(f(f(t0, t1), t2) ..., tk).
func (t Tile[T]) Scan(f func(x, y T) T) Tile[T] {
	qd.StaticAssert(rank(t) == 1, "Scan is for tiles of one axis: use ScanAxis")
	return scan(t, 2, f)
}

// ScanAxis is [Tile.Scan] along an axis.
func (t Tile[T]) ScanAxis(axis int, f func(x, y T) T) Tile[T] {
	return scan(t, axisOf(t, axis), f)
}

// CumSum is the sums of each element with all before it, along an axis.
func (t Tile[T]) CumSum(axis int) Tile[T] {
	return t.ScanAxis(axis, func(x, y T) T { return arith(opAdd, x, y) })
}

// CumProd is the products of each element with all before it, along an axis.
func (t Tile[T]) CumProd(axis int) Tile[T] {
	return t.ScanAxis(axis, func(x, y T) T { return arith(opMul, x, y) })
}

// CumMax is the largest one of each element and all before it, along an axis.
func (t Tile[T]) CumMax(axis int) Tile[T] {
	return t.ScanAxis(axis, func(x, y T) T { return arith(opMax, x, y) })
}

// CumMin is the smallest one of each element and all before it, along an axis.
func (t Tile[T]) CumMin(axis int) Tile[T] {
	return t.ScanAxis(axis, func(x, y T) T { return arith(opMin, x, y) })
}

// Any reports whether a mask holds for an element.
func Any(t Tile[bool]) bool { return t.Reduce(func(x, y bool) bool { return x || y }) }

// All reports whether a mask holds for all elements.
func All(t Tile[bool]) bool { return t.Reduce(func(x, y bool) bool { return x && y }) }

// Count is how many elements of a mask hold.
func Count(t Tile[bool]) int {
	return Map(t, func(m bool) int {
		if m {
			return 1
		}
		return 0
	}).Sum()
}

// Histogram is how many elements are 0, 1 and so on below n. Others are not counted.
func Histogram(t Tile[int], n int) Tile[int] {
	return build(1, 1, 1, n, func(_, _, bin int) int {
		count := 0
		for i := range dim(t, 0) {
			for j := range dim(t, 1) {
				for k := range dim(t, 2) {
					if at(t, i, j, k) == bin {
						count++
					}
				}
			}
		}
		return count
	})
}
