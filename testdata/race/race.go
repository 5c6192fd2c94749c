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
