// Package lib is called by kernels of another, and has one of its own.
package lib

import "github.com/qdgen/qd"

func Twice(x int32) int32 {
	return 2 * x
}

//qd:kernel
func Double(t qd.Thread, x []int32) {
	x[t.ID()] = Twice(x[t.ID()])
}
