package tile

import "github.com/qdgen/qd"

// Dot is the matrix product of x, of m x k elements, and y, of k x n, added to sum, of m x n. The products are added in
// float32 if the elements are qd.Float16, qd.BFloat16 or float32, in float64 if they are float64, and in int32 if they
// are int8 or int32; sum has elements of that type. The package documentation says in which order.
//
// Tiles of three axes are so many matrices along the first one: each of x is multiplied by that of y, and added to that of sum.
func Dot[T qd.Float16 | qd.BFloat16 | float32 | float64 | int8 | int32, S float32 | float64 | int32](x, y Tile[T], sum Tile[S]) Tile[S] {
	matchDot(x, y, sum)
	return dots(x, y, sum, widened[S, T])
}

// DotTF32 is [Dot] of float32, whose elements are rounded to TF32 before they are multiplied: to 10 bits behind the point, to the
// nearest such number, and away from zero if two are as near. The tensor cores of GPUs multiply these. Their products are exact, and are
// added in float32.
func DotTF32(x, y, sum Tile[float32]) Tile[float32] {
	matchDot(x, y, sum)
	return dots(x, y, sum, inTF32s)
}

// matchDot demands that three tiles have the lengths of a product.
func matchDot[T, S any](x, y Tile[T], sum Tile[S]) {
	if rank(x) == 1 || rank(x) != rank(y) || rank(x) != rank(sum) {
		qd.StaticAssert(false, "Dot multiplies tiles of two axes, and matrices along the first one of three: use Row, Column or Expand to give a tile another axis")
	} else {
		qd.StaticAssert(dim(x, 0) == dim(y, 0) && dim(x, 0) == dim(sum, 0), "Dot of tiles with other numbers of matrices: all three have the same length along the first of three axes")
		qd.StaticAssert(dim(x, 2) == dim(y, 1), "Dot of tiles that do not match: the rows of the first tile must be as long as the columns of the second")
		qd.StaticAssert(dim(x, 1) == dim(sum, 1) && dim(y, 2) == dim(sum, 2), "Dot with a sum of other lengths: it has the rows of the first tile and the columns of the second")
	}
}

// dots is the product of two tiles, or of each matrix in them, once wide has made numbers of their elements that can be added to the sum.
func dots[T any, S float32 | float64 | int32](x, y Tile[T], sum Tile[S], wide func(t Tile[T]) Tile[S]) Tile[S] {
	if rank(x) == 2 {
		return dot(wide(x), wide(y), sum)
	} else {
		r := sum
		for n := range dim(x, 0) {
			before := r // as the sum, from this matrix on
			one := dot(wide(matrix(x, n)), wide(matrix(y, n)), matrix(before, n))
			r = build(3, dim(sum, 0), dim(sum, 1), dim(sum, 2), func(i, j, k int) S {
				if i == n {
					return at(one, 0, j, k)
				}
				return at(before, i, j, k)
			})
		}
		return r
	}
}

// matrix is the matrix with a number of a tile of three axes.
func matrix[T any](t Tile[T], n int) Tile[T] {
	return build(2, 1, dim(t, 1), dim(t, 2), func(_, j, k int) T { return at(t, n, j, k) })
}

// widened is a tile whose elements are of the type that their products are added in.
func widened[S float32 | float64 | int32, T any](t Tile[T]) Tile[S] {
	if same, ok := any(t).(Tile[S]); ok {
		return same
	}
	var kept T
	form := 0
	switch any(kept).(type) {
	case qd.Float16:
		form = inFloat16
	case qd.BFloat16:
		form = inBFloat16
	case int8:
		form = inInt8
	}
	return keptIn(form, Map(t, func(x T) S {
		var sum S
		switch x := any(x).(type) {
		case qd.Float16:
			if _, ok := any(sum).(float32); ok {
				return S(x.Float32())
			}
		case qd.BFloat16:
			if _, ok := any(sum).(float32); ok {
				return S(x.Float32())
			}
		case int8:
			if _, ok := any(sum).(int32); ok {
				return S(x)
			}
		}
		qd.StaticAssert(false, "Dot with a sum of another type: float32 for qd.Float16, qd.BFloat16 and float32, float64 for float64, int32 for int8 and int32")
		return sum
	}))
}

// inTF32s is a tile whose elements are rounded to TF32.
func inTF32s(t Tile[float32]) Tile[float32] { return keptIn(inTF32, Map(t, roundTF32)) }
