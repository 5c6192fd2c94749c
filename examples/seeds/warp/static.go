package warp

import (
	"fmt"
	"math"

	"github.com/qdgen/qd"
)

// norm is ordinary Go, with what no kernel may do: it is run when the kernel is
// compiled.
func norm(x ...float64) float64 {
	var squares []float64
	for _, v := range x {
		squares = append(squares, v*v)
	}
	sum := 0.0
	for _, s := range squares {
		sum += s
	}
	return math.Sqrt(sum)
}

//qd:kernel
func staticMath(t qd.Thread) {
	staticVar := qd.Static(3 + 2)
	staticNorm := qd.Static(norm(3, 4)) // any Go code
	qd.Printf("staticVar = %d\n", staticVar)
	qd.Printf("staticNorm = %f\n", staticNorm)
}

// StaticMath evaluates expressions when the kernel is compiled.
func StaticMath() {
	check(qd.Launch(staticMath, qd.Dim(1)))
	wait()
	// Output:
	// staticVar = 5
	// staticNorm = 5.000000
}

var availableColors = map[string]bool{"red": true, "green": true, "blue": true}

//qd:kernel
func isRedAvailable(t qd.Thread) {
	if qd.Static(availableColors["red"]) {
		qd.Printf("red is available\n")
	} else {
		qd.Printf("red is not available\n")
	}
}

// StaticConditional compiles only the branch that is taken.
func StaticConditional() {
	check(qd.Launch(isRedAvailable, qd.Dim(1)))
	wait()
	// Output:
	// red is available
}

func loopLimit() int { return 3 }

//qd:kernel
func unrolled(t qd.Thread) {
	for i := range qd.Static(loopLimit()) {
		staticI := qd.Static(i)
		qd.Printf("i = %d\n", staticI)
	}
}

// StaticLoop unrolls a loop, whose variable is a constant in each turn.
func StaticLoop() {
	check(qd.Launch(unrolled, qd.Dim(1)))
	wait()
	// Output:
	// i = 0
	// i = 1
	// i = 2
}

func doAdd(a, b float32) float32 { return a + b }
func doSub(a, b float32) float32 { return a - b }
func doMul(a, b float32) float32 { return a * b }

var opHandlers = map[string]func(a, b float32) float32{
	"add": doAdd,
	"sub": doSub,
	"mul": doMul,
}

//qd:kernel
func operate(t qd.Thread, op qd.Const[string], input [][2]float32, output []float32) {
	i := t.ID()
	a, b := input[i][0], input[i][1]
	output[i] = qd.Static(opHandlers[op.V])(a, b)
}

// FunctionPointers compiles the kernel once for each operation.
func FunctionPointers() {
	inputs := [][2]float32{{1, 2}, {3, 0}}
	outputs := make([]float32, 2)
	for _, op := range []string{"add", "sub", "mul"} {
		check(qd.Launch(operate, qd.Dim(2), qd.C(op), inputs, outputs))
		fmt.Println(outputs)
	}
	// Output:
	// [3 3]
	// [-1 3]
	// [2 0]
}

func applyFuncA(x float32) float32 { return x + 10 }
func applyFuncB(x float32) float32 { return x * 2 }
func applyFuncC(x float32) float32 { return x - 5 }

const (
	funcIDA = iota
	funcIDB
	funcIDC
)

//qd:kernel
func applyFuncConditionsNaive(t qd.Thread, x []float32, funcField []int8) {
	i := t.ID()
	value := x[i]
	result := value
	switch funcField[i] {
	case funcIDA:
		result = applyFuncA(value)
	case funcIDB:
		result = applyFuncB(value)
	case funcIDC:
		result = applyFuncC(value)
	}
	x[i] = result
}

// NaiveBranches decides at run time which function applies.
func NaiveBranches() {
	data := []float32{1, 2, 3, 4, 5}
	funcField := []int8{funcIDA, funcIDB, funcIDB, funcIDA, funcIDB}
	check(qd.Launch(applyFuncConditionsNaive, qd.Dim(len(data)), data, funcField))
	fmt.Println(data)
	// Output:
	// [11 4 6 14 10]
}

var funcs = [...]func(float32) float32{applyFuncA, applyFuncB, applyFuncC}

// usedFuncIDs are those that the data has: the kernel has no code of the others.
var usedFuncIDs = [...]int8{funcIDA, funcIDB}

//qd:kernel
func applyFuncConditions(t qd.Thread, x []float32, funcField []int8) {
	i := t.ID()
	value := x[i]
	result := value
	for j := range qd.Static(len(usedFuncIDs)) {
		if funcField[i] == qd.Static(usedFuncIDs[j]) {
			result = qd.Static(funcs[j])(value)
		}
	}
	x[i] = result
}

// EliminatedBranches has a branch only for functions that are used.
func EliminatedBranches() {
	data := []float32{1, 2, 3, 4, 5}
	funcField := []int8{funcIDA, funcIDB, funcIDB, funcIDA, funcIDB}
	check(qd.Launch(applyFuncConditions, qd.Dim(len(data)), data, funcField))
	fmt.Println(data)
	// Output:
	// [11 4 6 14 10]
}
