package main

import (
	"example.com/origin/lib"
	"github.com/qdgen/qd"
)

type P struct {
	A, B float32
}

//qd:kernel
func fields(t qd.Thread, p []P) {
	p[t.ID()].A = 1
}

//qd:kernel
func order(t qd.Thread, a, b int32, x []int32) {
	x[t.ID()] = a - b
}

const factor = 3

//qd:kernel
func scale(t qd.Thread, x []int32) {
	x[t.ID()] = factor * next(lib.Twice(1))
}

func literals(dev *qd.Device, x, y []int32) {
	check(dev.Launch(func(t qd.Thread, x []int32) { x[t.ID()] = 10 }, qd.Dim(1), x))
	check(dev.Launch(func(t qd.Thread, x []int32) { x[t.ID()] = 20 }, qd.Dim(1), y))
}
