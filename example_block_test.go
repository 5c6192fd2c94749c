package qd_test

import (
	"fmt"
	"log"

	"github.com/qdgen/qd"
)

// blockTotals adds up size elements in each block. The lanes of a block share memory, and all of them
// have ended a b.For before the next one begins.
//
//qd:kernel
func blockTotals(b qd.Block, size qd.Const[int], x, totals []int) {
	part := qd.Shared[int](b, size.V)
	b.For(size.V, func(lane int) {
		if i := b.ID()*size.V + lane; i < len(x) {
			part[lane] = x[i]
		}
	})
	for n := size.V / 2; n > 0; n /= 2 {
		b.For(n, func(lane int) { part[lane] += part[lane+n] })
	}
	b.For(1, func(int) { totals[b.ID()] = part[0] })
}

// A kernel for a block is launched over a grid of blocks.
func ExampleBlock() {
	x := []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	totals := make([]int, 3)
	if err := qd.Launch(blockTotals, qd.Dim(len(totals)), qd.C(4), x, totals); err != nil {
		log.Fatal(err)
	}
	fmt.Println(totals)
	// Output: [10 26 19]
}
