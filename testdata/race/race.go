// Package race has kernels for the race detector to look at.
package race

import "github.com/qdgen/qd"

//qd:kernel
func add(t qd.Thread, sums, x []float32) {
	sums[t.ID()%8] += x[t.ID()] // the race of add
}

//qd:kernel
func shift(t qd.Thread, sums, x []float32) {
	i := t.ID()
	x[i] = x[(i+1)%len(x)] // the race of shift
}

//qd:kernel
func atomic(t qd.Thread, sums, x []float32) {
	qd.AtomicAdd(&sums[t.ID()%8], x[t.ID()])
}

//qd:kernel
func smooth(g qd.Grid, sums, x []float32) {
	for range 2 {
		g.For(len(x)-1, func(i int) {
			x[i] = (x[i] + x[i+1]) / 2 // the race of smooth
		})
	}
}

// phases has no race: a loop begins when the one before has ended, and what stands
// between them is alone.
//
//qd:kernel
func phases(g qd.Grid, sums, x []float32) {
	g.For(len(sums), func(i int) { sums[i] = x[i] })
	sums[0]++
	g.For(len(sums), func(i int) { x[i] = sums[(i+1)%len(sums)] })
	g.For(len(x), func(i int) { x[i] += sums[0] })
}
