package errors

import (
	"errors"

	"github.com/qdgen/qd"
)

func applied(f func(float32) float32, x float32) float32 { return f(x) }

//qd:gradient applied // want "applied can have no gradient or replay of its own, because the value of its parameter f, of type func.float32. float32, is known only where it is called"
func appliedGradient(f func(float32) float32, x, adj float32) float32 { return adj }

func plain(x float32) float32 { return x }

//qd:gradient plain // want "plainGradient does not have the signature of the gradient of plain"
func plainGradient(x float32) float32 { return x }

func summed(b qd.Block, x float32) float32 { return x }

//qd:replay summed // want "summed can have no gradient or replay of its own, because its parameter b, of type qd.Block, is there for all threads of a block or a grid together"
func summedAgain(b qd.Block, x float32) float32 { return x }

func roomy(x []float32) float32 { return x[0] * float32(cap(x)) }

//qd:gradient roomy // want "roomy can have no gradient or replay of its own, because it uses the capacity of a slice, with cap or append, which is known only where it is called"
func roomyGradient(x, xGrad []float32, adj float32) { xGrad[0] += adj }

func roomyOnlyBack(x []float32) float32 { return x[0] }

//qd:gradient roomyOnlyBack // want "roomyBack can be no gradient or replay of a function, because it uses the capacity of a slice, with cap or append, which is known only where it is called"
func roomyBack(x, xGrad []float32, adj float32) { xGrad[:cap(xGrad)][0] += adj }

func checkedRoot(x float32) (float32, error) {
	if x < 0 {
		return 0, errors.New("negative")
	}
	return qd.Sqrt(x), nil
}

//qd:gradient checkedRoot // want "checkedRoot can have no gradient or replay of its own, because it returns a value of type error, which there is only where it is called"
func checkedRootGradient(x, adj float32) float32 { return adj / (2 * qd.Sqrt(x)) }

func pointed(x float32) *float32 {
	y := x
	return &y
}

//qd:replay pointed // want "pointed can have no gradient or replay of its own, because it returns a pointer to a variable of its own, which is made where it is called"
func pointedAgain(x float32) *float32 {
	y := x
	return &y
}

func waits(t qd.Thread, x float32) float32 {
	t.Sync()
	return x
}

//qd:replay waits // want "waits can have no gradient or replay of its own, because its threads work together with others of the block"
func waitsAgain(t qd.Thread, x float32) float32 { return x }

//qd:kernel
func ownAlone(t qd.Thread, x []float32) {
	x[0] = roomy(x[1:]) + roomyOnlyBack(x) + *pointed(x[2]) + waits(t, x[3])
	if y, err := checkedRoot(x[4]); err == nil {
		x[5] = y
	}
}

//qd:kernel
func ownGradients(t qd.Thread, x []float32) {
	x[0] = applied(func(x float32) float32 { return x }, x[1]) + plain(x[2])
}

//qd:kernel
func ownBlockGradients(b qd.Block, x []float32) {
	x[0] = summed(b, x[1])
}
