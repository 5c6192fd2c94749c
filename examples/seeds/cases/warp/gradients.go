package warp

import (
	"fmt"

	"github.com/qdgen/qd"
)

// power is x**n, but goes no further than beyond 100.
func power(x float64, n int) float64 {
	p := 1.0
	for range n {
		p *= x
		if p > 100 {
			break
		}
	}
	return p
}

//qd:kernel
func powersOf(t qd.Thread, n int, x, y []float64) { y[t.ID()] = power(x[t.ID()], n) }

// FunctionGradient differentiates a kernel, and the function that it calls, which the break leaves at 3**5.
func FunctionGradient() {
	x := qd.From(device(), []float64{2, 3, 0.5}).WithGrad()
	y := qd.Zeros[float64](device(), 3)
	tape := qd.NewTape(device())
	check(tape.Launch(powersOf, qd.Dim(3), 6, x, y))
	check(tape.BackwardFrom(y, []float64{1, 1, 1}))
	fmt.Println(y.Slice())
	fmt.Println(x.Grad().Slice())
	// Output:
	// [64 243 0.015625]
	// [192 405 0.1875]
}
