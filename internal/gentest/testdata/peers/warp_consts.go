package peers

import (
	"math"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/internal/gentest/testdata/peers/clash1"
)

// Kernels for Warp's test_compile_consts.py.

var (
	localOne      = 1
	sqrt3Over3    = float32(0.57735026919)
	unitVec       = [3]float32{sqrt3Over3, sqrt3Over3, sqrt3Over3}
	oneHalf       = qd.Float16FromBits(0x3c00)
	testBool      = true
	shadowedConst = 17
)

// foobar groups constants, as a class of Python does.
var foobar = struct{ One, Two int }{1, 2}

//qd:kernel
func constBool(t qd.Thread, out []int) {
	if testBool {
		out[0] = 1
	} else {
		out[0] = -1
	}
}

//qd:kernel
func constInt(t qd.Thread, out []int) {
	if foobar.One > 0 {
		out[0] = 123 + foobar.Two + clash1.MinusOne
	} else {
		out[0] = 456 + localOne
	}
}

//qd:kernel
func constFloat(t qd.Thread, out []float32) {
	for i := range unitVec {
		out[i] += unitVec[i]
	}
	for _, v := range unitVec {
		out[3] += v * v
	}
	out[4] = oneHalf.Float32()
}

//qd:kernel
func constShadowed(t qd.Thread, out []int) {
	out[0] = shadowedConst
	shadowedConst := 42
	out[1] = shadowedConst
}

var redefinedConst = 1.0

//qd:kernel
func readsRedefined(t qd.Thread, out []float64) { out[0] = redefinedConst }

var shadow0, shadow1, shadow2 = 1.0, 1.0, 1.0

//qd:kernel
func readsShadowing(t qd.Thread, out []float64) {
	shadow0 := 2.0
	shadow1, shadow2 := 4.0, 8.0
	out[0] = shadow0 + shadow1 + shadow2
}

//qd:kernel
func exact64(t qd.Thread, u []uint64, f []float64, i []int64) {
	u[0] *= 0xFF51AFD7ED558CCD
	f[0] += 3.141592653589793
	f[1] = math.Pi + 1
	f[2] = 9007199254740991
	i[0] = -9223372036854775807
}

//qd:kernel
func constOf[T any](t qd.Thread, c qd.Const[T], out []T) { out[0] = c.V }

//qd:kernel
func specialFloats(t qd.Thread, inf, nan qd.Const[float64], out []float64) {
	out[0], out[1], out[2] = inf.V, nan.V, -inf.V
}

//qd:kernel
func negativeConstants(t qd.Thread, f qd.Const[float64], i qd.Const[int64], outF []float64, out []int64) {
	outF[0], out[0] = f.V, i.V
}
