package main

import (
	"math"

	"example.com/stranger/numeric"
	"github.com/qdgen/qd"
)

//qd:kernel
func saxpy(t qd.Thread, a float32, x, y []float32) {
	i := t.ID()
	y[i] += a * x[i]
}

// wave uses a device function of its own file, one of another package, and
// package math.
//
//qd:kernel
func wave(t qd.Thread, x []float64, y []float64) {
	i := t.ID()
	y[i] = numeric.Mix(math.Sqrt(x[i]), square(x[i]), 0.25)
}

func square(x float64) float64 {
	return x * x
}

// count has every thread count something else.
//
//qd:kernel
func count(t qd.Thread, counts []int64) {
	qd.AtomicAdd(&counts[t.ID()%len(counts)], int64(t.ID()))
}

// speak prints from a kernel.
//
//qd:kernel
func speak(t qd.Thread, x []int32) {
	qd.Printf("thread %d has %#x\n", t.ID(), x[t.ID()])
}
