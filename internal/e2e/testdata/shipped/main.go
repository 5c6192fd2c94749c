// Command shipped is a program that runs where its source is not: what its kernels need is
// in the files that qdgen gen has written.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/qdgen/qd"
	"github.com/qdgen/qd/optim"

	"example.com/shipped/lib"
)

type ScaleBy struct{ S float32 }

func (s ScaleBy) Apply(x float32) float32 { return s.S * x }

func relu(x float32) float32 { return max(x, 0) }

func double(x float32) float32 { return 2 * x }

//qd:kernel
func local(t qd.Thread, x []float32) { x[t.ID()] += offset }

var offset float32 = 1

func scaledBy(c float32) func(float32) float32 { return func(x float32) float32 { return c * x } }

// Closures: one in a variable, one that is made at compile time.
var triple = scaledBy(3)

var raised = ScaleBy{5}.Apply

//qd:kernel
func closures(t qd.Thread, x []float32) {
	i := t.ID()
	x[i] = raised(triple(x[i])) + qd.Static(scaledBy(100))(x[i])
}

//qd:kernel
func halved(t qd.Thread, x, y []float32) {
	i := t.ID()
	v := x[i]
	for v > 1 {
		v *= v * offset / 2
	}
	y[i] = v
}

func main() {
	device := flag.String("device", "", "device")
	flag.Parse()
	dev, err := qd.Open(*device)
	check(err)
	fresh := func() *qd.Array[float32] { return qd.From(dev, []float32{1, -2, 3}) }
	show := func(name string, x *qd.Array[float32]) { fmt.Println(name, x.Slice()) }

	// A method, with a type of this package.
	x := fresh()
	check(lib.LaunchMap(lib.Map[float32, ScaleBy]{F: ScaleBy{2}}, qd.Dim(3), x))
	show("map", x)

	// Functions of this package.
	for _, f := range []func(float32) float32{relu, double} {
		x = fresh()
		check(lib.LaunchActivate(qd.Dim(3), f, x))
		show("activate", x)
	}

	// Closures, with what they capture.
	for _, c := range []float32{7, 8} {
		x = fresh()
		check(lib.LaunchActivate(qd.Dim(3), qd.NewFunc(func(x float32) float32 { return x + c }, qd.Capture("c", c)), x))
		check(launchClosures(qd.Dim(3), x))
		show("closures", x)
	}

	// A gradient, optimized by a package of the library's.
	w, last := qd.From(dev, []float32{1.5, -2, 1}).WithGrad(), qd.Zeros[float32](dev, 3)
	tape := qd.NewTape(dev)
	check(tape.Launch(halved, qd.Dim(3), w, last))
	check(tape.BackwardFrom(last, []float32{1, 1, 1}))
	show("gradient", w.Grad())
	check((&optim.SGD{Rate: 0.5}).Step(w))
	show("step", w)

	// Package variables, bound late: of this package, and one that is not exported of another.
	for range 2 {
		x = fresh()
		check(launchLocal(qd.Dim(3), x))
		check(lib.LaunchSaxpy(qd.Dim(3), 10, x, fresh()))
		show("variables", x)
		offset++
		lib.SetScale(5)
	}

	// And values from the initialization; and by compiled Go, with compile-time values.
	for n := range 3 {
		x = fresh()
		check(lib.LaunchStatic(qd.Dim(3), n, x))
		show("static", x)
	}
	lib.Table[1] = 70
	y := qd.From(dev, []float64{1, 2})
	check(lib.LaunchGeneric(qd.Dim(2), 0.5, y))
	fmt.Println("generic", y.Slice())
	x = fresh()
	check(lib.RunStep(x))
	show("grid", x)
	fmt.Println("specializations:", qd.Stats().Specializations > 0)
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
