package main

import "github.com/qdgen/qd"

func captures(x []float32, c, d float32) {
	_ = qd.NewKernel(func(t qd.Thread, x []float32) { x[t.ID()] += c }, qd.Capture("c", c))
	_ = qd.NewKernel(func(t qd.Thread, x []float32) { x[t.ID()] += c + d }, qd.Capture("c", c))                 // want `captures d`
	_ = qd.NewKernel(func(t qd.Thread, x []float32) { x[t.ID()] += c }, qd.Capture("c", d))                     // want `does not capture c`
	_ = qd.NewKernel(func(t qd.Thread, x []float32) { x[t.ID()] += c }, qd.Capture("c", c), qd.Capture("d", d)) // want `qd.Capture\("d"\) names no variable`
	for i := range 3 {
		k := qd.NewKernel(func(t qd.Thread, x []float32) {
			for range qd.Static(i) {
				x[t.ID()] += float32(i)
			}
		}, qd.Capture("i", i))
		_ = k.Launch(qd.Dim(1), x)
	}
}
