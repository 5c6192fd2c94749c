package qd

import "fmt"

// Thread is the place of one thread in a launch: the first parameter of a
// kernel that is the code of one thread. The last index is the fastest: threads
// that are neighbours in it are neighbours on the device. Indices and sizes count
// from 0, in threads.
//
// The threads of a launch come in blocks: BlockDim consecutive flat indices each,
// the last block perhaps fewer. The threads of one block can wait for each other
// ([Thread.Sync]) and have memory of their own ([Shared]); those of different blocks
// run in no order, and must not wait for each other.
type Thread struct{ at *place }

// place is what a Thread or a Block points to: on device "go", one for each
// goroutine, moved from thread to thread. Package gorun's Place has the same fields; this one stands
// here since the compiler of kernels reads this file.
type place struct {
	Flat     int
	ID       [4]int
	Dim      [4]int // 1 past Rank
	Rank     int
	BlockDim int
	Exec     any // what device "go" knows of the block
}

// ID is the thread's flat index: in a launch of one dimension its index, in one
// of more the row-major index, from 0 to the product of the dimensions.
func (t Thread) ID() int { return t.at.Flat }

// ID2 is the thread's index in a launch of two dimensions. A kernel that uses
// it can only be launched over two.
func (t Thread) ID2() (i, j int) {
	t.at.mustRank(2)
	return t.at.ID[0], t.at.ID[1]
}

// ID3 is the thread's index in a launch of three dimensions.
func (t Thread) ID3() (i, j, k int) {
	t.at.mustRank(3)
	return t.at.ID[0], t.at.ID[1], t.at.ID[2]
}

// ID4 is the thread's index in a launch of four dimensions.
func (t Thread) ID4() (i, j, k, l int) {
	t.at.mustRank(4)
	return t.at.ID[0], t.at.ID[1], t.at.ID[2], t.at.ID[3]
}

// Dim is the size of the launch along an axis from 0 to 3, which must be
// constant: 1 past the launch's dimensions.
func (t Thread) Dim(axis int) int { return t.at.Dim[axis] }

// Lane is the thread's index in its block, from 0 to less than BlockDim.
func (t Thread) Lane() int { return t.at.Flat % t.at.BlockDim }

// BlockID is the index of the thread's block in the launch: ID() is
// BlockID()*BlockDim() + Lane().
func (t Thread) BlockID() int { return t.at.Flat / t.at.BlockDim }

// BlockDim is the number of threads in a block: 256, or what [Kernel.WithBlockDim]
// asks for. The last block of a launch may have fewer, which does not change
// BlockDim.
func (t Thread) BlockDim() int { return t.at.BlockDim }

// Sync is a barrier: no thread of the block goes on before all of them have come
// to it. What they wrote to memory before, all of them see after it. A thread that has
// returned is not waited for.
//
// All threads of a block must come to the same Sync the same number of times: it must
// not stand in an if or in a loop on whose condition they disagree. Where that can be seen, as with a
// condition on ID or Lane, it is an error at compile time. Where it cannot, a checked build of a
// device that compiles reports a *Fault; other builds do something undefined. Device "go" reports threads that
// wait in different calls of Sync; one that passes a Sync by and comes to no other has returned, as far as the
// others can tell.
func (t Thread) Sync() { t.at.sync() }

// Shared gives memory that the threads of a block share: n elements, zero when
// the block starts. Call it at the top level of the kernel with a constant n, the same for
// all threads; each call in the kernel's text is memory of its own. Elements hold no pointers and no slices, and
// all of a kernel's shared memory takes at most 48 KiB.
//
//	tile := qd.Shared[float32](t, 256)
//	tile[t.Lane()] = x[t.ID()]
//	t.Sync()
func Shared[T any, P Thread | Block](p P, n int) []T {
	var at *place
	switch p := any(p).(type) {
	case Thread:
		at = p.at
	case Block:
		at = p.at
	}
	s, ok := at.shared(func() any { return make([]T, n) }).([]T)
	if !ok || len(s) != n {
		panic("qd: the threads of a block call Shared in different orders; call it at the top level of the kernel")
	}
	return s
}

// Block is the place of one block in a launch over a grid of blocks: the first
// parameter of a kernel that is the code of one block of cooperating lanes. The code runs
// once for each block, what it passes to [Block.For] once for each lane.
//
// How many threads of the device share the lanes does not change results, and the
// code cannot see it; [Kernel.WithBlockDim] sets it.
type Block struct{ at *place }

// ID is the block's flat index in the launch.
func (b Block) ID() int { return b.at.Flat }

// ID2 is the block's index in a launch of two dimensions. A kernel that uses it
// can only be launched over two.
func (b Block) ID2() (i, j int) {
	if b.at.Rank != 2 {
		panic(fmt.Sprintf("qd: Block.ID2 in a launch of %d dimensions", b.at.Rank))
	}
	return b.at.ID[0], b.at.ID[1]
}

// For runs body for each lane from 0 to less than n, spread over the block's
// threads, in no order. It returns when all of them have run. The body must not write to variables that are
// declared outside of it; it writes to elements of slices, such as those of [Shared].
// A return in it ends the lane.
//
// On device "go" lanes that are neighbours run on different goroutines, so that
// the race detector sees two lanes that write to one element.
func (b Block) For(n int, body func(lane int)) { b.at.forLanes(n, body) }

// mustRank is for kernels whose source qdgen cannot see: for others the launch
// has compared the dimensions before any thread runs.
func (p *place) mustRank(rank int) {
	if p.Rank != rank {
		panic(fmt.Sprintf("qd: Thread.ID%d in a launch of %d dimensions", rank, p.Rank))
	}
}
