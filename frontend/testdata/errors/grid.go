package errors

import "github.com/qdgen/qd"

//qd:kernel
func sums(g qd.Grid, x []float32) {
	sum, n := float32(0), 0
	g.For(len(x), func(i int) {
		sum += x[i] // want "sum is declared outside the parallel loop, and the body of the loop cannot write to it"
		n++         // want "n is declared outside the parallel loop"
		local := x[i]
		local++
		for n = range i { // want "n is declared outside"
			local += float32(i)
		}
		x[i], sum = local, x[i] // want "sum is declared outside"
		x = x[1:]               // want "x is declared outside"
		i++
	})
	x[0] = sum
}

//qd:kernel
func nested(g qd.Grid, x []float32) {
	g.For(len(x), func(i int) {
		g.For2(i, i, func(j, k int) { // want "parallel loops cannot be nested: this one is in the body of For"
			x[j] = x[k]
		})
	})
}

type holder struct{ g qd.Grid }

func returning(g qd.Grid) qd.Grid { return g } // want "a function cannot return a qd.Grid"

//qd:kernel
func stored(g qd.Grid, x []float32) {
	var h qd.Grid // want "a qd.Grid can only be the first parameter of a kernel"
	h.For(1, func(i int) {})
	_ = qd.Grid{}    // want "cannot make a qd.Grid"
	_ = holder{g}    // want "a qd.Grid can only be the first parameter of a kernel"
	qd.Printf("", g) // want "qd.Printf prints numbers, bools, constant strings, and arrays and structs of numbers and bools, not a qd.Grid"
	returning(g)
	same := g
	same.For(1, func(i int) { x[i]++ })
	g.For(1, nil) // want "the body of a parallel loop is nil"
}

//qd:kernel
func returnsGrid(g qd.Grid, x []float32) qd.Grid { // want "kernel returnsGrid returns a value"
	return g
}

func increment(g qd.Grid, n int, x []float32) {
	g.For(n, func(i int) { // want "parallel loops cannot be nested: this one is in the body of For"
		x[i]++
		n++ // want "n is declared outside the parallel loop"
	})
}

//qd:kernel
func inFunctions(g qd.Grid, x []float32) {
	sum := float32(0)
	add := func(k int) {
		k++
		sum += x[k] // want "sum is declared outside the parallel loop"
	}
	add(0)
	g.For(len(x)-1, add)
	g.For(3, func(i int) {
		own := func(k int) {
			k++
			x[k] = 0
		}
		own(i)
		increment(g, 2, x)
	})
	loop := g.For
	loop(3, func(i int) { sum = 1 }) // want "sum is declared outside the parallel loop"
	body := add
	if x[0] > 0 {
		body = func(int) {}
	}
	g.For(3, body) // want "the function in body is not known at compile time"
}

type pair struct {
	a, b float32
	all  [4]int
}

//qd:kernel
func parts(g qd.Grid, n int, x []float32) {
	var p pair
	var a [3]float32
	q := &p
	s := a[:]
	sum := float32(0)
	at := &sum
	g.For(n, func(i int) {
		p.a = x[i]             // want "p is declared outside the parallel loop"
		p.all[i]++             // want "p is declared outside the parallel loop"
		a[i%3] += 1            // want "a is declared outside the parallel loop"
		sum = x[i]             // want "sum is declared outside the parallel loop"
		p, a[0] = pair{}, x[0] // want "p is declared outside" "a is declared outside"
		own := a
		own[0] = p.a
		x[i] = own[i%3] + s[0] + q.b + *at
	})
}

func raise(p *pair) { p.a++ }

func (p *pair) grow() { raise(p) }

//qd:kernel
func throughPointers(g qd.Grid, n int, x []float32) {
	var p pair
	var a [3]float32
	q, s := &p, a[:]
	g.For(n, func(i int) {
		q.b = x[i] // want "p is declared outside the parallel loop"
	})
	g.For(n, func(i int) {
		s[i%3] = x[i] // want "a is declared outside the parallel loop"
	})
	g.For(n, func(i int) {
		raise(&p) // want "p is declared outside the parallel loop"
	})
	g.For(n, func(i int) {
		p.grow() // want "p is declared outside the parallel loop"
	})
	g.For(n, func(i int) {
		qd.AtomicAdd(&a[0], x[i]) // want "a is declared outside the parallel loop"
	})
}

//qd:kernel
func chosen(g qd.Grid, n int, x []float32) {
	var a [3]float32
	s := x
	if n > 3 {
		s = a[:]
	}
	g.For(n, func(i int) { // want "the parallel loop uses s, which may be local memory"
		x[i] = s[0]
	})
}

//qd:kernel
func large(g qd.Grid, n int, x []float32) {
	var a [600]int
	a[0] = n
	g.For(n, func(i int) { // want "the parallel loop uses 4856 bytes of variables that are declared outside it; the limit for a launch is 4096"
		x[i] = float32(a[i])
	})
	g.For(n, func(i int) {
		var b [600]int
		x[i] = float32(b[i])
	})
}

//qd:kernel
func largeArgs(t qd.Thread, a [511]int) { // want "the parameters of largeArgs take 4128 bytes; the limit for a launch is 4096"
}

//qd:kernel
func largestArgs(t qd.Thread, a [507]int) {
}

//qd:kernel
func largeArgs2(t qd.Thread, a [504]int, x []int) { // want "the parameters of largeArgs2 take 4120 bytes; the limit for a launch is 4096"
	i, j := t.ID2()
	x[i] = a[j]
}

//qd:kernel
func largestArgs2(t qd.Thread, a [501]int, x []int) {
	i, j := t.ID2()
	x[i] = a[j]
}

//qd:kernel
func largeArgsOfBlock(t qd.Thread, a [505]int, x []int) { // want "the parameters of largeArgsOfBlock take 4104 bytes; the limit for a launch is 4096"
	x[t.Lane()] = a[t.BlockDim()]
}

//qd:kernel
func largestArgsOfBlock(t qd.Thread, a [504]int, x []int) {
	x[t.Lane()] = a[t.BlockDim()]
}
