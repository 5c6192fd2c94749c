package qd

import "fmt"

// Thread is the place of one thread in a launch: the first parameter of a
// kernel that is the code of one thread. The last index is the fastest: threads
// that are neighbours in it are neighbours on the device. Indices and sizes count
// from 0, in threads.
type Thread struct{ at *place }

// place is what a Thread points to: on device "go", one for each goroutine,
// moved from thread to thread.
type place struct {
	flat int
	id   [4]int
	dim  [4]int // 1 past rank
	rank int
}

// ID is the thread's flat index: in a launch of one dimension its index, in one
// of more the row-major index, from 0 to the product of the dimensions.
func (t Thread) ID() int { return t.at.flat }

// ID2 is the thread's index in a launch of two dimensions. A kernel that uses
// it can only be launched over two.
func (t Thread) ID2() (i, j int) {
	t.at.mustRank(2)
	return t.at.id[0], t.at.id[1]
}

// ID3 is the thread's index in a launch of three dimensions.
func (t Thread) ID3() (i, j, k int) {
	t.at.mustRank(3)
	return t.at.id[0], t.at.id[1], t.at.id[2]
}

// ID4 is the thread's index in a launch of four dimensions.
func (t Thread) ID4() (i, j, k, l int) {
	t.at.mustRank(4)
	return t.at.id[0], t.at.id[1], t.at.id[2], t.at.id[3]
}

// Dim is the size of the launch along an axis from 0 to 3, which must be
// constant: 1 past the launch's dimensions.
func (t Thread) Dim(axis int) int { return t.at.dim[axis] }

// mustRank is for kernels whose source qdgen cannot see: for others the launch
// has compared the dimensions before any thread runs.
func (p *place) mustRank(rank int) {
	if p.rank != rank {
		panic(fmt.Sprintf("qd: Thread.ID%d in a launch of %d dimensions", rank, p.rank))
	}
}
