// Command made makes kernels while it runs, from its first argument to its second, builds them, and launches each.
package main

import (
	"fmt"
	"log"
	"os"
	"strconv"

	"github.com/qdgen/qd"
)

func main() {
	from, _ := strconv.Atoi(os.Args[1])
	to, _ := strconv.Atoi(os.Args[2])
	dev, err := qd.Open("cpu")
	if err != nil {
		log.Fatal(err)
	}
	var kernels []any
	for c := from; c < to; c++ {
		kernels = append(kernels, qd.NewKernel(func(t qd.Thread, x []int) { x[t.ID()] += c }, qd.Capture("c", c)))
	}
	if err := dev.Build(kernels...); err != nil {
		log.Fatal(err)
	}
	x := make([]int, 1)
	for _, k := range kernels {
		if err := dev.Launch(k, qd.Dim(1), x); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(x[0])
}
