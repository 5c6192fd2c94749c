package parslice

import (
	"unsafe"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/par"
)

// Sum is the sum of x, 0 if x has no elements.
func Sum[T qd.Number](dev *qd.Device, x []T) (T, error) { return folded(dev, x, par.Sum[T]) }

// Min is the least element of x, as the function min of Go has it. x must not be empty.
func Min[T qd.Number](dev *qd.Device, x []T) (T, error) { return folded(dev, x, par.Min[T]) }

// Max is the greatest element of x, as the function max of Go has it. x must not be empty.
func Max[T qd.Number](dev *qd.Device, x []T) (T, error) { return folded(dev, x, par.Max[T]) }

// Dot is the sum of the products of the elements of x and y, of which there are as many.
func Dot[T qd.Number](dev *qd.Device, x, y []T) (T, error) {
	a, b, out := of(dev, x), of(dev, y), of(dev, make([]T, 1))
	err := run(dev, []array{a, b, out}, func() error { return par.Dot(dev, a.Array, b.Array, out.Array) }, out.copy)
	return only(out, err)
}

// Reduce is what f makes of all elements of x, as [par.Reduce] has it. x must not be empty.
func Reduce[T any](dev *qd.Device, x []T, f func(a, b T) T) (T, error) {
	return folded(dev, x, func(on par.Launcher, x, out *qd.Array[T]) error { return par.Reduce(on, x, out, f) })
}

// folded is the one element that a function of package par makes of a slice.
func folded[T any](dev *qd.Device, x []T, fold func(on par.Launcher, x, out *qd.Array[T]) error) (T, error) {
	a, out := of(dev, x), of(dev, make([]T, 1))
	err := run(dev, []array{a, out}, func() error { return fold(dev, a.Array, out.Array) }, out.copy)
	return only(out, err)
}

// only is the only element of a slice for a result, the zero value if there was an error.
func only[T any](out slice[T], err error) (r T, _ error) {
	if err != nil {
		return r, err
	}
	return out.host[0], nil
}

// Scan sets each element of out to the sum of the elements of x up to the same index, that one among them. out may be x; other
// slices that overlap are an error.
func Scan[T qd.Number](dev *qd.Device, x, out []T) error {
	return scanned(dev, "Scan", x, out, par.Scan[T])
}

// ScanFunc is [Scan] with a function in the place of the sum, which is as that of [Reduce].
func ScanFunc[T any](dev *qd.Device, x, out []T, f func(a, b T) T) error {
	return scanned(dev, "ScanFunc", x, out, func(on par.Launcher, x, out *qd.Array[T]) error { return par.ScanFunc(on, x, out, f) })
}

func scanned[T any](dev *qd.Device, function string, x, out []T, scan func(on par.Launcher, x, out *qd.Array[T]) error) error {
	a := of(dev, x)
	if len(x) == len(out) && unsafe.SliceData(x) == unsafe.SliceData(out) {
		return run(dev, []array{a}, func() error { return scan(dev, a.Array, a.Array) }, a.copy)
	}
	b := of(dev, out)
	return run(dev, []array{a, b}, func() error {
		if err := apart(function, x, out); err != nil {
			return err
		}
		return scan(dev, a.Array, b.Array)
	}, b.copy)
}

// Sort sorts x in ascending order, NaN first, as slices.Sort does.
func Sort[K par.Key](dev *qd.Device, x []K) error {
	a := of(dev, x)
	return run(dev, []array{a}, func() error { return par.Sort(dev, a.Array) }, a.copy)
}

// SortPairs sorts keys as [Sort] does, and puts values in the same order. Equal keys, to which NaN and NaN belong, stay in their
// order, and so do their values.
func SortPairs[K par.Key, V any](dev *qd.Device, keys []K, values []V) error {
	k, v := of(dev, keys), of(dev, values)
	return run(dev, []array{k, v}, func() error {
		if err := apart("SortPairs", keys, values); err != nil {
			return err
		}
		return par.SortPairs(dev, k.Array, v.Array)
	}, k.copy, v.copy)
}

// Histogram counts the elements of x from low to less than high in as many bins of one width as there are counts, as [par.Histogram]
// does.
func Histogram[T qd.Number](dev *qd.Device, x []T, low, high T, counts []int32) error {
	a, n := of(dev, x), of(dev, counts)
	return run(dev, []array{a, n}, func() error {
		if err := apart("Histogram", x, counts); err != nil {
			return err
		}
		return par.Histogram(dev, a.Array, low, high, n.Array)
	}, n.copy)
}

// Select is a new slice of those elements of x that f says yes to, in their order. f is as that of [Reduce].
func Select[T any](dev *qd.Device, x []T, f func(v T) bool) ([]T, error) {
	return packed(dev, x, func(x, out *qd.Array[T], count *qd.Array[int]) error { return par.Select(dev, x, out, count, f) })
}

// Unique is a new slice of those elements of x that differ from the one before, in their order. Of a sorted slice these are its
// different elements.
func Unique[T comparable](dev *qd.Device, x []T) ([]T, error) {
	return packed(dev, x, func(x, out *qd.Array[T], count *qd.Array[int]) error { return par.Unique(dev, x, out, count) })
}

func packed[T any](dev *qd.Device, x []T, pack func(x, out *qd.Array[T], count *qd.Array[int]) error) ([]T, error) {
	a, out, count := of(dev, x), of(dev, make([]T, len(x))), of(dev, make([]int, 1))
	err := run(dev, []array{a, out, count}, func() error { return pack(a.Array, out.Array, count.Array) },
		count.copy, func() error { return out.first(count.host[0]) })
	if err != nil {
		return nil, err
	}
	return out.host[:count.host[0]], nil
}

// ReduceByKey combines the values of equal keys that are neighbours, as [par.ReduceByKey] does. It gives new slices of these keys, and
// of what f makes of the values of each.
func ReduceByKey[K comparable, V any](dev *qd.Device, keys []K, values []V, f func(a, b V) V) ([]K, []V, error) {
	k, v := of(dev, keys), of(dev, values)
	outKeys, outValues, count := of(dev, make([]K, len(keys))), of(dev, make([]V, len(keys))), of(dev, make([]int, 1))
	err := run(dev, []array{k, v, outKeys, outValues, count}, func() error {
		return par.ReduceByKey(dev, k.Array, v.Array, outKeys.Array, outValues.Array, count.Array, f)
	}, count.copy, func() error { return outKeys.first(count.host[0]) }, func() error { return outValues.first(count.host[0]) })
	if err != nil {
		return nil, nil, err
	}
	n := count.host[0]
	return outKeys.host[:n], outValues.host[:n], nil
}
