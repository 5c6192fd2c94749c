package qd_test

import (
	"errors"
	"fmt"
	"log"

	"github.com/qdgen/qd"
)

//qd:kernel
func next(t qd.Thread, from, to []int) {
	i := t.ID()
	to[i] = from[i+1] // of the last element there is none
}

// A checked build makes an error of what Go panics for.
func ExampleDevice_Checked() {
	dev, err := qd.Default()
	if err != nil {
		log.Fatal(err)
	}
	err = dev.Checked().Launch(next, qd.Dim(3), make([]int, 3), make([]int, 3))
	if fault := (*qd.Fault)(nil); errors.As(err, &fault) {
		fmt.Println(fault.Reason)
		fmt.Println("kernel", fault.Kernel, "line", fault.Line, "thread", fault.Thread)
	}
	// Output:
	// index out of range [3] with length 3
	// kernel next line 14 thread [2]
}
