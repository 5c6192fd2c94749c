package qd_test

import (
	"fmt"
	"log"

	"github.com/qdgen/qd"
)

//qd:kernel
func increment(t qd.Thread, x []int) { x[t.ID()]++ }

// A prepared launch has been checked and built: repeating it costs least.
func ExampleKernel_Bind() {
	x := []int{0, 10, 20}
	p, err := qd.NewKernel(increment).WithBlockDim(64).Bind(qd.Dim(len(x)), x)
	if err != nil {
		log.Fatal(err)
	}
	for range 5 {
		if err := p.Launch(); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(x)
	// Output: [5 15 25]
}
