// Package library has generic kernels, for tests that launch them with types of
// their own.
package library

import "github.com/qdgen/qd"

// Scale multiplies the elements of x and adds their indices.
//
//qd:kernel
func Scale[T qd.Number](t qd.Thread, by T, x []T) {
	i := t.ID()
	x[i] = x[i]*by + T(i)
}

// Each calls a method of each element.
//
//qd:kernel
func Each[T any, P interface {
	*T
	Step(n int)
}](t qd.Thread, x []T) {
	P(&x[t.ID()]).Step(t.ID())
}

// Reverse sets to to the elements of the only row of from, the last one first.
//
//qd:kernel
func Reverse[T any](g qd.Grid, from qd.View2[T], to []T) {
	g.For(len(to), func(i int) { to[i] = from.At(0, len(to)-1-i) })
}

// An Op makes a number of another.
type Op[T any] interface{ Apply(x T) T }

// Map applies an operation, and then another one, to the elements of x.
type Map[T qd.Number, O Op[T]] struct {
	Op   O
	Then func(T) T
	From int
}

// Kernel is the kernel.
//
//qd:kernel
func (m Map[T, O]) Kernel(t qd.Thread, n qd.Const[int], x []T) {
	if i := t.ID(); i >= m.From {
		for range n.V {
			x[i] = m.Then(m.Op.Apply(x[i]))
		}
	}
}
