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

//qd:kernel
func neighbours(t qd.Thread, sums, x []float32) {
	s := qd.Shared[float32](t, 256)
	s[t.Lane()] = x[t.ID()]
	// A Sync is missing.
	x[t.ID()] = s[(t.Lane()+1)%t.BlockDim()] // the race of neighbours
}

//qd:kernel
func waiting(t qd.Thread, sums, x []float32) {
	s := qd.Shared[float32](t, 256)
	s[t.Lane()] = x[t.ID()]
	t.Sync()
	x[t.ID()] = s[(t.Lane()+1)%t.BlockDim()]
}

//qd:kernel
func lanes(b qd.Block, sums, x []float32) {
	s := qd.Shared[float32](b, 32)
	b.For(32, func(lane int) {
		s[lane/2]++ // the race of lanes
	})
	x[b.ID()] = s[0]
}

// stretches has no race: a loop ends before what follows it.
//
//qd:kernel
func stretches(b qd.Block, sums, x []float32) {
	s := qd.Shared[float32](b, 32)
	b.For(32, func(lane int) { s[lane] = float32(lane) })
	s[0]++
	b.For(31, func(lane int) { qd.AtomicAdd(&sums[0], s[lane+1]+s[0]) })
	x[b.ID()] = s[5]
}
