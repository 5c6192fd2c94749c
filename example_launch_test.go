package qd_test

import (
	"fmt"
	"log"

	"github.com/qdgen/qd"
)

// axpy is the code of one thread: it adds one element.
//
//qd:kernel
func axpy(t qd.Thread, a float32, x, y []float32) {
	i := t.ID()
	y[i] += a * x[i]
}

// A launch runs a kernel once for each thread, on the best device there is.
func ExampleLaunch() {
	x := []float32{1, 2, 3, 4}
	y := []float32{10, 20, 30, 40}
	if err := qd.Launch(axpy, qd.Dim(len(x)), 2.0, x, y); err != nil {
		log.Fatal(err)
	}
	fmt.Println(y)
	// Output: [12 24 36 48]
}
