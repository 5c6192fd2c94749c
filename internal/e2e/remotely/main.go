// Remotely is a program for tests of the remote cache: it launches kernels of all kinds, and prints their results and
// what they have cost.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/cache/remote"
)

//qd:kernel
func scale(t qd.Thread, x []float32) {
	i := t.ID()
	x[i] *= 2
}

//qd:kernel
func shift(t qd.Thread, n qd.Const[int], x []float32) {
	i := t.ID()
	for k := range n.V {
		x[i] += float32(k)
	}
}

//qd:kernel
func smooth(g qd.Grid, x, y []float32) {
	g.For(len(x), func(i int) { y[i] = 2 * x[i] })
	g.For(len(x), func(i int) { x[i] = y[(i+1)%len(y)] - x[i] })
}

//qd:kernel
func tuned(t qd.Thread, n qd.Const[int], x []float32) {
	i := t.ID()
	s := x[i]
	for range n.V {
		s = 0.5*s + 1
	}
	x[i] += s - s
}

func main() {
	dev, err := qd.Open("cpu")
	check(err)
	x, y := make([]float32, 64), make([]float32, 64)
	for i := range x {
		x[i] = float32(i)
	}
	c := float32(3 + len(os.Getenv("REMOTELY_VALUE")))
	literal := qd.NewKernel(func(t qd.Thread, x []float32) { x[t.ID()] += c }, qd.Capture("c", c))
	check(dev.Build(literal, qd.Spec(shift, qd.C(2)), qd.Spec(shift, qd.C(3))))
	check(dev.Launch(scale, qd.Dim(len(x)), x))
	check(dev.Launch(literal, qd.Dim(len(x)), x))
	check(dev.Launch(shift, qd.Dim(len(x)), qd.C(2), x))
	check(dev.Launch(shift, qd.Dim(len(x)), qd.C(3), x))
	check(dev.Run(smooth, x, y))
	t := qd.Tune(qd.NewKernel(tuned).WithDevice(dev), []int{1, 2}, qd.TuneGrid(func(int, qd.Args) qd.Dims { return qd.Dim(64) }))
	check(t.Run(x))
	fmt.Println(x)
	// A machine that goes away waits for its uploads.
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	if err := remote.Flush(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "flush:", err)
	}
	check(json.NewEncoder(os.Stdout).Encode(qd.Stats()))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
