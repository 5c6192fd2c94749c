package qd_test

import (
	"fmt"
	"log"

	"github.com/qdgen/qd"
)

// A function literal is a kernel too. It names what it captures, by value.
func ExampleCapture() {
	factor := 3
	scale := qd.NewKernel(func(t qd.Thread, x []int) { x[t.ID()] *= factor }, qd.Capture("factor", factor))
	x := []int{1, 2, 3}
	if err := scale.Launch(qd.Dim(len(x)), x); err != nil {
		log.Fatal(err)
	}
	fmt.Println(x)
	// Output: [3 6 9]
}
