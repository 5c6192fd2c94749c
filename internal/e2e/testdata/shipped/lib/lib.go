// Package lib has kernels.
package lib

import (
	"strings"

	"github.com/qdgen/qd"

	"example.com/shipped/plain"
)

type Unary[T any] interface{ Apply(x T) T }

// Map applies F to each element.
type Map[T qd.Float, F Unary[T]] struct{ F F }

//qd:kernel
func (k Map[T, F]) Kernel(t qd.Thread, a []T) { a[t.ID()] = k.F.Apply(a[t.ID()]) }

//qd:kernel
func Activate(t qd.Thread, f qd.Const[func(float32) float32], a []float32) {
	a[t.ID()] = f.V(a[t.ID()])
}

var scale float32 = 2

// SetScale changes what kernels read.
func SetScale(s float32) { scale = s }

//qd:kernel
func Saxpy(t qd.Thread, a float32, x, y []float32) {
	i := t.ID()
	x[i] += scale*y[i] + plain.Half(a)
}

// Table is read when the package is initialized, and by what has compile-time values in it
// when a kernel is compiled.
var Table = map[int]float32{0: 10, 1: 20, 2: 30}

//qd:kernel
func Static(t qd.Thread, n qd.Const[int], x []float32) {
	i := t.ID()
	x[i] = qd.Static(scale) * 1000
	x[i] += qd.Static(Table[n.V])
	x[i] += float32(qd.Static(strings.Count("banana", "a")))
}

//qd:kernel
func Generic[T qd.Float](t qd.Thread, a T, x []T) { x[t.ID()] *= a }

//qd:kernel
func Step(g qd.Grid, x []float32) {
	g.For(len(x), func(i int) { x[i] += scale })
	g.For(len(x), func(i int) { x[i] *= 2 })
}
