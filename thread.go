package qd

import "fmt"

// A Thread is the position of one thread in a launch. It is the first parameter of a kernel that
// is the code of one thread. The last index varies fastest: neighbours in it are neighbours on
// the device. Indices start at 0.
//
// The threads of a launch are divided into blocks of BlockDim consecutive flat indices; the last
// block may have fewer. The threads of one block can wait for each other ([Thread.Sync]) and
// share memory ([Shared]). Threads of different blocks run in any order, and must not wait for
// each other.
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

// ID2 is the thread's index in a launch with two dimensions. A kernel that uses it can only be
// launched over two dimensions.
func (t Thread) ID2() (i, j int) {
	t.at.mustRank(2)
	return t.at.ID[0], t.at.ID[1]
}

// ID3 is the thread's index in a launch with three dimensions.
func (t Thread) ID3() (i, j, k int) {
	t.at.mustRank(3)
	return t.at.ID[0], t.at.ID[1], t.at.ID[2]
}

// ID4 is the thread's index in a launch with four dimensions.
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

// Sync is a barrier: no thread of the block continues before all of them have reached it. After
// it, all of them see what they wrote to memory before it. Threads that have returned do not
// count.
//
// All threads of a block must reach the same Sync the same number of times. A Sync must not be
// in an if or in a loop on whose condition they disagree. If the compiler can see such a
// condition, for example on ID or Lane, it is an error at compile time. Otherwise a checked
// build on a device that compiles reports a *Fault, and the behavior of other builds is
// undefined. Device "go" reports threads that wait in different calls of Sync. It treats a
// thread that skips a Sync and reaches no other as one that has returned.
func (t Thread) Sync() { t.at.sync() }

// Shared returns memory that the threads of a block share: n elements, which are zero when the
// block starts. Call it at the top level of the kernel with a constant n. Each call in the
// kernel's source returns separate memory. Elements contain no pointers and no slices. A kernel
// has at most 48 KiB of it.
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

// Local returns a new array of n zeros that belongs to the thread, as a slice of it: what make([]T, n)
// is in Go. In a kernel n is known at compile time: a constant, the V of a [Const], or an expression
// of these. The array lives as long as a variable that is declared where Local is called: a slice of
// it must not be stored where it lives longer, nor returned.
//
// The array is in registers if the index is known at compile time wherever it is used, as it is in
// loops over [Static] ranges. It is in local memory otherwise.
//
//	row := qd.Local[float32](n.V)
//	for k := range qd.Static(n.V) {
//		row[k] = x[t.ID()*n.V+k]
//	}
func Local[T any](n int) []T { return make([]T, n) }

// A Block is the position of one block in a launch over a grid of blocks. It is the first
// parameter of a kernel that is the code of one block of cooperating lanes. The code runs once
// for each block; a function that it passes to [Block.For] runs once for each lane.
//
// [Kernel.WithBlockDim] sets the number of threads that share the lanes. The number does not
// change results, and the code cannot see it.
type Block struct{ at *place }

// ID is the block's flat index in the launch.
func (b Block) ID() int { return b.at.Flat }

// ID2 is the block's index in a launch with two dimensions. A kernel that uses it can only be
// launched over two dimensions.
func (b Block) ID2() (i, j int) {
	if b.at.Rank != 2 {
		panic(fmt.Sprintf("qd: Block.ID2 in a launch of %d dimensions", b.at.Rank))
	}
	return b.at.ID[0], b.at.ID[1]
}

// ID3 is the block's index in a launch with three dimensions. A kernel that uses it can only be
// launched over three dimensions.
func (b Block) ID3() (i, j, k int) {
	if b.at.Rank != 3 {
		panic(fmt.Sprintf("qd: Block.ID3 in a launch of %d dimensions", b.at.Rank))
	}
	return b.at.ID[0], b.at.ID[1], b.at.ID[2]
}

// For runs body for each lane from 0 to n-1, spread over the block's threads, in any order. It
// returns when all lanes have run. The body must not write to variables that are declared
// outside it, but it can write to elements of slices, such as those of [Shared]. A return in it
// ends the lane.
//
// On device "go" neighbouring lanes run on different goroutines, so that the race detector sees
// two lanes that write to one element.
func (b Block) For(n int, body func(lane int)) { b.at.forLanes(n, body) }

// For2 is [Block.For] for lanes with two indices: for each i from 0 to n-1 and each j from 0 to m-1. Shared memory has two
// with [ViewOf2]:
//
//	tile := qd.ViewOf2(qd.Shared[float32](b, 16*16), 16, 16)
//	b.For2(16, 16, func(i, j int) { tile.Set(i, j, x.At(i, j)) })
func (b Block) For2(n, m int, body func(i, j int)) {
	b.at.forLanes(max(n, 0)*max(m, 0), func(lane int) { body(lane/m, lane%m) })
}

// mustRank is for kernels whose source qdgen cannot see: for others the launch
// has compared the dimensions before any thread runs.
func (p *place) mustRank(rank int) {
	if p.Rank != rank {
		panic(fmt.Sprintf("qd: Thread.ID%d in a launch of %d dimensions", rank, p.Rank))
	}
}
