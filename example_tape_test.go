package qd_test

import (
	"fmt"
	"log"

	"github.com/qdgen/qd"
)

//qd:kernel
func squares(t qd.Thread, x, sum []float64) {
	i := t.ID()
	qd.AtomicAdd(&sum[0], x[i]*x[i])
}

// A tape records launches. Backward adds the gradient of a result to that of what it was computed from.
func ExampleNewTape() {
	dev, err := qd.Default()
	if err != nil {
		log.Fatal(err)
	}
	x := qd.From(dev, []float64{1, 2, 3}).WithGrad()
	sum := qd.Zeros[float64](dev, 1).WithGrad()
	tape := qd.NewTape(dev)
	if err := tape.Launch(squares, qd.Dim(3), x, sum); err != nil {
		log.Fatal(err)
	}
	if err := tape.Backward(sum); err != nil {
		log.Fatal(err)
	}
	fmt.Println(sum.Slice(), x.Grad().Slice())
	// Output: [14] [2 4 6]
}
