package warp

import (
	"fmt"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
)

var answer = 42

//qd:kernel
func printAnswer(t qd.Thread) { qd.Printf("%d\n", answer) }

// CapturedConstant reads a package variable, which is a constant in the kernel.
func CapturedConstant() {
	check(qd.Launch(printAnswer, qd.Dim(1)))
	wait()
	// Output:
	// 42
}

var globalArray = make([]int, 5)

func writeGlobal(t qd.Thread) {
	globalArray[t.ID()] = 42 // a slice is not a value: it cannot be captured
}

//qd:kernel
func writeArgument(t qd.Thread, a []int) { a[t.ID()] = 42 }

// CapturedArray shows the error, and what to do instead.
func CapturedArray() {
	refused(qd.Launch(writeGlobal, qd.Dim(len(globalArray))))
	check(qd.Launch(writeArgument, qd.Dim(len(globalArray)), globalArray))
	fmt.Println(globalArray)
	// Output:
	// package variable globalArray is assigned in a kernel
	// help: in a kernel, package variables are constants: pass a slice as an argument, and write to its elements
	// [42 42 42 42 42]
}

//qd:kernel
func scaled(t qd.Thread, x qd.Const[float32], v qd.Const[f32.Vec3], a []f32.Vec3) {
	a[t.ID()] = v.V.Scale(x.V)
}

func constSlice(t qd.Thread, a qd.Const[[]int], out []int) { out[0] = a.V[0] }

// CheckedConstants passes what may be a constant, and what may not. That a value is one
// is in the parameter's type: nothing has to be asked.
func CheckedConstants() {
	a := make([]f32.Vec3, 1)
	check(qd.Launch(scaled, qd.Dim(1), qd.C[float32](17), qd.C(f32.Vec3{1, 2, 3}), a))
	fmt.Println(a[0])
	err := qd.Launch(constSlice, qd.Dim(1), qd.C(make([]int, 5)), make([]int, 1))
	fmt.Println(err != nil)
	// Output:
	// [17 34 51]
	// true
}

var updated = 17

//qd:kernel
func printUpdated(t qd.Thread) { qd.Printf("%d\n", updated) }

// UpdatedConstant changes a captured variable between launches. The launch notices:
// there is nothing to mark as modified.
func UpdatedConstant() {
	check(qd.Launch(printUpdated, qd.Dim(1)))
	wait()

	updated = 42

	check(qd.Launch(printUpdated, qd.Dim(1)))
	wait()
	// Output:
	// 17
	// 42
}
