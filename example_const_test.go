package qd_test

import (
	"fmt"
	"log"

	"github.com/qdgen/qd"
)

// power is compiled once for each n. Its loop is unrolled.
//
//qd:kernel
func power(t qd.Thread, n qd.Const[int], x []float64) {
	i := t.ID()
	y := 1.0
	for range qd.Static(n.V) {
		y *= x[i]
	}
	x[i] = y
}

// A compile-time argument is given as C.
func ExampleC() {
	x := []float64{1, 2, 3}
	if err := qd.Launch(power, qd.Dim(len(x)), qd.C(3), x); err != nil {
		log.Fatal(err)
	}
	fmt.Println(x)
	// Output: [1 8 27]
}
