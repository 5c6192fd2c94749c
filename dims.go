package qd

import "github.com/qdgen/qd/internal/runtime/dims"

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
func (d Dims) String() string { return d.inner().String() }

// inner is the dimensions as package launch takes them.
func (d Dims) inner() dims.Dims { return dims.Dims{N: d.n, Rank: d.rank} }
