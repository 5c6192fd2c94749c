package peers

import (
	"math"
	"slices"

	"github.com/qdgen/qd"
)

// Kernels for Warp's test_static.py.

var globalVariable = 3

func staticGlobalFunc() int {
	staticVar := qd.Static(globalVariable + 2)
	return staticVar
}

//qd:kernel
func staticGlobal(t qd.Thread, out []int) {
	const constVar = 3
	out[0] = staticGlobalFunc()
	out[1] = qd.Static(staticGlobalFunc() + constVar)
}

type constructed struct {
	Mat [3][3]float32
	Vec [3]float32
	I   int32
}

type constructedNested struct {
	S    constructed
	Quat [4]float64
}

func construct(first float32, i int32) (s constructed) {
	for r := range s.Mat {
		for c := range s.Mat[r] {
			s.Mat[r][c] = first
			first++
		}
	}
	s.Vec, s.I = [3]float32{1, 2, 3}, i
	return s
}

// constructNested uses what only Go can: the package's own functions are not kernel Go.
func constructNested() constructedNested {
	half := math.Pi / 4
	parts := slices.Repeat([]float64{0}, 2)
	return constructedNested{construct(1, 1), [4]float64{parts[0], math.Sin(half), parts[1], math.Cos(half)}}
}

//qd:kernel
func staticStruct(t qd.Thread, out []constructed) { out[0] = qd.Static(construct(1, 1)) }

//qd:kernel
func staticNestedStruct(t qd.Thread, out []constructedNested) {
	out[0] = qd.Static(constructNested())
}

var zeroDivisor = 0

func divides(x int) int { return x / zeroDivisor }

func staticDivisionByZero(t qd.Thread, out []int) { out[0] = qd.Static(divides(1)) }

func staticRuntimeValue(t qd.Thread, i int, out []int) { out[0] = qd.Static(i * 2) }

func makesSlice() []int { return make([]int, 3) }

func staticSlice(t qd.Thread, out []int) {
	x := qd.Static(makesSlice())
	out[0] = x[0]
}

type holdsSlice struct {
	Inner struct{ Data []int }
	X     int
}

func makesStructWithSlice() holdsSlice { return holdsSlice{X: 1} }

func staticStructWithSlice(t qd.Thread, out []int) {
	x := qd.Static(makesStructWithSlice())
	out[0] = x.X
}

func makesPointer() *int { return new(int) }

func staticPointer(t qd.Thread, out []int) { out[0] = *qd.Static(makesPointer()) }

func func1(a, b int) int { return a + b }
func func2(a, b int) int { return a - b }

var functionVariable = func1

//qd:kernel
func staticFunctionVariable(t qd.Thread, out []int) { out[0] = functionVariable(3, 2) }

func doAdd(a, b float32) float32 { return a + b }
func doSub(a, b float32) float32 { return a - b }
func doMul(a, b float32) float32 { return a * b }

var opHandlers = map[string]func(a, b float32) float32{"add": doAdd, "sub": doSub, "mul": doMul}

//qd:kernel
func staticLookup(t qd.Thread, op qd.Const[string], in [][2]float32, out []float32) {
	i := t.ID()
	out[i] = qd.Static(opHandlers[op.V])(in[i][0], in[i][1])
}

//qd:kernel
func staticLoop(t qd.Thread, out []int) {
	s := 0
	for i := range qd.Static(staticGlobalFunc()) {
		s += qd.Static(i)
	}
	out[0] = s
}

//qd:kernel
func staticLoopForced(t qd.Thread, out []int) {
	s := 0
	for i := range qd.Static(40) {
		s += qd.Static(i)
	}
	out[0] = s
}

//qd:kernel
func staticLoopNotForced(t qd.Thread, out []int) {
	s := 0
	for range 40 {
		s += qd.Static(globalVariable)
	}
	out[0] = s
}

//qd:kernel
func staticElif(t qd.Thread, out []int) {
	if qd.Static(slices.Contains([]int{2, 3, 5}, staticGlobalFunc())) {
		out[0] = 1
	} else if qd.Static(slices.Contains([]int{0, 1}, staticGlobalFunc())) {
		out[0] = 2
	} else {
		out[0] = 3
	}
}

//qd:kernel
func staticStringEqual(t qd.Thread, captured qd.Const[string], out []int) {
	if qd.Static(captured.V == "world") {
		out[0] = 1
	} else {
		out[0] = 2
	}
}

var myList = []int{1, 2, 3}

//qd:kernel
func staticLenOfList(t qd.Thread, out []int) {
	switch qd.Static(len(myList)) {
	case 0:
		out[0] = 0
	case 1:
		out[0] = 1
	case 2:
		out[0] = 2
	case 3:
		out[0] = 3
	}
}

//qd:kernel
func staticLen(t qd.Thread, out []int) {
	var v1 [2]float32
	var v2 [3]float32
	var m [len(v1) + len(v2) + 1]int
	for i := range qd.Static(len(m)) {
		m[i] = 1
	}
	for _, v := range m {
		out[0] += v
	}
}

func returns1() int { return 1 }
func returns2() int { return 2 }

var staticFuncs = [...]func() int{returns1, returns2}

// A selection is a list of functions by number, as closures over lists are in Warp.
type selection struct {
	IDs [2]int
	N   int
}

//qd:kernel
func (s selection) Kernel(t qd.Thread, out []int) {
	for i := range qd.Static(s.N) {
		out[0] = qd.Static(staticFuncs[s.IDs[i]])()
	}
}

// Names of loop variables below.
var globalTestIdx, globalTestJ = 999, 888

//qd:kernel
func staticShadowed(t qd.Thread, out []int) {
	for globalTestIdx := range qd.Static(3) {
		out[globalTestIdx] = qd.Static(globalTestIdx)
	}
	out[3] = globalTestIdx + globalTestJ
}

//qd:kernel
func staticShadowedExpr(t qd.Thread, out []int) {
	for globalTestIdx := range qd.Static(3) {
		out[globalTestIdx] = qd.Static(globalTestIdx*2 + 1)
	}
}

//qd:kernel
func staticShadowedNested(t qd.Thread, out []int) {
	for globalTestIdx := range qd.Static(2) {
		for globalTestJ := range qd.Static(2) {
			out[globalTestIdx*2+globalTestJ] = qd.Static(globalTestIdx*10 + globalTestJ)
		}
	}
}

//qd:kernel
func staticShadowedSame(t qd.Thread, out []int) {
	at := 0
	for globalTestIdx := range qd.Static(2) {
		for globalTestIdx := range qd.Static(3) {
			_ = globalTestIdx
		}
		out[at] = qd.Static(globalTestIdx) // Go's scopes: the outer one again
		at++
	}
}
