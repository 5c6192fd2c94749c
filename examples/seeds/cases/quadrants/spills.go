package quadrants

import (
	"fmt"

	"github.com/qdgen/qd"
)

// manyAlive keeps 432 numbers, which are more than the registers of a thread.
//
//qd:kernel
func manyAlive(t qd.Thread, turns int, x, out []float32) {
	var a, b, c [144]float32
	for k := range qd.Static(144) {
		a[k], b[k], c[k] = x[k], x[144+k], x[288+k]
	}
	for range turns {
		for k := range qd.Static(144) {
			a[k] += b[(k+7)%144]
			b[k] -= c[(5*k+1)%144]
			c[k] += a[(7*k+2)%144]
		}
	}
	for k := range qd.Static(144) {
		out[t.ID()] += a[k] + b[k] + c[k]
	}
}

// Spilling runs a kernel of which some values are in memory, which changes no result.
func Spilling() {
	x, out := make([]float32, 432), make([]float32, 1)
	for i := range x {
		x[i] = float32(i % 5)
	}
	check(qd.Launch(manyAlive, qd.Dim(1), 2, x, out))
	fmt.Println(out)
	// Output:
	// [338]
}
