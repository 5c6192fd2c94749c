package tile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/qdgen/qd"
)

// The functions of this file are operations of the compiler: it knows them by their names, and does not look into
// them. All others are kernel code. The bodies are for device go.

// build makes a tile from its elements. f is called once for each of them, in any order.
func build[T any](rank, n0, n1, n2 int, f func(i, j, k int) T) Tile[T] {
	if n0 < 1 || n1 < 1 || n2 < 1 {
		panic(fmt.Sprintf("tile: a tile of %d x %d x %d elements", n0, n1, n2))
	}
	t := Tile[T]{make([]T, n0*n1*n2), rank, [3]int{n0, n1, n2}}
	at := 0
	for i := range n0 {
		for j := range n1 {
			for k := range n2 {
				t.data[at] = f(i, j, k)
				at++
			}
		}
	}
	return t
}

// each calls f for all indices, in any order.
func each(n0, n1, n2 int, f func(i, j, k int)) {
	for i := range n0 {
		for j := range n1 {
			for k := range n2 {
				f(i, j, k)
			}
		}
	}
}

// at is an element. An axis of length 1 has one element for all indices.
func at[T any](t Tile[T], i, j, k int) T {
	if t.dims[0] == 1 {
		i = 0
	}
	if t.dims[1] == 1 {
		j = 0
	}
	if t.dims[2] == 1 {
		k = 0
	}
	return t.data[(i*t.dims[1]+j)*t.dims[2]+k]
}

// dim is the length along one of three axes.
func dim[T any](t Tile[T], axis int) int { return t.dims[axis] }

// axisOf is which of three axes an axis of a tile is.
func axisOf[T any](t Tile[T], axis int) int {
	if axis < 0 || axis >= t.rank {
		panic(fmt.Sprintf("tile: a tile of %d axes has no axis %d", t.rank, axis))
	}
	return axis + 3 - t.rank
}

// rank is the number of axes.
func rank[T any](t Tile[T]) int { return t.rank }

// match demands that two tiles can be operands of one operation.
func match[T, U any](x Tile[T], y Tile[U]) {
	for a := range x.dims {
		if x.dims[a] != y.dims[a] && x.dims[a] != 1 && y.dims[a] != 1 {
			panic("tile: tiles of " + x.shape() + " and " + y.shape() + " elements do not match")
		}
	}
}

// shape is the lengths in words.
func (t Tile[T]) shape() string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(t.dims[3-t.rank:]), " ", " x "), "[]")
}

// reduce joins the elements along an axis, which the result lacks: the second half is joined to the
// first half, until one element is left. A half that is no power of two is rounded up to one.
func reduce[T any](t Tile[T], axis int, f func(x, y T) T) Tile[T] {
	x := slices.Clone(t.data)
	halve(t.dims, axis, func(p, q int) { x[p] = f(x[p], x[q]) })
	return firstAlong(x, t.rank, t.dims, axis)
}

// reduce2 is reduce of the elements of two tiles together.
func reduce2[T, U any](t Tile[T], u Tile[U], axis int, f func(x T, a U, y T, b U) (T, U)) (Tile[T], Tile[U]) {
	x, y := slices.Clone(t.data), slices.Clone(u.data)
	halve(t.dims, axis, func(p, q int) { x[p], y[p] = f(x[p], y[p], x[q], y[q]) })
	return firstAlong(x, t.rank, t.dims, axis), firstAlong(y, t.rank, t.dims, axis)
}

// halve calls join for the places p and q of elements that reduce joins, in the order in which it does.
func halve(dims [3]int, axis int, join func(p, q int)) {
	n, outer, inner := along(dims, axis)
	for left := n; left > 1; {
		half := 1
		for 2*half < left {
			half *= 2
		}
		for o := range outer {
			for i := range (left - half) * inner {
				p := o*n*inner + i
				join(p, p+half*inner)
			}
		}
		left = half
	}
}

// firstAlong is the tile of the elements that are first along an axis, which it lacks.
func firstAlong[T any](data []T, rank int, dims [3]int, axis int) Tile[T] {
	r := Tile[T]{rank: rank - 1, dims: [3]int{1, 1, 1}}
	for a, to := 2, 2; a >= 3-rank; a-- {
		if a != axis {
			r.dims[to] = dims[a]
			to--
		}
	}
	n, outer, inner := along(dims, axis)
	for o := range outer {
		r.data = append(r.data, data[o*n*inner:o*n*inner+inner]...)
	}
	return r
}

// along is the length along an axis, the product of the lengths along the axes before it, and that along those behind
// it, which is how many elements are from one index to the next.
func along(dims [3]int, axis int) (n, outer, inner int) {
	n, outer, inner = dims[axis], 1, 1
	for _, before := range dims[:axis] {
		outer *= before
	}
	for _, behind := range dims[axis+1:] {
		inner *= behind
	}
	return n, outer, inner
}

// scan joins each element along an axis to what the elements before it came to.
func scan[T any](t Tile[T], axis int, f func(x, y T) T) Tile[T] {
	inner := 1
	for _, n := range t.dims[axis+1:] {
		inner *= n
	}
	r := Tile[T]{append([]T(nil), t.data...), t.rank, t.dims}
	for i := range r.data {
		if i/inner%t.dims[axis] > 0 {
			r.data[i] = f(r.data[i-inner], r.data[i])
		}
	}
	return r
}

// The forms of numbers that take fewer bits than what is computed with them, and of those that are rounded before.
const (
	inFloat16 = iota + 1
	inBFloat16
	inInt8
	inTF32
)

// keptIn is a tile whose elements are those of another one in more bits, or rounded, from one of these forms: whoever multiplies it may take
// the elements as they are kept.
func keptIn[T any](form int, t Tile[T]) Tile[T] { return t }

// dot is the matrix product of two tiles, added to a third one.
func dot[T float32 | float64 | int32](x, y, sum Tile[T]) Tile[T] {
	m, n, depth := sum.dims[1], sum.dims[2], x.dims[2]
	r := Tile[T]{append([]T(nil), sum.data...), sum.rank, sum.dims}
	for i := range m {
		row := r.data[i*n : i*n+n]
		for k := range depth {
			a := x.data[i*depth+k]
			for j, b := range y.data[k*n : k*n+n] {
				row[j] = multiplyAdd(a, b, row[j])
			}
		}
	}
	return r
}

func multiplyAdd[T float32 | float64 | int32](x, y, z T) T {
	switch x := any(x).(type) {
	case float32:
		return any(qd.FMA(x, any(y).(float32), any(z).(float32))).(T)
	case float64:
		return any(qd.FMA(x, any(y).(float64), any(z).(float64))).(T)
	}
	return x*y + z
}
