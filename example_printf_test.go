package qd_test

import (
	"log"

	"github.com/qdgen/qd"
)

//qd:kernel
func greet(t qd.Thread, x []float32) {
	qd.Printf("x[%d] is %.2f\n", t.ID(), x[t.ID()])
}

// Printf prints from kernels, with Go's verbs.
func ExamplePrintf() {
	if err := qd.Launch(greet, qd.Dim(2), []float32{1, 0.5}); err != nil {
		log.Fatal(err)
	}
	// Unordered output:
	// x[0] is 1.00
	// x[1] is 0.50
}
