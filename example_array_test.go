package qd_test

import (
	"fmt"
	"log"

	"github.com/qdgen/qd"
)

//qd:kernel
func double(t qd.Thread, x []float32) { x[t.ID()] *= 2 }

// An array stays on its device from launch to launch.
func ExampleFrom() {
	dev, err := qd.Open("") // the best there is
	if err != nil {
		log.Fatal(err)
	}
	x := qd.From(dev, []float32{1, 2, 3})
	for range 3 {
		if err := dev.Launch(double, qd.Dim(x.Len()), x); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(x.Slice()) // waits, and copies
	// Output: [8 16 24]
}

// A part of an array shares its memory.
func ExampleArray_Sub() {
	dev, err := qd.Open("")
	if err != nil {
		log.Fatal(err)
	}
	x := qd.From(dev, []float32{1, 2, 3, 4, 5, 6}, 3, 2)
	if err := dev.Launch(double, qd.Dim(2), x.Sub(1, 2).Reshape(2)); err != nil {
		log.Fatal(err)
	}
	if err := x.Sub(2, 3).Fill(-1); err != nil {
		log.Fatal(err)
	}
	fmt.Println(x.Slice())
	// Output: [1 2 6 8 -1 -1]
}
