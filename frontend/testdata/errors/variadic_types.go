package errors

import (
	"github.com/qdgen/qd"
	"github.com/qdgen/qd/tile"
)

// Functions that are lowered into their callers, as those that make tiles are, with lists of what kernels do not have.

func storeWithChannels(b qd.Block, x []float32, list ...chan int) { // want "parameter list has type \\[\\]chan int: channels are not supported"
	tile.Load(b, x, 0, 8).Store(x, 1)
}

//qd:kernel
func variadicChannels(b qd.Block, x []float32) {
	storeWithChannels(b, x)
}

type listed struct{ sum tile.Tile[float32] }

func storeWithStructs(b qd.Block, x []float32, list ...listed) { // want "parameter list has type \\[\\]listed: field sum: a tile stands alone"
	tile.Load(b, x, 0, 8).Store(x, 1)
}

//qd:kernel
func variadicStructs(b qd.Block, x []float32) {
	storeWithStructs(b, x)
}

//qd:kernel
func variadicLiteral(t qd.Thread, x []float32) {
	f := func(list ...chan int) { x[0] = 1 } // want "parameter list has type \\[\\]chan int: channels are not supported"
	f()
}
