package qd

// Grid is the whole launch: the first parameter of a kernel whose code is run
// once, by the host, and whose loops [Grid.For], [Grid.For2] and [Grid.For3] are
// each one launch on the device, one after the other. [Run] runs such a kernel.
//
// The body of a loop may read what is declared outside of it, as it is when the
// loop is reached, and write to elements of slices; variables declared outside of it
// it cannot write to. It cannot start a loop of its own.
//
// A kernel that is called as a Go function, with the zero Grid, runs its loops
// over goroutines, as on device "go".
type Grid struct {
	_   [0]func() // there is nothing to compare
	run *gridLoops
}

// gridLoops runs the parallel loops of a kernel on device "go". A nil one is that
// of the zero Grid: of a kernel that is called as a function of Go. Package gorun's Loops has the same fields.
type gridLoops struct{ Kernel string }

// For calls body for every i from 0 to n-1, in parallel and in no order. A
// negative n is as 0: there is nothing to do.
func (g Grid) For(n int, body func(i int)) {
	g.run.loop(1, [3]int{1, 1, n}, func(_, _, i int) { body(i) })
}

// For2 calls body for every i from 0 to n-1 with every j from 0 to m-1, in
// parallel and in no order. Calls with neighbouring j are neighbours on the device.
func (g Grid) For2(n, m int, body func(i, j int)) {
	g.run.loop(2, [3]int{1, n, m}, func(_, i, j int) { body(i, j) })
}

// For3 calls body for every i from 0 to n-1, j from 0 to m-1 and k from 0 to
// l-1, in parallel and in no order. Calls with neighbouring k are neighbours on
// the device.
func (g Grid) For3(n, m, l int, body func(i, j, k int)) {
	g.run.loop(3, [3]int{n, m, l}, body)
}
