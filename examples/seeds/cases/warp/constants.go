package warp

import (
	"fmt"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
)

// A settings is a struct of values.
type settings struct {
	Gain  float64
	Sizes [3]uint8
	Mode  string
}

var (
	aBool   = true
	anInt   = -1 << 62
	aByte   = byte(200)
	aFloat  = float32(0.1)
	aString = "fast"
	aVector = f32.Vec3{1, 2, 3}
	aMatrix = f32.Mat2{{1, 2}, {3, 4}}
	aTurn   = f32.Quat{0, 0, 1, 0}
	aStruct = settings{0.5, [3]uint8{1, 2, 3}, "slow"}
	aFunc   = func(x float32) float32 { return -x }
)

//qd:kernel
func capturesAll(t qd.Thread, ints []int, floats []float32) {
	if aBool && aString == "fast" && aStruct.Mode != aString {
		ints[0], ints[1], ints[2] = anInt, int(aByte), int(aStruct.Sizes[2])
	}
	floats[0] = aFloat
	floats[1] = aMatrix.MulVec(aVector.XY()).Sum()
	floats[2] = aTurn.Rotate(aVector)[0]
	floats[3] = aFunc(float32(aStruct.Gain))
}

// ConstantTypes reads package variables of each kind that may be captured.
func ConstantTypes() {
	ints, floats := make([]int, 3), make([]float32, 4)
	check(qd.Launch(capturesAll, qd.Dim(1), ints, floats))
	fmt.Println(ints, floats)
	// Output:
	// [-4611686018427387904 200 3] [0.1 16 -1 -0.5]
}

var (
	aSlice   = []int{1, 2, 3}
	aMap     = map[int]int{1: 2}
	aPointer = &anInt
	anArray  *qd.Array[int]
)

func readsSlice(t qd.Thread, x []int)   { x[0] = aSlice[0] }
func readsMap(t qd.Thread, x []int)     { x[0] = aMap[1] }
func readsPointer(t qd.Thread, x []int) { x[0] = *aPointer }
func readsArray(t qd.Thread, x []int)   { x[0] = anArray.Len() }

// RefusedCaptures reads what lies in the host's memory, or on one device: it cannot be captured.
func RefusedCaptures() {
	x := make([]int, 1)
	check(qd.Launch(readsSlice, qd.Dim(1), x)) // nobody writes to aSlice: it is a table
	fmt.Println(x)
	for _, k := range []any{readsMap, readsPointer, readsArray} {
		refused(qd.Launch(k, qd.Dim(1), x))
	}
	// Output:
	// [1]
	// package variable aMap cannot be captured by a kernel: it is a map
	// help: look up constants with qd.Static(m[key]), or pass the values that the kernel needs as an argument
	// package variable aPointer cannot be captured by a kernel: it is a pointer
	// help: pass it as an argument
	// qd.Array is not available in kernels
	// help: make the parameter, or the field of one, a slice or a view such as qd.View2: the launch can pass an array for it
}

var switched = 17

//qd:kernel
func readsSwitched(t qd.Thread, x []int) { x[t.ID()] = switched }

// ChangedBack changes a variable and changes it back: each value is built once.
func ChangedBack() {
	x := make([]int, 1)
	before := qd.Stats().Specializations
	for _, v := range []int{17, 42, 17, 42} {
		switched = v
		check(qd.Launch(readsSwitched, qd.Dim(1), x))
		fmt.Println(x[0])
	}
	fmt.Println(qd.Stats().Specializations-before, "specializations")
	// Output:
	// 17
	// 42
	// 17
	// 42
	// 2 specializations
}
