package main

import "github.com/qdgen/qd"

// Floats that are only seen by way of integers have no gradient.

//qd:kernel
func quantized(t qd.Thread, x, y []float32) {
	i := t.ID()
	y[i] = float32(int(x[i]*255)) / 255 // warning `no gradient goes through this conversion to int64: what follows from it is constant`
}

//qd:kernel
func quantizedInLoop(t qd.Thread, n int, x, y []float32) {
	i := t.ID()
	level := 0
	for k := range n {
		level += int(x[k]) // warning `no gradient goes through this conversion`
	}
	if level > 3 {
		level = 3
	}
	y[i] = 2 * float32(level)
}

//qd:kernel
func fraction(t qd.Thread, x, y []float32) {
	i := t.ID()
	y[i] = x[i] - float32(int(x[i]))
}

//qd:kernel
func meant(t qd.Thread, x, y []float32) {
	i := t.ID()
	y[i] = x[i] + qd.StopGradient(float32(int(x[i])))
}

//qd:kernel
func nearest(t qd.Thread, x, table, y []float32) {
	i := t.ID()
	y[i] = table[int(x[i])]
}

//qd:kernel
func counted(t qd.Thread, x, y []float32) {
	i := t.ID()
	for k := 0; k < int(x[i]); k++ {
		y[i] += 2
	}
}

func learn() *qd.Tape { return qd.NewTape(nil) }
