package warp

import (
	"fmt"

	"github.com/qdgen/qd"
)

//qd:kernel
func plusOne(t qd.Thread, x []int) { x[t.ID()]++ }

//qd:kernel
func plusTwo(t qd.Thread, x []int) { x[t.ID()] += 2 }

// cost prints the runs of a compiler and the loaded modules that something takes.
func cost(do func()) {
	before := qd.Stats()
	do()
	after := qd.Stats()
	fmt.Println(after.Compiled-before.Compiled, after.Loaded-before.Loaded)
}

// Together launches a kernel, which builds the others of its package too: the next one is there.
func Together() {
	x := make([]int, 1)
	check(qd.Launch(plusOne, qd.Dim(1), x))
	cost(func() { check(qd.Launch(plusTwo, qd.Dim(1), x)) })
	fmt.Println(x)
	// Output:
	// 0 0
	// [3]
}

// UpToDate launches a kernel again: nothing has changed, and nothing is built or loaded.
func UpToDate() {
	x := make([]int, 1)
	check(qd.Launch(plusOne, qd.Dim(1), x))
	cost(func() { check(qd.Launch(plusOne, qd.Dim(1), x)) })
	fmt.Println(x)
	// Output:
	// 0 0
	// [2]
}

// MadeLater makes a kernel while the program runs. What was loaded before stays: it is launched
// again at no cost.
func MadeLater() {
	x := make([]int, 1)
	check(qd.Launch(plusOne, qd.Dim(1), x))
	ten := 10
	k := qd.NewKernel(func(t qd.Thread, x []int) { x[t.ID()] += ten }, qd.Capture("ten", ten))
	check(k.Launch(qd.Dim(1), x))
	cost(func() {
		check(qd.Launch(plusOne, qd.Dim(1), x))
		check(k.Launch(qd.Dim(1), x))
	})
	fmt.Println(x)
	// Output:
	// 0 0
	// [22]
}

//qd:kernel
func recorded(t qd.Thread, by qd.Const[float32], x []float32) { x[t.ID()] *= by.V }

// LaterThanRecorded builds another specialization of a kernel after a launch of it was recorded.
func LaterThanRecorded() {
	dev := device()
	x := qd.From(dev, []float32{1})
	twice, err := dev.Record(func(s *qd.Stream) error {
		return s.Launch(recorded, qd.Dim(1), qd.C[float32](2), x)
	})
	check(err)
	check(twice.Launch())
	check(dev.Launch(recorded, qd.Dim(1), qd.C[float32](10), x))
	check(twice.Launch())
	fmt.Println(x.Slice())
	// Output:
	// [40]
}
