package errors

import (
	"errors"
	"fmt"
	. "math"
	"math/rand"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	gpu "github.com/qdgen/qd"
)

// What a Go programmer tries who has not written for a GPU before: among what the
// type checker refuses and what lowering does, nothing hides anything else.

var (
	total   float32
	weights = []float32{1, 2, 3}
	names   = map[string]int{}
)

//qd:kernel
func packages(t gpu.Thread, x []float32) {
	fmt.Println("thread", t.ID()) // want "package fmt is not available in kernels"
	start := time.Now()           // want "package time is not available in kernels"
	x[0] = rand.Float32()         // want "package math/rand is not available in kernels"
	if len(os.Args) > 1 {         // want "package os is not available in kernels"
		return
	}
	err := errors.New("overflow")
	if err != nil {
		x[1] = -1
	}
	slices.Sort(x)                                // want "package slices is not available in kernels"
	defer fmt.Println(time.Since(start))          // want "defer statements are not supported" "package time is not"
	if strings.HasPrefix("a", "b") && x[0] == 1 { // want "package strings is not available in kernels"
		x[2] = float32(Sqrt(2))
	}
	var n int32
	atomic.AddInt32(&n, 1) // want "package sync/atomic is not available in kernels"
}

//qd:kernel
func globals(t gpu.Thread, x []float32) {
	total += x[t.ID()] // want "package variable total is assigned in a kernel"
	x[0] = weights[t.ID()] + total
	names["a"]++ // want "package variable names cannot be captured by a kernel: it is a map"
	for name := range names {
		_ = name
	}
}

//qd:kernel
func captured(t gpu.Thread, x []float32) {
	sum := float32(0)
	add := func(v float32) { sum += v }
	add(x[t.ID()])
	for i := range func(yield func(int) bool) {} {
		add(x[i])
	}
	x[0] = sum
	u := gpu.Thread{} // want "cannot make a qd.Thread"
	x[u.ID()] = 1
}

//qd:kernel
func text(t gpu.Thread, name string, x []int) { // want "parameter name has type string: strings are not supported"
	if name == "zero" || "one" < name {
		x[0] = len(name + "x")
	}
	switch name {
	case "a", "b":
		x[1] = int(name[0])
	}
	for i, r := range name {
		x[i] = int(r)
	}
	for i := range "abc" {
		x[i] = 1
	}
}

//qd:kernel
func numbers(t gpu.Thread, f float64, x []float32) {
	i := t.ID()
	x[f] = 1                // want "index f .variable of type float64. must be integer"
	x[int32(i)] = 1         // as in Go
	x[uint8(i)] = 1         // as in Go
	x[i] = Sqrt(x[i])       // want "cannot use Sqrt" "cannot use x.i. .variable of type float32. as float64"
	x[i] = 2.5 * t.ID()     // want "2.5 .untyped float constant. truncated to int"
	x[1] = f                // want "cannot use f .variable of type float64. as float32 value in assignment"
	x[2] = float32(i / 0)   // want "division by zero"
	x[3] = float32(i << -1) // want "negative shift count"
	x[-1] = 3               // want "index -1 .constant of type int. must not be negative"
	if i {                  // want "non-boolean condition in if statement"
		x[0] = gpu.Sqrt(x[0])
	}
	unused := i // want "declared and not used: unused"
}

//qd:kernel
func shadowed(t gpu.Thread, x []float32) {
	gpu := 3
	x[gpu] = gpu.Sqrt(x[0]) // want "gpu.Sqrt undefined .type int has no field or method Sqrt."
}

func even(n int) bool { return n == 0 || odd(n-1) }
func odd(n int) bool  { return n != 0 && even(n-1) }
func down(n int) int  { return down(n - 1) } // want "recursive call of down$"
func asm(x int) int

//qd:kernel
func calls(t gpu.Thread, x []int) {
	if even(x[0]) || odd(x[1]) {
		x[0] = down(x[1])
	}
	x[1] = asm(1) // want "function asm has no body in Go"
	calls(t, x)   // want "recursive call of calls$"
	x.sort()      // want "x.sort undefined"
}
