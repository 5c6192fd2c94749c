package qd_test

import (
	"fmt"
	"log"

	"github.com/qdgen/qd"
)

//qd:kernel
func turned(t qd.Thread, from, to qd.View2[int]) {
	i, j := t.ID2()
	to.Set(j, i, from.At(i, j))
}

// A view is a slice of several dimensions. The last index is the fastest.
func ExampleViewOf2() {
	from, to := []int{1, 2, 3, 4, 5, 6}, make([]int, 6)
	if err := qd.Launch(turned, qd.Dim(2, 3), qd.ViewOf2(from, 2, 3), qd.ViewOf2(to, 3, 2)); err != nil {
		log.Fatal(err)
	}
	fmt.Println(to)
	// Output: [1 4 2 5 3 6]
}
