package par

import "github.com/qdgen/qd"

// selectSize is how many neighbours one thread goes through.
const selectSize = 1024

// A chooser says of which indices of a slice something is to be kept.
type chooser[T any] interface {
	keeps(x []T, i int) bool
}

// chosen is what a function of the user's says of the element.
type chosen[T any] struct{ F func(v T) bool }

func (c chosen[T]) keeps(x []T, i int) bool { return c.F(x[i]) }

// begins is said of the first of equal neighbours.
type begins[T comparable] struct{}

func (begins[T]) keeps(x []T, i int) bool { return i == 0 || x[i] != x[i-1] }

// kept counts what is to be kept of each selectSize neighbours.
type kept[T any, C chooser[T]] struct{ C C }

// Kernel is the code of a thread.
//
//qd:kernel
func (k kept[T, C]) Kernel(t qd.Thread, x []T, ends []int) {
	from, n := t.ID()*selectSize, 0
	for i := from; i < min(from+selectSize, len(x)); i++ {
		if k.C.keeps(x, i) {
			n++
		}
	}
	ends[t.ID()] = n
}

// packed moves what is to be kept to its place.
type packed[T any, C chooser[T]] struct{ C C }

// Kernel is the code of a thread.
//
//qd:kernel
func (p packed[T, C]) Kernel(t qd.Thread, x []T, ends []int, out []T, count []int) {
	from, n := t.ID()*selectSize, 0
	if from > 0 {
		n = ends[t.ID()-1]
	}
	for i := from; i < min(from+selectSize, len(x)); i++ {
		if p.C.keeps(x, i) {
			out[n] = x[i]
			n++
		}
	}
	if from+selectSize >= len(x) {
		count[0] = n
	}
}

// Select sets the first elements of out to those elements of x that f says yes to, in their order, and count to their number. out
// has as many elements as x. f is known at compile time, as that of [Reduce] is.
func Select[T any](on Launcher, x, out *qd.Array[T], count *qd.Array[int], f func(v T) bool) error {
	c := &call{on: on, name: "Select"}
	notNil(c, f == nil)
	pack(c, x, out, count, chosen[T]{f})
	return c.err
}

// Unique sets the first elements of out to those elements of x that differ from the one before, in their order, and count to their
// number. Of a sorted array these are its different elements. out has as many elements as x.
func Unique[T comparable](on Launcher, x, out *qd.Array[T], count *qd.Array[int]) error {
	c := &call{on: on, name: "Unique"}
	pack(c, x, out, count, begins[T]{})
	return c.err
}

func pack[T any, C chooser[T]](c *call, x, out *qd.Array[T], count *qd.Array[int], by C) {
	holds(c, "what is kept", out, x.Len())
	holds(c, "the number", count, 1)
	ends := endsOf(c, x, by)
	c.launch(packed[T, C]{by}, max(1, pieces(x.Len(), selectSize)), x, ends, out, count)
}

// endsOf is how much is to be kept up to the end of each selectSize neighbours.
func endsOf[T any, C chooser[T]](c *call, x *qd.Array[T], by C) *qd.Array[int] {
	n := max(1, pieces(x.Len(), selectSize))
	ends := temporary[int](c, x, n)
	c.launch(kept[T, C]{by}, n, x, ends)
	if c.err == nil {
		scanSums(c, ends, ends)
	}
	return ends
}

// starts finds where the runs of equal keys begin, and counts them.
type starts[K comparable] struct{}

// Kernel is the code of a thread.
//
//qd:kernel
func (starts[K]) Kernel(t qd.Thread, keys []K, ends, at, count []int) {
	from, n := t.ID()*selectSize, 0
	if from > 0 {
		n = ends[t.ID()-1]
	}
	for i := from; i < min(from+selectSize, len(keys)); i++ {
		if i == 0 || keys[i] != keys[i-1] {
			at[n] = i
			n++
		}
	}
	if from+selectSize >= len(keys) {
		count[0] = n
	}
}

// byKey combines the values of a run of equal keys.
type byKey[K comparable, V any] struct{ F func(a, b V) V }

// Kernel is the code of a thread: that of a run, if there are as many.
//
//qd:kernel
func (r byKey[K, V]) Kernel(t qd.Thread, keys []K, values []V, at, count []int, outKeys []K, outValues []V) {
	n := t.ID()
	if n >= count[0] {
		return
	}
	end := len(keys)
	if n+1 < count[0] {
		end = at[n+1]
	}
	acc := values[at[n]]
	for i := at[n] + 1; i < end; i++ {
		acc = r.F(acc, values[i])
	}
	outKeys[n], outValues[n] = keys[at[n]], acc
}

// ReduceByKey combines the values of equal keys that are neighbours, as those of sorted keys are, by a function as that of
// [Reduce]. It sets the first elements of outKeys to these keys, of outValues to what f makes of the values of each, and count to their
// number. outKeys and outValues have as many elements as keys and values, and are other arrays. One thread combines all values of a key.
func ReduceByKey[K comparable, V any](on Launcher, keys *qd.Array[K], values *qd.Array[V], outKeys *qd.Array[K], outValues *qd.Array[V], count *qd.Array[int], f func(a, b V) V) error {
	c := &call{on: on, name: "ReduceByKey"}
	notNil(c, f == nil)
	if keys.Len() != values.Len() {
		c.wrong("there are %d keys and %d values", keys.Len(), values.Len())
	}
	holds(c, "the keys", outKeys, keys.Len())
	holds(c, "the values", outValues, keys.Len())
	holds(c, "the number", count, 1)
	ends := endsOf(c, keys, begins[K]{})
	at := temporary[int](c, keys, max(1, keys.Len()))
	c.launch(starts[K]{}, max(1, pieces(keys.Len(), selectSize)), keys, ends, at, count)
	c.launch(byKey[K, V]{f}, keys.Len(), keys, values, at, count, outKeys, outValues)
	return c.err
}
