// Package cost has a kernel for each way into local memory, and some that go none of them.
package cost

import (
	"math"

	"github.com/qdgen/qd"
)

// plain keeps everything in registers, an array too: its indices are known.
//
//qd:kernel
func plain(t qd.Thread, x []float32) {
	var w [4]float32
	for j := range qd.Static(4) {
		w[j] = x[t.ID()*4+j]
	}
	x[t.ID()] = w[0] + w[1]*w[2] - w[3]
}

// picked indexes an array at run time.
//
//qd:kernel
func picked(t qd.Thread, k []int, x []float32) {
	i := t.ID()
	var w [40]float32
	for j := range k {
		w[k[j]] += x[i]
	}
	x[i] = w[k[i]]
}

// summed does so in a function, which it hands an array.
//
//qd:kernel
func summed(t qd.Thread, n int, x []float32) {
	i := t.ID()
	x[i] = sum([8]float32{x[i], 1, x[i+2], 3, 4, x[i+5], x[i], x[i+1]}, n)
}

func sum(a [8]float32, n int) float32 {
	s := float32(0)
	for j := range n {
		s += a[j]
	}
	return s
}

// large has an array that is larger than all registers.
//
//qd:kernel
func large(t qd.Thread, n int, x []float32) {
	i := t.ID()
	var v [270]float32
	for j := range qd.Static(270) {
		v[j] = x[j*n+i]
	}
	for range n {
		for j := range qd.Static(270) {
			v[j] = v[j]*v[(j+1)%270] + v[(j+7)%270]
		}
	}
	for j := range qd.Static(270) {
		x[j*n+i] = v[j]
	}
}

// many has two arrays that are too large together.
//
//qd:kernel
func many(t qd.Thread, n int, x []float32) {
	i := t.ID()
	var u, v [140]float32
	for j := range qd.Static(140) {
		u[j] = x[j*n+i]
		v[j] = x[j*n+i+1]
	}
	for range n {
		for j := range qd.Static(140) {
			u[j] = u[j]*v[(j+1)%140] + v[(j+7)%140]
			v[j] = v[j]*u[(j+3)%140] + u[(j+5)%140]
		}
	}
	for j := range qd.Static(140) {
		x[j*n+i] = u[j] + v[j]
	}
}

// wave needs a function of CUDA's library that has an array.
//
//qd:kernel
func wave(t qd.Thread, x []float64) {
	x[t.ID()] = math.Sin(x[t.ID()])
}

// shared has memory that the threads of a block share.
//
//qd:kernel
func shared(b qd.Block, x []float32) {
	s := qd.Shared[float32](b, 100)
	b.For(100, func(lane int) { s[lane] = x[b.ID()*100+lane] })
	b.For(100, func(lane int) { x[b.ID()*100+lane] = s[99-lane] })
}

// steps is a kernel for each loop.
//
//qd:kernel
func steps(g qd.Grid, x []float32) {
	g.For(len(x), func(i int) { x[i] *= 2 })
	g.For(len(x), func(i int) { x[i]++ })
}

// local has an array of its own, whose indices are known.
//
//qd:kernel
func local(t qd.Thread, x []float32) {
	i := t.ID()
	row := qd.Local[float32](24)
	for k := range qd.Static(len(row)) {
		row[k] = x[24*i+k]
	}
	for k := range qd.Static(len(row)) {
		x[24*i+k] = row[23-k] * row[0]
	}
}

// localPicked has one of which they are not.
//
//qd:kernel
func localPicked(t qd.Thread, n int, x []float32) {
	row := qd.Local[float32](40)
	for k := range len(row) {
		row[k] = x[k*n]
	}
	for k := range n {
		row[k%40] += row[(7*k)%40]
	}
	x[t.ID()] = row[n%40]
}

// stored is for any type that stores float32s. For float32 itself it costs what storedPlainly does.
//
//qd:kernel
func stored[T qd.Storage](t qd.Thread, a float32, x, y []T) {
	i := t.ID()
	y[i] = qd.From32[T](a*qd.To32(x[i]) + qd.To32(y[i]))
}

//qd:kernel
func storedPlainly(t qd.Thread, a float32, x, y []float32) {
	i := t.ID()
	y[i] = a*x[i] + y[i]
}

func collatz(n int) int {
	if n <= 1 {
		return 0
	}
	if n%2 == 0 {
		return 1 + collatz(n/2)
	}
	return 1 + collatz(3*n+1)
}

// recursive keeps on the stack what each call needs after the next one. Nobody can tell how deep that is.
//
//qd:kernel
func recursive(t qd.Thread, out []int) { out[t.ID()] = collatz(t.ID() + 1) }

// appended has an array behind a slice that grows.
//
//qd:kernel
func appended(t qd.Thread, x, y []float64) {
	i := t.ID()
	list := make([]float64, 0, 8)
	for _, v := range x[4*i : 4*i+4] {
		if v > 0.3 {
			list = append(list, v*v)
		}
	}
	s := 0.0
	for _, v := range list {
		s = s*0.5 + v
	}
	y[i] = s
}

type tree struct {
	nodes []node
	vals  []float32
}

type node struct{ key, left, right int32 }

// walked has its frame for stack alone: what tree holds is elsewhere.
//
//qd:kernel
func walked(t qd.Thread, tr tree, out []float32) { out[t.ID()] = tr.find(int32(t.ID())) + tr.find(7) }

func (tr tree) find(k int32) (v float32) {
	var stack [32]int32
	for sp := 1; sp > 0; {
		sp--
		n := &tr.nodes[stack[sp]]
		v += tr.vals[n.key]
		if n.left > k {
			stack[sp], stack[sp+1] = n.left, n.right
			sp += 2
		}
	}
	return v
}
