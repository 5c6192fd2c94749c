package main

import "github.com/qdgen/qd"

type grains struct {
	Size []float32
	Pos  struct{ X, Y []float64 }
	Map  qd.View2[int32]
	N    int32
}

type positions[T any] struct{ X, Y T }

type grainArrays[F any] struct {
	Pos  positions[*qd.Array[F]] // want `qd.Array is not available in kernels`
	Size *qd.Array[float32]      // want `qd.Array is not available in kernels`
	Map  *qd.Array[int32]        // want `qd.Array is not available in kernels`
	N    int
}

//qd:kernel
func settle(t qd.Thread, g grains) { g.Size[t.ID()] = float32(g.Pos.X[t.ID()]) }

//qd:kernel
func settleArrays(t qd.Thread, g grainArrays[float64]) { g.Size = nil }

func settleAll(g grains, a grainArrays[float64], narrow grainArrays[float32]) {
	_ = qd.Launch(settle, qd.Dim(1), g)
	_ = qd.Launch(settle, qd.Dim(1), a)
	_ = qd.Launch(settle, qd.Dim(1), narrow)                         // want `argument narrow of type grainArrays\[float32\] does not fit parameter g of settle, which is of type grains`
	_ = qd.Launch(settle, qd.Dim(1), &g)                             // want `argument &g of type \*grains does not fit`
	_ = qd.Launch(settle, qd.Dim(1), struct{ Size []float32 }{})     // want `does not fit parameter g of settle`
	_ = qd.Launch(settle, qd.Dim(1), positions[[]float32]{nil, nil}) // want `does not fit parameter g of settle`
}
