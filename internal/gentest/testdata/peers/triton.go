package peers

import "github.com/qdgen/qd"

// Kernels for Triton's test_cache.py.

//qd:kernel
func cached(t qd.Thread, i int, block qd.Const[int], out []int) {
	out[0] = tritonFunction1(i+1) + 0*block.V
}

func tritonFunction1(i int) int {
	i = i + 1
	const cond = true
	f := tritonFunction0
	if cond {
		f = tritonFunction2
	}
	return f(i)
}

func tritonFunction0(i int) int { return i + 1 }

func tritonFunction2(i int) int {
	i = i + 1
	return i
}

//qd:kernel
func reduces(t qd.Thread, combine qd.Const[func(a, b int) int], x, out []int) {
	s := x[0]
	for _, v := range x[1:] {
		s = combine.V(s, v)
	}
	out[0] = s
}

func addInts(a, b int) int { return a + b }
func mulInts(a, b int) int { return a * b }

// defaultArg is what a kernel's argument is where none is given.
var defaultArg = 1

//qd:kernel
func withDefault(t qd.Thread, out []int) { out[0] = qd.Static(defaultArg) }

var globalVar = 1

//qd:kernel
func readsGlobalVar(t qd.Thread, out []int) { out[0] = globalVar }

var shadowedGlobal = 42

//qd:kernel
func localShadows(t qd.Thread, out []int) {
	_, shadowedGlobal := 0, 7
	out[0] = shadowedGlobal
}

var readBefore = 42

//qd:kernel
func readsBeforeShadow(t qd.Thread, out []int) {
	a := readBefore
	_, readBefore := 0, 0
	out[0] = a + readBefore
}

var conflicting = 0

func conflictingInner() int { return conflicting }

//qd:kernel
func conflicting1(t qd.Thread, out []int) { out[0] = conflicting + conflictingInner() }

//qd:kernel
func conflicting2(t qd.Thread, out []int) { out[0] = conflicting + 10*conflictingInner() }

//qd:kernel
func usesBuiltin(t qd.Thread, out []float32) { out[0] = float32(0) + float32(len(out)) }

//qd:kernel
func stores(t qd.Thread, val qd.Const[int], out []int) { out[0] = val.V }

//qd:kernel
func storesFloat[T qd.Number](t qd.Thread, a qd.Const[int], out []T) { out[0] = T(a.V) }

//qd:kernel
func addsArrays(t qd.Thread, a, b, o []float32, n qd.Const[int]) {
	for i := range n.V {
		o[i] = a[i] + b[i]
	}
}

//qd:kernel
func assertsOne(t qd.Thread, x []int) { qd.Assert(x[0] == 1, "x[0] == 1") }

func const1(x, y int) int { return 1 }
func const2(x, y int) int { return 2 }
func first(x, y int) int  { return x }
func sum(x, y int) int    { return x + y }

//qd:kernel
func functionArgument(t qd.Thread, fn qd.Const[func(x, y int) int], x, y int, out []int) {
	out[t.ID()] = fn.V(x, y)
}

// invalidStatic panics: it can be run when a kernel is compiled, and gives nothing.
func invalidStatic() int { panic("no device here") }

func usesInvalidStatic(t qd.Thread, out []int) { out[0] = qd.Static(invalidStatic()) }
