package qd_test

import (
	"fmt"
	"log"
	"slices"

	"github.com/qdgen/qd"
)

// medians finds the median of each n elements. Each thread has an array of its own.
//
//qd:kernel
func medians(t qd.Thread, n qd.Const[int], x, out []int) {
	i := t.ID()
	row := qd.Local[int](n.V)
	copy(row, x[i*n.V:(i+1)*n.V])
	slices.Sort(row)
	out[i] = row[n.V/2]
}

// Local makes an array whose length is known when the kernel is compiled.
func ExampleLocal() {
	x, out := []int{5, 1, 4, 9, 7, 8}, make([]int, 2)
	if err := qd.Launch(medians, qd.Dim(len(out)), qd.C(3), x, out); err != nil {
		log.Fatal(err)
	}
	fmt.Println(out)
	// Output: [4 8]
}
