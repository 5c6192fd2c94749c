package tile

import "github.com/qdgen/qd"

// Dot is the matrix product of x, of m x k elements, and y, of k x n, added to sum, of m x n. The products are added in
// float32 if the elements are qd.Float16, qd.BFloat16 or float32, in float64 if they are float64, and in int32 if they
// are int8 or int32; sum has elements of that type. The package documentation says in which order.
func Dot[T qd.Float16 | qd.BFloat16 | float32 | float64 | int8 | int32, S float32 | float64 | int32](x, y Tile[T], sum Tile[S]) Tile[S] {
	qd.StaticAssert(rank(x) == 2 && rank(y) == 2 && rank(sum) == 2, "Dot multiplies tiles of two axes: use Row or Column to give a tile of one axis another")
	qd.StaticAssert(dim(x, 2) == dim(y, 1), "Dot of tiles that do not match: the rows of the first tile must be as long as the columns of the second")
	qd.StaticAssert(dim(x, 1) == dim(sum, 1) && dim(y, 2) == dim(sum, 2), "Dot with a sum of other lengths: it has the rows of the first tile and the columns of the second")
	return dot(widened[S](x), widened[S](y), sum)
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
