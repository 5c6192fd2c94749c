package par_test

import (
	"fmt"
	"log"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/par"
)

func ExampleSum() {
	dev, err := qd.Open("")
	if err != nil {
		log.Fatal(err)
	}
	x, sum := qd.From(dev, []float32{1, 2, 3, 4}), qd.Zeros[float32](dev, 1)
	if err := par.Sum(dev, x, sum); err != nil {
		log.Fatal(err)
	}
	fmt.Println(sum.Slice())
	// Output: [10]
}

// On a tape, Backward goes through the functions of the package.
func ExampleDot() {
	dev, err := qd.Open("")
	if err != nil {
		log.Fatal(err)
	}
	x, dot := qd.From(dev, []float64{1, 2, 3}).WithGrad(), qd.Zeros[float64](dev, 1)
	tape := qd.NewTape(dev)
	if err := par.Dot(tape, x, x, dot); err != nil {
		log.Fatal(err)
	}
	if err := tape.Backward(dot); err != nil {
		log.Fatal(err)
	}
	fmt.Println(dot.Slice(), x.Grad().Slice())
	// Output: [14] [2 4 6]
}

func longer(a, b int) int { return max(a, b) }

func ExampleReduceByKey() {
	dev, err := qd.Open("")
	if err != nil {
		log.Fatal(err)
	}
	keys, values := qd.From(dev, []uint8{2, 1, 2, 1, 3}), qd.From(dev, []int{5, 7, 9, 3, 1})
	outKeys, outValues, count := qd.Zeros[uint8](dev, 5), qd.Zeros[int](dev, 5), qd.Zeros[int](dev, 1)
	if err := par.SortPairs(dev, keys, values); err != nil {
		log.Fatal(err)
	}
	if err := par.ReduceByKey(dev, keys, values, outKeys, outValues, count, longer); err != nil {
		log.Fatal(err)
	}
	n := count.Slice()[0]
	fmt.Println(outKeys.Slice()[:n], outValues.Slice()[:n])
	// Output: [1 2 3] [7 9 1]
}
