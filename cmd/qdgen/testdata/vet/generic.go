package main

import "github.com/qdgen/qd"

type shape interface{ Area() float64 }

type square struct{ side float64 }

func (s square) Area() float64 { return s.side * s.side }

//qd:kernel
func areas[S shape](t qd.Thread, x []S, out []float64) {
	out[t.ID()] = x[t.ID()].Area()
	select {} // want `channels are not supported in a kernel`
}

//qd:kernel
func each[T any, P interface {
	*T
	Move(by int)
}](t qd.Thread, x []T) {
	P(&x[t.ID()]).Move(1)
}

type unused interface{ nobodyHasThis() }

// nobody can be launched with a type of another package only.
//
//qd:kernel
func nobody[T unused](t qd.Thread, x []T) { x[0].nobodyHasThis() }

type counter struct{ n int }

func (c *counter) Move(by int) {
	c.n += by
	defer println() // want `defer statements are not supported in a kernel`
}

func launchThem() {
	_ = qd.Launch(each[counter], qd.Dim(1), []counter{{}})
	_ = qd.Launch(each[counter], qd.Dim(1), []square{{}}) // want `does not fit parameter x of each`
}

// No type of the language has this method: which types there may be, is not known here.
func madeWith[T qd.Number, D interface{ double(T) T }](d D) *qd.Kernel {
	return qd.NewKernel(func(t qd.Thread, x []T) { x[t.ID()] = d.double(x[t.ID()]) }, qd.Capture("d", d))
}
