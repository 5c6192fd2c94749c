package main

import (
	"github.com/qdgen/qd"
	"github.com/qdgen/qd/qdreg"
)

var offset = 17

func setOffset(n int) { offset = n }

// fixed is assigned nowhere.
var fixed = 3

func shifted(n int) int { return n + offset }

// What qdgen gen has written for an older text of readsInitial.
var (
	_ = qdreg.StaticValue("main", "readsInitial", 0, "offset * 100", func() int { return offset * 100 }, "")
	_ = qdreg.StaticValue("main", "readsInitial", 1, "shifted(1)", func() int { return shifted(1) }, "")
)

//qd:kernel
func readsInitial(t qd.Thread, n qd.Const[int], x []int) {
	x[0] = qd.Static(offset * 10) // want `qd.Static\(offset \* 10\) has its value from the initialization of the package, but it reads offset, which is assigned at .*binding.go:10, and no code for it is registered`
	x[1] = qd.Static(shifted(1))
	x[2] = qd.Static(shifted(2)) // want `qd.Static\(shifted\(2\)\) .* reads offset`
	x[3] = qd.Static(fixed) + qd.Static(offset+n.V) + offset
}
