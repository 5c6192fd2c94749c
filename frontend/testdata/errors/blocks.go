package errors

import "github.com/qdgen/qd"

//qd:kernel
func divergentIf(t qd.Thread, x []float32) {
	if t.ID() < 10 {
		t.Sync() // want "not all threads of a block reach this Sync: the condition at line 7 depends on the thread's index"
	}
	n := t.Lane() * 2
	for i := 0; i < n; i++ {
		t.Sync() // want "the condition at line 11 depends on the thread's index"
	}
	switch {
	case len(x) > 4:
		t.Sync()
	case n > 7:
		x[n] = 1
	default:
		t.Sync() // want "the condition at line 17 depends on the thread's index"
	}
}

//qd:kernel
func divergentWays(t qd.Thread, x []float32) {
	lane := t.Lane()
	for i := range 10 {
		if lane == i {
			continue
		}
		t.Sync() // want "the condition at line 28 depends on the thread's index"
	}
	for i := range 10 {
		t.Sync() // want "the condition at line 35 depends on the thread's index"
		if lane == i {
			break
		}
	}
	turns := 0
	for x[turns] > 0 {
		if lane > turns {
			break
		}
		turns++
	}
	if turns > 3 {
		t.Sync() // want "the condition at line 46 depends on the thread's index"
	}
	b := 1
	if lane > 4 {
		b = 2
	}
	for b > 0 {
		b--
		t.Sync() // want "the condition at line 53 depends on the thread's index"
	}
}

//qd:kernel
func uniformWays(t qd.Thread, n int, x []float32) {
	if t.ID() >= n {
		return
	}
	for i := 0; i < t.BlockDim(); i++ {
		if i%2 == 1 {
			continue
		}
		t.Sync()
		if i > n {
			break
		}
	}
	for i := range 10 {
		t.Sync()
		if t.Lane() == i {
			continue
		}
		x[t.ID()]++
	}
	if t.BlockID() > 3 && t.Dim(0) > n || x[0] > 0 {
		t.Sync()
	}
	if x[t.ID()] > 0 { // what memory holds is not known
		t.Sync()
	}
	qd.Dim() // want "qd.Dim cannot be called in a kernel"
}

//qd:kernel
func badShared(t qd.Thread, n int, x []float32) {
	_ = qd.Shared[float32](t, n) // want "the length of shared memory is not known at compile time: n is a runtime parameter"
	_ = qd.Shared[float32](t, 0) // want "shared memory of 0 elements"
	_ = qd.Shared[[]int](t, 4)   // want "shared memory cannot hold elements of type \\[\\]int"
	_ = qd.Shared[*int](t, 4)    // want "shared memory cannot hold elements of type \\*int"
	_ = qd.Shared[string](t, 4)  // want "shared memory cannot hold elements of type string"
	if n > 0 {
		_ = qd.Shared[float32](t, 4) // want "this shared memory is not reached by all threads of a block"
	}
	a := qd.Shared[float64](t, 6000)
	b := qd.Shared[float32](t, 600) // want "this brings the shared memory of the kernel to 50400 bytes; a block has at most 49152"
	a[0], b[0] = 1, 1
}

// Threads go on with an outer loop in different iterations of the inner one.
//
//qd:kernel
func continuedApart(t qd.Thread, x []int32) {
	n, turns := int32(0), 0
outer:
	for turns < 5 {
		turns++
		if n > 20 {
			t.Sync() // want "the condition at line 112 depends on the thread's index"
		}
		for {
			n++
			if n%8 == int32(t.Lane()) {
				continue outer
			}
		}
	}
	x[t.ID()] = n
}

// What says where a thread is has no address.
//
//qd:kernel
func addressOfThread(t qd.Thread, x []int32) {
	p := &t // want "t says where the thread is, and has no address in a kernel"
	x[p.ID()] = 2
	u := t
	x[(&u).ID()] = 3 // want "u says where the thread is, and has no address in a kernel"
}

//qd:kernel
func addressOfBlock(b qd.Block, x []int32) {
	p := &b // want "b says where the thread is, and has no address in a kernel"
	p.For(4, func(lane int) { x[lane] = 1 })
}
