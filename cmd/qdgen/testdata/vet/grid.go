package main

import "github.com/qdgen/qd"

//qd:kernel
func whole(g qd.Grid, x []float32) {
	sum := float32(0)
	g.For(len(x), func(i int) {
		sum += x[i] // want `sum is declared outside the parallel loop`
	})
}

func runs(x []float32) {
	_ = qd.Run(whole, x)
	_ = qd.Run(whole, x, 1)            // want `launch of whole with 2 arguments, for 1 parameter`
	_ = qd.Launch(whole, qd.Dim(3), x) // want `launch of whole, which is a Grid kernel`
	dev, _ := qd.Open("go")
	_, _ = dev.BindRun(whole, []int{1}) // want `does not fit parameter x of whole`
	_ = dev.Run(single, x)              // want `run of single, which is a Thread kernel`
}

//qd:kernel
func single(t qd.Thread, x []float32) { x[t.ID()]++ }

//qd:kernel // want `is not the directive that makes typo a kernel`
func typo(t qd.Thread, x []int) { x[t.ID()]++ }

//qd:kernel
func serial(g qd.Grid, n int, x, y []float32) {
	for i := range n { // warning `the iterations of this loop are independent, but it runs once, in order`
		x[i] = 2 * y[i]
	}
	for i := range n {
		x[i+1] = x[i]
	}
}
