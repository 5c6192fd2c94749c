package par

import (
	"github.com/qdgen/qd"
	"github.com/qdgen/qd/tile"
)

// What a block combines: a tile as often as there are turns.
const (
	foldWidth = 1024
	foldTurns = 32
	foldSize  = foldWidth * foldTurns
)

// The operations of fold.
const (
	opAdd = iota
	opMin
	opMax
)

// fold combines the elements of as many tiles as there are turns to one.
type fold[T qd.Number] struct{ Op, Turns int }

// Kernel is the code of a block.
//
//qd:kernel
func (f fold[T]) Kernel(b qd.Block, x, out []T) {
	from := b.ID() * f.Turns * foldWidth
	var other T
	if f.Op != opAdd {
		other = x[from]
	}
	acc := tile.LoadOr(b, x, from, foldWidth, other)
	for i := from + foldWidth; i < min(from+f.Turns*foldWidth, len(x)); i += foldWidth {
		t := tile.LoadOr(b, x, i, foldWidth, other)
		switch f.Op {
		case opAdd:
			acc = acc.Add(t)
		case opMin:
			acc = acc.Minimum(t)
		case opMax:
			acc = acc.Maximum(t)
		}
	}
	switch f.Op {
	case opAdd:
		out[b.ID()] = acc.Sum()
	case opMin:
		out[b.ID()] = acc.Min()
	case opMax:
		out[b.ID()] = acc.Max()
	}
}

// products sums the products of each foldSize elements of two slices.
type products[T qd.Number] struct{}

// Kernel is the code of a block.
//
//qd:kernel
func (products[T]) Kernel(b qd.Block, x, y, out []T) {
	from := b.ID() * foldSize
	acc := tile.Load(b, x, from, foldWidth).Mul(tile.Load(b, y, from, foldWidth))
	for i := from + foldWidth; i < min(from+foldSize, len(x)); i += foldWidth {
		acc = acc.Add(tile.Load(b, x, i, foldWidth).Mul(tile.Load(b, y, i, foldWidth)))
	}
	out[b.ID()] = acc.Sum()
}

// Sum sets the element of sum to the sum of x, which is 0 if x has no elements.
func Sum[T qd.Number](on Launcher, x, sum *qd.Array[T]) error {
	c := &call{on: on, name: "Sum"}
	folded(c, opAdd, x, sum)
	return c.err
}

// Min sets the element of least to the least element of x, as the function min of Go has it. x must not be empty.
func Min[T qd.Number](on Launcher, x, least *qd.Array[T]) error {
	c := &call{on: on, name: "Min"}
	notEmpty(c, x)
	folded(c, opMin, x, least)
	return c.err
}

// Max sets the element of greatest to the greatest element of x, as the function max of Go has it. x must not be empty.
func Max[T qd.Number](on Launcher, x, greatest *qd.Array[T]) error {
	c := &call{on: on, name: "Max"}
	notEmpty(c, x)
	folded(c, opMax, x, greatest)
	return c.err
}

// Dot sets the element of product to the sum of the products of the elements of x and y, of which there are as many.
func Dot[T qd.Number](on Launcher, x, y, product *qd.Array[T]) error {
	c := &call{on: on, name: "Dot"}
	if x.Len() != y.Len() {
		c.wrong("the arrays have %d and %d elements", x.Len(), y.Len())
	}
	holds(c, "the result", product, 1)
	n := max(1, pieces(x.Len(), foldSize))
	if n == 1 {
		notRecorded(c, x)
		c.launch(products[T]{}, 1, x, y, product)
		return c.err
	}
	parts := temporary[T](c, x, n)
	c.launch(products[T]{}, n, x, y, parts)
	folded(c, opAdd, parts, product)
	return c.err
}

// folded combines all elements, those of foldSize neighbours at a time.
func folded[T qd.Number](c *call, op int, x, out *qd.Array[T]) {
	holds(c, "the result", out, 1)
	for c.err == nil {
		n := max(1, pieces(x.Len(), foldSize))
		if n == 1 {
			notRecorded(c, x)
			c.launch(fold[T]{op, foldTurns}, 1, x, out)
			return
		}
		parts := temporary[T](c, x, n)
		c.launch(fold[T]{op, foldTurns}, n, x, parts)
		x = parts
	}
}

// runSize is how many neighbours one thread of Reduce combines in their order.
const runSize = 256

// A combiner is a function of two elements that is associative. It is a type, and so part of the kernels' names.
type combiner[T any] interface{ of(a, b T) T }

// sums is addition.
type sums[T qd.Number] struct{}

func (sums[T]) of(a, b T) T { return a + b }

// function is a function of the user's.
type function[T any] struct{ F func(a, b T) T }

func (f function[T]) of(a, b T) T { return f.F(a, b) }

// runs combines each Size neighbours to one, in their order.
type runs[T any, F combiner[T]] struct {
	F    F
	Size int
}

// Kernel is the code of a thread.
//
//qd:kernel
func (r runs[T, F]) Kernel(t qd.Thread, x, out []T) {
	from := t.ID() * r.Size
	acc := x[from]
	for i := from + 1; i < min(from+r.Size, len(x)); i++ {
		acc = r.F.of(acc, x[i])
	}
	out[t.ID()] = acc
}

// Reduce sets the element of out to what f makes of all elements of x, which must not be empty: f(f(x[0], x[1]), x[2]) and so
// on. f is associative, so that neighbours can be combined in any order; it need not be commutative. It is
// known at compile time: a declared function, or what [qd.NewFunc] gives.
func Reduce[T any](on Launcher, x, out *qd.Array[T], f func(a, b T) T) error {
	c := &call{on: on, name: "Reduce"}
	notNil(c, f == nil)
	notEmpty(c, x)
	holds(c, "the result", out, 1)
	for c.err == nil {
		n := pieces(x.Len(), runSize)
		k := runs[T, function[T]]{function[T]{f}, runSize}
		if n <= 1 {
			notRecorded(c, x)
			c.launch(k, 1, x, out)
			break
		}
		parts := temporary[T](c, x, n)
		c.launch(k, n, x, parts)
		x = parts
	}
	return c.err
}
