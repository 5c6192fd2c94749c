package qd

import "github.com/qdgen/qd/internal/runtime/dims"

// MaxDim is the largest size of one dimension of a launch, in threads.
const MaxDim = 1 << 31

// Dims is the size of a launch: the number of threads in each of one to four dimensions. The
// last one varies fastest. Make it with [Dim].
type Dims struct {
	n    [4]int
	rank int // as given, so that a wrong number of sizes can be reported
}

// Dim returns the size of a launch: one to four dimensions of 0 to [MaxDim] threads. The launch
// checks them. If one of them is 0, there are no threads, and the launch does nothing, like a
// loop over range 0.
func Dim(sizes ...int) Dims {
	d := Dims{rank: len(sizes)}
	copy(d.n[:], sizes)
	return d
}

// String is the dimensions as they were written, "Dim(64, 64)".
func (d Dims) String() string { return d.inner().String() }

// inner is the dimensions as package launch takes them.
func (d Dims) inner() dims.Dims { return dims.Dims{N: d.n, Rank: d.rank} }
