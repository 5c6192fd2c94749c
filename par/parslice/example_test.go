package parslice_test

import (
	"fmt"
	"log"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/par/parslice"
)

func Example() {
	dev, err := qd.Open("")
	if err != nil {
		log.Fatal(err)
	}
	x := []float32{3, 1, 2, 4}
	sum, err := parslice.Sum(dev, x)
	if err != nil {
		log.Fatal(err)
	}
	if err := parslice.Sort(dev, x); err != nil {
		log.Fatal(err)
	}
	fmt.Println(sum, x)
	// Output: 10 [1 2 3 4]
}

func isEven(v int) bool { return v%2 == 0 }

func ExampleSelect() {
	dev, err := qd.Open("")
	if err != nil {
		log.Fatal(err)
	}
	even, err := parslice.Select(dev, []int{1, 2, 3, 4}, isEven)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(even)
	// Output: [2 4]
}

func ExampleScan() {
	dev, err := qd.Open("")
	if err != nil {
		log.Fatal(err)
	}
	x := []int{1, 2, 3, 4}
	if err := parslice.Scan(dev, x, x); err != nil {
		log.Fatal(err)
	}
	fmt.Println(x)
	// Output: [1 3 6 10]
}
