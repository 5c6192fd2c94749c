package errors

import "github.com/qdgen/qd"

func applied(f func(float32) float32, x float32) float32 { return f(x) }

//qd:gradient applied // want "applied can have no gradient or replay of its own, because each call of it is compiled separately"
func appliedGradient(f func(float32) float32, x, adj float32) float32 { return adj }

func plain(x float32) float32 { return x }

//qd:gradient plain // want "plainGradient does not have the signature of the gradient of plain"
func plainGradient(x float32) float32 { return x }

func summed(b qd.Block, x float32) float32 { return x }

//qd:replay summed // want "summed can have no gradient or replay of its own"
func summedAgain(b qd.Block, x float32) float32 { return x }

//qd:kernel
func ownGradients(t qd.Thread, x []float32) {
	x[0] = applied(func(x float32) float32 { return x }, x[1]) + plain(x[2])
}

//qd:kernel
func ownBlockGradients(b qd.Block, x []float32) {
	x[0] = summed(b, x[1])
}
