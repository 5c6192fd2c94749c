package qd

import (
	"fmt"
	"math"
	"strings"
)

// MaxDim is the largest size of one dimension of a launch, in threads.
const MaxDim = 1 << 31

// Dims is the size of a launch: the number of threads along each of one to four
// dimensions, the last one the fastest. Make it with [Dim].
type Dims struct {
	n    [4]int
	rank int // as given, so that a wrong number of sizes can be reported
}

// Dim gives the dimensions of a launch, from one to four sizes of 0 to [MaxDim]
// threads. They are checked by the launch. Where one of them is 0 there are no threads, and the launch
// does nothing, as a loop over range 0 does.
func Dim(sizes ...int) Dims {
	d := Dims{rank: len(sizes)}
	copy(d.n[:], sizes)
	return d
}

// String is the dimensions as they were written, "Dim(64, 64)".
func (d Dims) String() string {
	var b strings.Builder
	b.WriteString("Dim(")
	for i := range min(d.rank, len(d.n)) {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprint(&b, d.n[i])
	}
	b.WriteString(")")
	return b.String()
}

// check gives the number of threads, or says what is wrong with the dimensions.
func (d *Dims) check() (threads int, problem string) {
	if d.rank < 1 || d.rank > len(d.n) {
		return 0, fmt.Sprintf("a launch has 1 to 4 dimensions, not %d", d.rank)
	}
	threads = 1
	for _, n := range d.n[:d.rank] {
		switch {
		case n < 0:
			return 0, fmt.Sprintf("%v: a dimension cannot be negative", *d)
		case n > MaxDim:
			return 0, fmt.Sprintf("%v: a dimension is at most %d", *d, MaxDim)
		case n > 0 && threads > math.MaxInt/n:
			return 0, fmt.Sprintf("%v: more threads than an int can count", *d)
		}
		threads *= n
	}
	return threads, ""
}

// size is the size along an axis, 1 past the last one given.
func (d *Dims) size(axis int) int {
	if axis < d.rank {
		return d.n[axis]
	}
	return 1
}

// index is the index along each dimension of a thread with a flat index.
func (d *Dims) index(flat int) []int {
	index := make([]int, d.rank)
	for axis := d.rank - 1; axis > 0; axis-- {
		index[axis] = flat % d.n[axis]
		flat /= d.n[axis]
	}
	index[0] = flat
	return index
}

// sizes is the size along each dimension.
func (d *Dims) sizes() []int64 {
	sizes := make([]int64, d.rank)
	for axis := range sizes {
		sizes[axis] = int64(d.n[axis])
	}
	return sizes
}
