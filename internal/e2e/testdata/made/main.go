// Command made makes kernels while it runs, from its first argument to its second, builds them, and launches each.
// They are function literals, or with a third argument specializations of one kernel.
package main

import (
	"fmt"
	"log"
	"os"
	"strconv"

	"github.com/qdgen/qd"
)

//qd:kernel
func add(t qd.Thread, c qd.Const[int], x []int) { x[t.ID()] += c.V }

func main() {
	from, _ := strconv.Atoi(os.Args[1])
	to, _ := strconv.Atoi(os.Args[2])
	dev, err := qd.Open("cpu")
	if err != nil {
		log.Fatal(err)
	}
	x := make([]int, 1)
	var kernels []any
	var launches []func() error
	for c := from; c < to; c++ {
		if len(os.Args) > 3 {
			kernels = append(kernels, qd.Spec(add, qd.C(c)))
			launches = append(launches, func() error { return dev.Launch(add, qd.Dim(1), qd.C(c), x) })
			continue
		}
		k := qd.NewKernel(func(t qd.Thread, x []int) { x[t.ID()] += c }, qd.Capture("c", c))
		kernels = append(kernels, k)
		launches = append(launches, func() error { return dev.Launch(k, qd.Dim(1), x) })
	}
	if err := dev.Build(kernels...); err != nil {
		log.Fatal(err)
	}
	for _, launch := range launches {
		if err := launch(); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(x[0])
}
