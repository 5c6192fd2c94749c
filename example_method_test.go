package qd_test

import (
	"fmt"
	"log"

	"github.com/qdgen/qd"
)

// An Offset is a kernel that knows how much to add.
type Offset struct{ By int }

// Kernel captures its receiver, by value: By is a constant when it is compiled.
//
//qd:kernel
func (o Offset) Kernel(t qd.Thread, x []int) { x[t.ID()] += o.By }

// A value with a method Kernel is launched like a function.
func ExampleDevice_Launch() {
	dev, err := qd.Default()
	if err != nil {
		log.Fatal(err)
	}
	x := []int{1, 2, 3}
	if err := dev.Launch(Offset{By: 10}, qd.Dim(len(x)), x); err != nil {
		log.Fatal(err)
	}
	fmt.Println(x)
	// Output: [11 12 13]
}
