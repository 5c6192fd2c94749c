package qd_test

import (
	"fmt"
	"log"

	"github.com/qdgen/qd"
)

//qd:kernel
func histogram(t qd.Thread, x []uint8, bins []int32) {
	qd.AtomicAdd(&bins[x[t.ID()]], 1)
}

// Threads that write to one place do it by atomic operations.
func ExampleAtomicAdd() {
	x := []uint8{0, 2, 2, 1, 2, 0}
	bins := make([]int32, 3)
	if err := qd.Launch(histogram, qd.Dim(len(x)), x, bins); err != nil {
		log.Fatal(err)
	}
	fmt.Println(bins)
	// Output: [2 1 3]
}
