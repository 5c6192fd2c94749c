package errors

import "github.com/qdgen/qd"

func same[T any](x T) T { return x } // want "a function cannot return a qd.Thread" "a function cannot return a qd.Block" "a function cannot return a qd.Grid"

func blockOf(b qd.Block) (c qd.Block, n int) { return b, 1 } // want "a function cannot return a qd.Block"

//qd:kernel
func sameThread(t qd.Thread, x []float32) {
	x[same(t).ID()] = 1
}

//qd:kernel
func sameBlock(b qd.Block, x []float32) {
	same(b).For(8, func(i int) { x[i] = 1 })
	c, n := blockOf(b)
	c.For(n, func(i int) { x[i] = 1 })
	d := func() qd.Block { return b } // want "a function cannot return a qd.Block"
	d().For(n, func(i int) { x[i] = 1 })
}

//qd:kernel
func sameGrid(g qd.Grid, x []float32) {
	same(g).For(8, func(i int) { x[i] = 1 })
}
