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
