package par

import (
	"math"

	"github.com/qdgen/qd"
)

// A Key is what can be sorted.
type Key interface {
	int | int8 | int16 | int32 | int64 | uint | uint8 | uint16 | uint32 | uint64 | float32 | float64
}

// Sorting goes through the digits of the keys from the last to the first. Each time every thread counts the digits of its piece, and
// then moves the elements of the piece, in their order, behind those of smaller digits, and of equal ones in pieces before.
const (
	digitBits = 8
	digits    = 1 << digitBits
)

// order maps a key to an integer of as many bits that is in the same order: NaN is before all others, as for slices.Sort. Equal
// keys have one integer, -0 and 0 too, so that their values stay in their order.
func order[K Key](k K) uint64 {
	switch k := any(k).(type) {
	case float32:
		b := math.Float32bits(k)
		switch {
		case k != k:
			return 0
		case k == 0:
			return 1 << 31
		case b>>31 != 0:
			return uint64(^b)
		}
		return uint64(b | 1<<31)
	case float64:
		b := math.Float64bits(k)
		switch {
		case k != k:
			return 0
		case k == 0:
			return 1 << 63
		case b>>63 != 0:
			return ^b
		}
		return b | 1<<63
	case int:
		return uint64(k) ^ 1<<63
	case int64:
		return uint64(k) ^ 1<<63
	case int32:
		return uint64(uint32(k) ^ 1<<31)
	case int16:
		return uint64(uint16(k) ^ 1<<15)
	case int8:
		return uint64(uint8(k) ^ 1<<7)
	}
	return uint64(k)
}

// digitCounts counts the digits of each piece. The counts of a digit stand together, so that their sums are where its elements go.
type digitCounts[K Key] struct{}

// Kernel is the code of a thread.
//
//qd:kernel
func (digitCounts[K]) Kernel(t qd.Thread, size int, shift uint, keys []K, counts []int32) {
	n := qd.Local[int32](digits)
	for i := t.ID() * size; i < min((t.ID()+1)*size, len(keys)); i++ {
		n[order(keys[i])>>shift%digits]++
	}
	for d := range qd.Dynamic(digits) {
		counts[d*t.Dim(0)+t.ID()] = n[d]
	}
}

// moved moves the elements of each piece to where their digit says.
type moved[K Key, V any] struct{ Pairs bool }

// Kernel is the code of a thread.
//
//qd:kernel
func (m moved[K, V]) Kernel(t qd.Thread, size int, shift uint, ends []int32, keys, outKeys []K, values, outValues []V) {
	at := qd.Local[int32](digits)
	for d := range qd.Dynamic(digits) {
		if p := d*t.Dim(0) + t.ID(); p > 0 {
			at[d] = ends[p-1]
		}
	}
	for i := t.ID() * size; i < min((t.ID()+1)*size, len(keys)); i++ {
		d := order(keys[i]) >> shift % digits
		outKeys[at[d]] = keys[i]
		if m.Pairs {
			outValues[at[d]] = values[i]
		}
		at[d]++
	}
}

// Sort sorts x in ascending order, NaN first, as slices.Sort does.
func Sort[K Key](on Launcher, x *qd.Array[K]) error {
	c := &call{on: on, name: "Sort"}
	none := temporary[uint8](c, x, 1)
	sort(c, x, none, false)
	return c.err
}

// SortPairs sorts keys as [Sort] does, and puts values in the same order. Equal keys, to which NaN and NaN belong, stay in their
// order, and so do their values.
func SortPairs[K Key, V any](on Launcher, keys *qd.Array[K], values *qd.Array[V]) error {
	c := &call{on: on, name: "SortPairs"}
	if keys.Len() != values.Len() {
		c.wrong("there are %d keys and %d values", keys.Len(), values.Len())
	}
	sort(c, keys, values, true)
	return c.err
}

func sort[K Key, V any](c *call, keys *qd.Array[K], values *qd.Array[V], pairs bool) {
	notRecorded(c, keys)
	n := keys.Len()
	if n > math.MaxInt32 {
		c.wrong("there are %d elements; it sorts at most %d", n, math.MaxInt32)
	}
	if n == 0 || c.err != nil {
		return
	}
	var zero K
	bits := bitsOf(zero)
	size := max(1024, pieces(n, 1024))
	threads := pieces(n, size)
	counts := temporary[int32](c, keys, threads*digits)
	keys2 := temporary[K](c, keys, n)
	values2 := temporary[V](c, keys, values.Len())
	for shift := uint(0); shift < bits && c.err == nil; shift += digitBits {
		c.launch(digitCounts[K]{}, threads, size, shift, keys, counts)
		if c.err == nil {
			scanSums(c, counts, counts)
		}
		c.launch(moved[K, V]{pairs}, threads, size, shift, counts, keys, keys2, values, values2)
		keys, keys2 = keys2, keys
		values, values2 = values2, values
	}
	if bits == digitBits { // after one turn, not an even number of them
		c.launch(copied[K]{}, n, keys, keys2)
		if pairs {
			c.launch(copied[V]{}, n, values, values2)
		}
	}
}

// bitsOf is how many bits a key has.
func bitsOf(k any) uint {
	switch k.(type) {
	case int8, uint8:
		return 8
	case int16, uint16:
		return 16
	case int32, uint32, float32:
		return 32
	}
	return 64
}

// copied copies elements.
type copied[T any] struct{}

// Kernel is the code of a thread.
//
//qd:kernel
func (copied[T]) Kernel(t qd.Thread, x, out []T) { out[t.ID()] = x[t.ID()] }
