package peers

import (
	"math"

	"github.com/qdgen/qd"
)

// Kernels for Warp's test_codegen.py: what is refused, and everything but loops.

var globalSlice = []float32{1, 2, 3}

// changeGlobals makes variables of those that could be tables otherwise.
func changeGlobals() { globalSlice[0], *globalPointer = 1, 0 }

func readsGlobalSlice(t qd.Thread, out []float32) { out[0] = globalSlice[0] }

func passesGlobalSlice(t qd.Thread, out []float32) { out[0] = firstOf(globalSlice) }

func firstOf(x []float32) float32 { return x[0] }

var globalMap = map[string]float32{"a": 1}

func readsGlobalMap(t qd.Thread, out []float32) { out[0] = globalMap["a"] }

var globalPointer = new(float32)

func readsGlobalPointer(t qd.Thread, out []float32) { out[0] = *globalPointer }

func makesMap(t qd.Thread, out []float32) {
	x := map[string]float32{"a": 1, "b": 2}
	x["c"] = 3
	out[0] = x["c"]
}

//qd:kernel
func mutatesConstant(t qd.Thread, n int, in, out []float32) {
	const start = 0.0
	myConstant := float32(start)
	for i := range n {
		myConstant += in[i]
	}
	out[0] = myConstant
}

//qd:kernel
func mixedLoops(t qd.Thread, dynA, dynB, dynC int, out []int) {
	const constA, constB = 7, 5
	for i := range qd.Static(constA + 1) {
		for j := range dynA + 1 {
			for k := range dynB + 1 {
				for l := range qd.Static(constB + 1) {
					for m := range dynC + 1 {
						out[i+j+k+l+m] = 1
					}
				}
			}
		}
	}
}

//qd:kernel
func staticThenDynamic(t qd.Thread, dim int, out [][3][3]float64) {
	var mat [3][3]float64
	for i := range qd.Static(3) {
		for j := range qd.Static(3) {
			mat[i][j] = 0
		}
	}
	for i := range dim + 1 {
		for j := range dim + 1 {
			mat[i][j] = 1
		}
	}
	out[0] = mat
	for i := range qd.Static(3) {
		for j := range qd.Static(3) {
			mat[i][j] = 0
		}
	}
	out[1] = mat
}

//qd:kernel
func iterReused(t qd.Thread, n int, out []int) {
	acc := 0
	for i := range qd.Static(2) {
		acc += i
	}
	i := 0
	for i < 3 {
		acc += 10
		i++
	}
	out[0] = acc

	acc = 0
	for i := range qd.Static(2) {
		acc += i
	}
	for i := range n {
		acc += i
	}
	out[1] = acc

	acc = 0
	for i = range qd.Static(3) { // an assignment: i keeps its last value
		acc += i
	}
	for d := range n {
		i = d * 2
		acc += i
	}
	out[2] = acc
}

//qd:kernel
func iterMutated(t qd.Thread, out []int) {
	s, i := 0, 0
	for i = range qd.Static(2) {
		s += i
	}
	for k := 0; k < 3; k++ {
		i = i + 1
	}
	out[0] = i
	for i = range qd.Static(2) {
		s += i
	}
	for k := 0; k < 3; k++ {
		tmp := i
		i = tmp + 1
	}
	out[1] = i
}

// min shadows the built-in function where it is declared.
func sumOfVec(a [3]float32) float32 { return a[0] + a[1] + a[2] }

//qd:kernel
func shadowsBuiltin(t qd.Thread, out []float32) {
	max := sumOfVec
	out[0] = max([3]float32{1, 1, 1})
}

type iterator struct{ valid bool }

//qd:kernel
func whileCondition(t qd.Thread, out []int) {
	it := iterator{true}
	for it.valid {
		it.valid = false
		out[0]++
	}
}

//qd:kernel
func returnsEarly(t qd.Thread, out []int32) {
	if t.ID() < 256 {
		return
	}
	qd.AtomicAdd(&out[0], 1)
}

//qd:kernel
func oneBranch(t qd.Thread, x float32, out []int32) {
	if x > 0 {
		qd.AtomicAdd(&out[0], 1)
	} else {
		qd.AtomicAdd(&out[1], 1)
	}
}

func toAxisAngle(q [4]float32) (axis [3]float32, angle float32) {
	n := qd.Sqrt(q[0]*q[0] + q[1]*q[1] + q[2]*q[2])
	for i := range axis {
		axis[i] = q[i] / n
	}
	return axis, 2 * qd.Atan2(n, q[3])
}

//qd:kernel
func multipleResults(t qd.Thread, out []float32) {
	axis, angle := toAxisAngle([4]float32{0, 0, 1, 0})
	out[0], out[1], out[2] = axis[0], axis[2], angle
}

//qd:kernel
func casts(t qd.Thread, out []float32) {
	out[0] = math.Float32frombits(0x3FA00000)
	out[1] = float32(qd.Float16FromBits(0x4000).Float32())
}

func sideEffect(counter []int, a, b float32) float32 {
	counter[0]++
	return a + b
}

//qd:kernel
func augmentedOnce(t qd.Thread, counter []int, out []float32) {
	total := float32(0)
	total += sideEffect(counter, 1, 2)
	total += sideEffect(counter, 3, 4)
	total *= sideEffect(counter, 1, 1)
	total -= sideEffect(counter, 0, 0)
	out[0] = total
	out[int(sideEffect(counter, 0, 1))] += sideEffect(counter, 2, 3)
}

func doubleOf(a float32) float32 { return a * 2 }
func squareOf(a float32) float32 { return a * a }
func halfOf(a float32) float32   { return a / 2 }

var localHandlers = map[string]func(float32) float32{"double": doubleOf, "square": squareOf}

//qd:kernel
func functionInLocal(t qd.Thread, out []float32) {
	f := doubleOf
	out[0] = f(3)
	double := qd.Static(localHandlers["double"])
	square := qd.Static(localHandlers["square"])
	out[1], out[2] = double(3), square(3)
}

//qd:kernel
func rebindsKnown(t qd.Thread, out []float32) {
	f := doubleOf
	out[0] = f(3)
	f = halfOf
	out[1] = f(3)
}

func rebindsAtRunTime(t qd.Thread, n int, out []float32) {
	f := doubleOf
	if n > 0 {
		f = halfOf
	}
	out[0] = f(3)
}

var (
	f64Const       = 2 * math.Pi
	i64Const int64 = 7
)

//qd:kernel
func unaryMinus(t qd.Thread, b, c float64, i int64, outF []float64, out []int64) {
	outF[0] = -f64Const * b / (c * c)
	out[0] = -i64Const * i
}

//qd:kernel
func returnsNothing(t qd.Thread, x float32, out []int) {
	if x > 2 {
		out[0] = 1
		return
	}
	out[0] = 2
}
