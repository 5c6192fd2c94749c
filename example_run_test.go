package qd_test

import (
	"fmt"
	"log"

	"github.com/qdgen/qd"
)

// diffuse is the code of a whole launch: each g.For in it is a parallel loop, and the loop around
// them runs one turn after the other.
//
//qd:kernel
func diffuse(g qd.Grid, steps int, a, b []float64) {
	n := len(a)
	for range steps {
		g.For(n, func(i int) { b[i] = (a[max(i-1, 0)] + a[min(i+1, n-1)]) / 2 })
		g.For(n, func(i int) { a[i] = b[i] })
	}
}

// Run runs a kernel that is the code of a whole launch.
func ExampleRun() {
	a := []float64{0, 0, 8, 0, 0}
	if err := qd.Run(diffuse, 2, a, make([]float64, len(a))); err != nil {
		log.Fatal(err)
	}
	fmt.Println(a)
	// Output: [2 0 4 0 2]
}
