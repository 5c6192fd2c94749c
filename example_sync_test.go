package qd_test

import (
	"fmt"
	"log"

	"github.com/qdgen/qd"
)

// mirror reverses the elements of each block of four threads. Each thread writes one element to the
// memory that the block shares, waits for the others, and reads another one.
//
//qd:kernel
func mirror(t qd.Thread, x []int) {
	shared := qd.Shared[int](t, 4)
	shared[t.Lane()] = x[t.ID()]
	t.Sync()
	x[t.ID()] = shared[3-t.Lane()]
}

// The threads of a block share memory, and wait for each other.
func ExampleThread_Sync() {
	x := []int{1, 2, 3, 4, 5, 6, 7, 8}
	if err := qd.NewKernel(mirror).WithBlockDim(4).Launch(qd.Dim(len(x)), x); err != nil {
		log.Fatal(err)
	}
	fmt.Println(x)
	// Output: [4 3 2 1 8 7 6 5]
}
