package warp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
)

const factor = 3

var weights = []float32{1, 10, 100}

// StaticScope evaluates expressions over a package variable, a constant and a captured variable.
func StaticScope() {
	for _, index := range []int{0, 2} {
		k := qd.NewKernel(func(t qd.Thread, x []float32) {
			x[t.ID()] = qd.Static(factor * weights[index])
		}, qd.Capture("index", index))
		x := make([]float32, 1)
		check(k.Launch(qd.Dim(1), x))
		fmt.Println(x)
	}
	// Output:
	// [3]
	// [300]
}

//qd:kernel
func staticLocals(t qd.Thread, x []int) {
	const width = 4
	n := 2 * width
	n++ // known: no thread has another value
	x[0] = qd.Static(n * factor)
	for i := range qd.Static(width) {
		for j := range qd.Static(i) {
			x[1] += qd.Static(10*i + j)
		}
	}
}

// StaticLocal uses a local constant, a variable whose value is known, and the variables of unrolled loops.
func StaticLocal() {
	x := make([]int, 2)
	check(qd.Launch(staticLocals, qd.Dim(1), x))
	fmt.Println(x)
	// Output:
	// [27 144]
}

// longest is what no kernel could do itself: it splits a string, sorts, and formats.
func longest(text string) string {
	words := strings.Fields(text)
	slices.SortFunc(words, func(a, b string) int { return len(b) - len(a) })
	return fmt.Sprintf("%s of %d", words[0], len(words))
}

//qd:kernel
func staticLibrary(t qd.Thread) { qd.Printf("%s\n", qd.Static(longest("one three four"))) }

// StaticLibrary calls functions of the standard library when the kernel is compiled.
func StaticLibrary() {
	check(qd.Launch(staticLibrary, qd.Dim(1)))
	check(device().Wait())
	// Output:
	// three of 3
}

type limits struct {
	Low, High float32
	Axis      f32.Vec3
}

func makeLimits(low float32) limits { return limits{low, low + 1, f32.Vec3Splat(low)} }

func negate(x float32) float32 { return -x }

var (
	unary   = map[string]func(float32) float32{"negate": negate}
	names   = []string{"zero", "one"}
	turns   = []f32.Mat2{{{0, -1}, {1, 0}}}
	corners = [][2]int{{1, 2}, {3, 4}}
)

//qd:kernel
func staticResults(t qd.Thread, x []float32) {
	l := qd.Static(makeLimits(2))
	x[0] = l.High + l.Axis[2]                                   // a struct
	x[1] = qd.Static(turns[0]).MulVec(f32.Vec2{5, 6})[0]        // a matrix
	x[2] = qd.Static(f32.Vec3{1, 2, 3}.Add(f32.Vec3Unit(1)))[1] // a vector
	x[3] = qd.Static(unary["negate"])(x[1])                     // a function
	x[4] = float32(qd.Static(corners[1])[1])                    // an array
	x[5] = float32(len(qd.Static(names[1] + "!")))              // a string
	if qd.Static(factor > 2) {                                  // a bool
		x[6] = float32(qd.Static(int8(factor))) // a number of any type
	}
}

// StaticResults has results of each kind that there may be.
func StaticResults() {
	x := make([]float32, 7)
	check(qd.Launch(staticResults, qd.Dim(1), x))
	fmt.Println(x)
	// Output:
	// [5 -6 3 6 4 4 3]
}

func callsMissing(t qd.Thread, x []float32) { x[0] = qd.Static(unary["missing"])(1) }

// StaticNil looks up a function that is not there: the result is nil, which no kernel can call.
func StaticNil() {
	refused(qd.Launch(callsMissing, qd.Dim(1), make([]float32, 1)))
	// Output:
	// qd.Static(unary["missing"]) is nil here
	// help: assign a function to it first
}

type holder struct{ Values []float32 }

var held = holder{[]float32{1}}

//qd:kernel
func usesSlice(t qd.Thread, x []float32) {
	s := qd.Static(weights)
	x[0] = s[t.ID()+1] // a table of constants
	for i, w := range qd.Static(weights[1:]) {
		x[i+1] = w
	}
}

func keepsHolder(t qd.Thread, x []float32) { h := qd.Static(held); x[0] = h.Values[0] }
func keepsArray(t qd.Thread, x []float32)  { x[0] = float32(qd.Static(anArray).Len()) }

// StaticSlices has a slice, whose elements are constants. Arrays on a device are no constants, nor are
// structs with slices.
func StaticSlices() {
	x := make([]float32, 3)
	check(qd.Launch(usesSlice, qd.Dim(1), x))
	fmt.Println(x)
	refused(qd.Launch(keepsHolder, qd.Dim(1), x))
	refused(qd.Launch(keepsArray, qd.Dim(1), x))
	// Output:
	// [10 10 100]
	// qd.Static(held) is warp.holder{[]float32{1}} of type warp.holder, which kernels cannot have
	// help: make it a number, bool or string, an array, a struct or a slice of these, or a function
	// qd.Static(anArray): a pointer (*qd.Array[int]) cannot be a compile-time value, because the value that it points to may change; use the value itself, or pass it as an argument
	// help: correct the functions that it calls, or compute it before the launch and pass it as a qd.Const
}

var mode = "exact"

//qd:kernel
func chooses(t qd.Thread, x []int) {
	if qd.Static(mode == "fast") {
		x[0] = 1
	} else if qd.Static(strings.HasPrefix(mode, "ex")) {
		x[0] = 2
	} else {
		x[0] = 3
	}
}

// StaticElseIf has a chain of conditions, of which one branch is left.
func StaticElseIf() {
	x := make([]int, 1)
	check(qd.Launch(chooses, qd.Dim(1), x))
	fmt.Println(x)
	// Output:
	// [2]
}

func halfOfInt(x int64) int64       { return x >> 1 }
func halfOfFloat(x float64) float64 { return x / 2 }

// halfOf has an overload for each type: of the two calls one is compiled.
func halfOf[T int64 | float64](x T) T {
	if n, ok := any(x).(int64); ok {
		return T(halfOfInt(n))
	}
	return T(halfOfFloat(float64(x)))
}

//qd:kernel
func halve[T int64 | float64](t qd.Thread, f qd.Const[func(T) T], x []T) {
	x[t.ID()] = f.V(halfOf(x[t.ID()]))
}

// StaticOverloads chooses functions by a type: one in a function, one as an argument.
func StaticOverloads() {
	ints, floats := []int64{-3}, []float64{-3}
	check(qd.Launch(halve[int64], qd.Dim(1), qd.C(halfOfInt), ints))
	check(qd.Launch(halve[float64], qd.Dim(1), qd.C(halfOfFloat), floats))
	fmt.Println(ints, floats)
	// Output:
	// [-1] [-0.75]
}
