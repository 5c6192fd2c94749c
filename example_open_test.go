package qd_test

import (
	"fmt"
	"log"

	"github.com/qdgen/qd"
)

// Device "go" runs the functions themselves, and needs no compiler.
func ExampleOpen() {
	dev, err := qd.Open("go")
	if err != nil {
		log.Fatal(err)
	}
	x := []float32{1, 2, 3}
	if err := dev.Launch(double, qd.Dim(len(x)), x); err != nil {
		log.Fatal(err)
	}
	fmt.Println(dev, x)
	// Output: go [2 4 6]
}
