package errors

import "github.com/qdgen/qd"

var text = "not constant"

type point struct{ x, y int }

//qd:kernel
func faults(t qd.Thread, msg []int8, x []int) {
	i := t.ID()
	if x[i] == 1 {
		panic(point{i, i})
	}
	if x[i] == 2 {
		panic(x)
	}
	if x[i] == 3 {
		panic(nil)
	}
	for ; i < 10; panic("header") { // want "panic in the header of a loop is not supported"
		x[i] = i
	}
	qd.Assert(x[i] > 0, text)
}
