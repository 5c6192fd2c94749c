package qd_test

import (
	"fmt"
	"log"

	"github.com/qdgen/qd"
)

// replace sets each element to what a function makes of it. The function is known when the kernel is
// compiled.
//
//qd:kernel
func replace(t qd.Thread, f qd.Const[func(int) int], x []int) { x[t.ID()] = f.V(x[t.ID()]) }

// NewFunc names what a function literal captures, so that a kernel can call it.
func ExampleNewFunc() {
	factor := 3
	triple := qd.NewFunc(func(n int) int { return factor * n }, qd.Capture("factor", factor))
	x := []int{1, 2, 3}
	if err := qd.Launch(replace, qd.Dim(len(x)), qd.C(triple), x); err != nil {
		log.Fatal(err)
	}
	fmt.Println(x)
	// Output: [3 6 9]
}
