// Package one has two kernels that are refused, and one that does not compile as Go.
package one

import (
	"fmt"

	"github.com/qdgen/qd"
)

//qd:kernel
func first(t qd.Thread, x []int) {
	x = append(x, shared(t.ID()))
}

//qd:kernel
func second(t qd.Thread, x []int) {
	x[0] = shared(missing)
	defer fmt.Println("done")
}

//qd:kernel
func third(t qd.Thread, x []int, names map[string]int) {}

func shared(i int) int {
	go func() {}()
	return i
}
