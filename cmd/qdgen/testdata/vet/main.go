// Command vet has kernels and launches that qdgen vet reports. What it reports is
// expected by the comments that begin with "want".
package main

import (
	"github.com/qdgen/qd"
	"github.com/qdgen/qd/cmd/qdgen/testdata/vet/dep"
)

//qd:kernel
func bad(t qd.Thread, x []float32, n int) {
	m := map[int]int{} // want `maps are not supported`
	go func() {}()     // want `go statements are not supported in a kernel`
	x[t.ID()] = dep.F(x[0])
	_ = m
}

func unmarked(t qd.Thread, x []float32) {
	defer println() // want `defer statements are not supported in a kernel`
}

//qd:kernel
func good(t qd.Thread, x []float32, small int8, a float32, yes bool) {
	if yes {
		x[t.ID()] = a * float32(small)
	}
}

// notLaunched is no kernel: what it says concerns nobody.
func notLaunched(t qd.Thread, c chan int) { c <- t.ID() }

func main() {
	var x []float32
	n := 3
	var opaque any = "x"
	_ = qd.Launch(bad, qd.Dim(10), x, "s")           // want `argument "s" of type string does not fit parameter n of bad, which is of type int`
	_ = qd.Launch(bad, qd.Dim(10), x)                // want `launch of bad with 1 argument, for 2 parameters`
	_ = qd.Launch(unmarked, qd.Dim(10), []float64{}) // want `argument \[\]float64{} of type \[\]float64 does not fit parameter x of unmarked, which is of type \[\]float32`
	dev, _ := qd.Open("")
	_ = dev.Launch(unmarked, qd.Dim(3), qd.Zeros[int32](dev, 3)) // want `of type \*qd.Array\[int32\] does not fit parameter x`
	_ = dev.Launch(unmarked, qd.Dim(3), qd.Zeros[float32](dev, 3))
	_ = qd.Launch(good, qd.Dim(10), x, 127, 1, true)
	_ = qd.Launch(good, qd.Dim(10), x, 128, 1.5, true)                 // want `argument 128 of type int does not fit parameter small of good, which is of type int8`
	_ = qd.Launch(func(t qd.Thread, x []float32) {}, qd.Dim(10), x, 1) // want `launch of the function literal with 2 arguments, for 1 parameter`
	_ = qd.Launch(good, qd.Dim(10), x, n, n, false)
	_ = qd.Launch(good, qd.Dim(10), x, 1.5, n, "no") // want `argument 1.5 of type float64` `argument "no" of type string`
	_ = qd.Launch(good, qd.Dim(10), opaque, opaque, opaque, opaque)
	_ = qd.NewKernel(good).Launch(qd.Dim(10), x, 1, 1, true)
	_ = qd.Launch(func(t qd.Thread, x []float32) {
		go println() // want `go statements are not supported in a kernel`
	}, qd.Dim(10), x)
	_ = qd.Launch(func(t qd.Thread, x []float32) { x[0] = float32(n) }, qd.Dim(10), x) // want `the kernel captures n, which is declared in the function around it`
	_, _ = notLaunched, n
	_ = qd.Launch(good, qd.Dim(10), nil, -129, 1, true) // want `argument nil of type untyped nil does not fit parameter x of good` `argument -129 of type int does not fit parameter small`
}
