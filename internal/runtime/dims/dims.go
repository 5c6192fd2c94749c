// Package dims has the sizes of a launch.
package dims

import (
	"fmt"
	"math"
	"strings"
)

// Max is the largest size of one dimension of a launch, in threads.
const Max = 1 << 31

// Dims is the size of a launch: the number of threads along each of one to four
// dimensions, the last one the fastest.
type Dims struct {
	N    [4]int
	Rank int // as given, so that a wrong number of sizes can be reported
}

// Of gives the dimensions with these sizes.
func Of(sizes ...int) Dims {
	d := Dims{Rank: len(sizes)}
	copy(d.N[:], sizes)
	return d
}

// String is the dimensions as they were written, "Dim(64, 64)".
func (d Dims) String() string {
	var b strings.Builder
	b.WriteString("Dim(")
	for i := range min(d.Rank, len(d.N)) {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprint(&b, d.N[i])
	}
	b.WriteString(")")
	return b.String()
}

// Check gives the number of threads, or says what is wrong with the dimensions.
func (d *Dims) Check() (threads int, problem string) {
	if d.Rank < 1 || d.Rank > len(d.N) {
		return 0, fmt.Sprintf("a launch has 1 to 4 dimensions, not %d", d.Rank)
	}
	for _, n := range d.N[:d.Rank] {
		switch {
		case n < 0:
			return 0, fmt.Sprintf("%v: a dimension cannot be negative", *d)
		case int64(n) > Max:
			return 0, fmt.Sprintf("%v: a dimension is at most %d", *d, int64(Max))
		}
	}
	threads, fits := Product(d.N[:d.Rank], math.MaxInt)
	if !fits {
		return 0, fmt.Sprintf("%v: more threads than an int can count", *d)
	}
	return threads, ""
}

// AnyNegative reports whether a size is negative.
func AnyNegative(sizes []int) bool {
	for _, n := range sizes {
		if n < 0 {
			return true
		}
	}
	return false
}

// Product is the product of sizes, of which none is negative. It does not fit if it exceeds most. It is 0 if one of them is 0,
// however large the others are.
func Product(sizes []int, most int) (n int, fits bool) {
	n, fits = 1, true
	for _, size := range sizes {
		if size == 0 {
			return 0, true
		}
		if fits = fits && n <= most/size; fits {
			n *= size
		}
	}
	return n, fits
}

// OfLoop are the dimensions of a launch for the sizes of a parallel loop, and
// the number of its indices. Unlike a launch's, a negative size is as 0.
func OfLoop(sizes []int) (d Dims, total int, err error) {
	for _, n := range sizes {
		if n <= 0 {
			return d, 0, nil
		}
	}
	d = Of(sizes...)
	total, problem := d.Check()
	if problem != "" {
		return d, 0, fmt.Errorf("parallel loop over %v", problem)
	}
	return d, total, nil
}

// Size is the size along an axis, 1 past the last one given.
func (d *Dims) Size(axis int) int {
	if axis < d.Rank {
		return d.N[axis]
	}
	return 1
}

// Index is the index along each dimension of a thread with a flat index.
func (d *Dims) Index(flat int) []int {
	index := make([]int, d.Rank)
	for axis := d.Rank - 1; axis > 0; axis-- {
		index[axis] = flat % d.N[axis]
		flat /= d.N[axis]
	}
	index[0] = flat
	return index
}

// Sizes is the size along each dimension.
func (d *Dims) Sizes() []int64 {
	sizes := make([]int64, d.Rank)
	for axis := range sizes {
		sizes[axis] = int64(d.N[axis])
	}
	return sizes
}

// Plural counts things in a message.
func Plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
