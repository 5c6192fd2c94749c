package par

import (
	"math"
	"runtime"
	"strings"
	"unsafe"

	"github.com/qdgen/qd"
)

// tally counts the elements of each piece by bins: a row of counts for each piece, the last of which is of what is in no bin. The bin of
// an integer is computed in float64, where no difference wraps.
type tally[T qd.Number] struct{ Ints bool }

// tallySize is of how many elements bins are computed at once, which vectors do, before any is counted, which they do not.
const tallySize = 64

// mostBins is how many bins there are at most: a bin is an int32, also one that is rounded up.
const mostBins = 1 << 30

// Kernel is the code of a thread, which has a row of its own.
//
//qd:kernel
func (h tally[T]) Kernel(t qd.Thread, size, bins int, low, high T, scale float64, x []T, rows []int32) {
	i := t.ID() * size
	end := min(i+size, len(x))
	row := rows[t.ID()*(bins+1) : (t.ID()+1)*(bins+1)]
	at := qd.Local[int32](tallySize)
	for ; i+tallySize <= end; i += tallySize {
		for j, v := range x[i : i+tallySize] {
			at[j] = h.bin(v, low, high, scale, int32(bins))
		}
		for j := range qd.Dynamic(tallySize) {
			row[at[j]]++
		}
	}
	for ; i < end; i++ {
		row[h.bin(x[i], low, high, scale, int32(bins))]++
	}
}

// bin is the bin of an element, and the number of bins if it is in none.
func (h tally[T]) bin(v, low, high T, scale float64, bins int32) int32 {
	var at int32
	if h.Ints {
		at = int32((float64(v) - float64(low)) * scale)
	} else {
		at = int32((v - low) * T(scale))
	}
	at = min(at, bins-1)
	if !(v >= low && v < high) {
		at = bins
	}
	return at
}

// columns adds the rows of counts.
//
//qd:kernel
func columns(t qd.Thread, rows, counts []int32) {
	n := int32(0)
	for i := t.ID(); i < len(rows); i += len(counts) + 1 {
		n += rows[i]
	}
	counts[t.ID()] = n
}

// Histogram counts the elements of x from low to less than high: it divides that range into as many parts of one width as there
// are counts, and sets each count to the number of elements in its part. What is outside, or not a number, is not counted.
func Histogram[T qd.Number](on Launcher, x *qd.Array[T], low, high T, counts *qd.Array[int32]) error {
	c := &call{on: on, name: "Histogram"}
	bins := counts.Len()
	one, two := T(1), T(2)
	ints := one/two == 0
	switch {
	case !(low < high):
		c.wrong("the range from %v to %v is empty", low, high)
	case !ints && math.IsInf(float64(high-low), 0):
		c.wrong("the range from %v to %v is too wide for numbers of type %T", low, high, low)
	}
	notEmpty(c, counts)
	if bins > mostBins {
		c.wrong("there are %d counts; it takes at most %d", bins, mostBins)
	}
	scale := float64(bins) / (float64(high) - float64(low))
	if !ints && math.IsInf(float64(T(scale)), 0) {
		c.wrong("the range from %v to %v is too narrow for numbers of type %T", low, high, low)
	}
	if c.err != nil {
		return c.err
	}
	// A row each, as long as they take less than the elements: as many as keep a GPU busy, or the cores. The counts do not depend on it.
	most := 1024
	if dev := x.Device(); dev != nil && !strings.HasPrefix(dev.String(), "cuda") {
		most = 16 * runtime.GOMAXPROCS(0)
	}
	most = min(most, max(16, x.Len()*int(unsafe.Sizeof(low))/4/(bins+1)))
	size := max(256, pieces(x.Len(), most))
	n := pieces(x.Len(), size)
	rows := temporary[int32](c, x, n*(bins+1))
	c.launch(tally[T]{ints}, n, size, bins, low, high, scale, x, rows)
	c.launch(columns, bins, rows, counts)
	return c.err
}
