package optim_test

import (
	"fmt"
	"log"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/optim"
)

//qd:kernel
func distance(t qd.Thread, x, target, sum []float64) {
	i := t.ID()
	d := x[i] - target[i]
	qd.AtomicAdd(&sum[0], d*d)
}

// Gradient descent moves x to the target.
func ExampleSGD() {
	dev, err := qd.Default()
	if err != nil {
		log.Fatal(err)
	}
	x := qd.From(dev, []float64{0, 0}).WithGrad()
	target := qd.From(dev, []float64{3, -1})
	sum := qd.Zeros[float64](dev, 1).WithGrad()
	tape, descent := qd.NewTape(dev), optim.SGD{Rate: 0.25}
	for range 40 {
		if err := x.ZeroGrad(); err != nil {
			log.Fatal(err)
		}
		if err := tape.Launch(distance, qd.Dim(2), x, target, sum); err != nil {
			log.Fatal(err)
		}
		if err := tape.Backward(sum); err != nil {
			log.Fatal(err)
		}
		if err := descent.Step(x); err != nil {
			log.Fatal(err)
		}
		tape.Reset()
	}
	for _, v := range x.Slice() {
		fmt.Printf("%.3f\n", v)
	}
	// Output:
	// 3.000
	// -1.000
}
